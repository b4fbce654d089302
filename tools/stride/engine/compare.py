"""Both arms must give every request the same: the first that differs is named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from carry.errors import UserError
from stride.bench.rivals import UPSTREAM
from stride.engine.messages import Answer, PhaseRun, Round

_TOLD = {
    "tokens": "token ids",
    "cached": "cached tokens",
    "tables": "block tables (digest)",
}


class DifferentError(UserError):
    """The arms differ; the message names the first request that does."""


def require_same(name: str, upstream: Sequence[PhaseRun], other: Sequence[PhaseRun]) -> int:
    """Hold the phases of a run against those of upstream's search.

    Args:
        name: The other run's, for the message.
        upstream: The phases of a run with upstream's search.
        other: Those of any other run.

    Returns:
        How many requests were compared.

    Raises:
        DifferentError: A request, or the course of a phase, differs.
    """
    count = 0
    for one, two in zip_longest(upstream, other):
        if one is None or two is None or one.title != two.title:
            raise _different(name, _title(one), "phase", _title(one), _title(two))
        count += _same_answers(name, one.title, one.answers, two.answers)
        for what in ("steps", "preempted", "searches"):
            before, after = getattr(one, what), getattr(two, what)
            if before != after:
                raise _different(name, one.title, what, before, after)
    return count


def require_same_rounds(name: str, upstream: Sequence[Round], other: Sequence[Round]) -> int:
    """The same for the rounds of a soak."""
    count = 0
    for one, two in zip_longest(upstream, other):
        where = f"{one.model}, round {one.number}" if one else "the end"
        if one is None or two is None or (one.model, one.number) != (two.model, two.number):
            raise _different(name, where, "round", bool(one), bool(two))
        count += _same_answers(name, where, one.answers, two.answers)
        for what in ("steps", "preempted", "cancelled"):
            before, after = getattr(one, what), getattr(two, what)
            if before != after:
                raise _different(name, where, what, before, after)
    return count


def _title(run: PhaseRun | None) -> str:
    return run.title if run else "none"


def _same_answers(
    name: str, where: str, upstream: Sequence[Answer], other: Sequence[Answer]
) -> int:
    for one, two in zip_longest(upstream, other):
        if one is None or two is None:
            raise _different(name, where, "requests", len(upstream), len(other))
        for what, before, after in _differences(one, two):
            raise _different(name, f"{where}, {one.name}", what, before, after)
    return len(upstream)


def _differences(one: Answer, two: Answer) -> Iterator[tuple[str, object, object]]:
    """Tables are compared where both runs noted them."""
    if one.name != two.name:
        yield "name", one.name, two.name
    for what, told in _TOLD.items():
        before, after = getattr(one, what), getattr(two, what)
        if before != after and not (what == "tables" and "" in (before, after)):
            yield told, before, after


def _different(name: str, where: str, what: str, before: object, after: object) -> DifferentError:
    return DifferentError(
        f"{where}: {what} {before} with upstream's search, {after} in the run of {name}",
        hint="this engine does not do the same twice, so nothing can be compared"
        if name.startswith(UPSTREAM)
        else "mend the patch",
    )
