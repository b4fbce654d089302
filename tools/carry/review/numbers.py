"""Numbers of records as a reader takes them in; filters of the templates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from carry.machine import Machine

#: As many values of a list are named; of a longer one it is said how long it is.
_FEW = 8


def thousands(number: float) -> str:
    """A count."""
    return f"{number:,}"


def percent(share: float) -> str:
    """A part of one."""
    return f"{share:.0%}"


def microseconds(ns: float) -> str:
    """A time given in ns, with as many digits as it is worth."""
    us = ns / 1000
    return f"{us:.1f}" if us < 100 else f"{us:,.0f}"


def times(ratio: float) -> str:
    """How many times as much, to three digits."""
    return f"{ratio:,.0f}×" if ratio >= 100 else f"{ratio:.3g}×"  # noqa: RUF001


def duration(seconds: float) -> str:
    """How long a run took."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{seconds:g} s"


def moment(started: str) -> str:
    """When a run began."""
    return f"{datetime.fromisoformat(started):%-d %B %Y, %H:%M} UTC"


def machine(one: Machine) -> str:
    """What a run had, in one line."""
    torch = f"torch {one.torch}" if one.torch else "no torch"
    size = f"{one.cores} core{'s' if one.cores > 1 else ''}, {one.memory:g} GiB"
    return f"{one.cpu}, {size}; {one.system}; Python {one.python}; {torch}; on {one.device}"


def figures(result: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """The single values of a result, each with its path; of a long list its length."""
    for key, value in result.items():
        name = key.replace("_", " ")
        if isinstance(value, Mapping):
            yield from ((f"{name}: {path}", text) for path, text in figures(value))
        elif isinstance(value, list):
            yield name, _listed(value)
        elif value not in ("", None):
            yield name, _word(value)


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int | float) else str(value)


def _listed(values: Sequence[object]) -> str:
    if not values:
        return "none"
    if len(values) <= _FEW and all(isinstance(one, str | int | float) for one in values):
        return ", ".join(map(str, values))
    return "1 entry" if len(values) == 1 else f"{len(values)} entries"
