"""Hold the model against the Python functions: same blocks, same length, same lookups."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from carry.errors import UserError
from stride import workloads
from stride.cache import stand_in
from stride.case import Case
from stride.check import alignment_filter
from stride.oracle import Oracle
from stride.proof.library import Model
from stride.proof.model import SIDES, Said, by_model, by_python
from stride.search import run_both
from stride.shrink import smallest

#: How many random cases, and the most blocks one has.
RANDOM = 1_000
MOST_BLOCKS = 200
_SEED = 6


@dataclass(frozen=True)
class Way:
    """One way of running the model, and what came of it.

    Attributes:
        name: What ran the model.
        agreed: On how many cases it gave just what both Python functions give.
        why_not: Why it did not run, empty if it did.
    """

    name: str
    agreed: int = 0
    why_not: str = ""


class DriftError(UserError):
    """The model and the Python function do not do the same."""

    def __init__(self, way: str, case: Case, found: str) -> None:
        self.case = case
        super().__init__(
            f"the model, run by {way}, differs on {case}: {found}",
            hint="make lean_prefix_cache/LeanPrefixCache/Model.lean say what the patch does,"
            " or mend the patch",
        )


def random_cases(oracle: Oracle) -> list[Case]:
    """The random cases, the same every time."""
    takes = alignment_filter(oracle)
    any_alignment = all(map(takes, workloads.ALIGNMENTS))
    return list(workloads.random_cases(_SEED, RANDOM, MOST_BLOCKS, any_alignment))


def by_library(oracle: Oracle, model: Model, cases: list[Case], way: str) -> Way:
    """Compare case by case.

    Raises:
        DriftError: On the first difference, made as small as it can be.
    """

    def difference(case: Case) -> str:
        return _difference(oracle, case, [model(case, True), model(case, False)])

    for case in cases:
        if difference(case):
            least = smallest(case, lambda one: bool(difference(one)))
            raise DriftError(way, least, difference(least))
    return Way(way, len(cases))


def by_interpreter(
    oracle: Oracle,
    interpret: Callable[[list[Case]], list[list[list[int]]]],
    cases: list[Case],
    way: str,
) -> Way:
    """Compare what one run of Lean gives for all cases.

    Raises:
        DriftError: On the smallest of the cases that differ.
    """
    results = zip(cases, interpret(cases), strict=True)
    found = [(case, _difference(oracle, case, numbers)) for case, numbers in results]
    if differing := [pair for pair in found if pair[1]]:
        case, difference = min(differing, key=lambda pair: (pair[0].blocks, pair[0].window))
        raise DriftError(way, case, difference)
    return Way(way, len(cases))


def _difference(oracle: Oracle, case: Case, numbers: list[list[int]]) -> str:
    """What upstream's function or the patched one does other than the model says; or nothing."""
    outcome = run_both(oracle, case, stand_in)
    answers = (outcome.upstream, outcome.patched)
    for side, answer, modelled in zip(SIDES, answers, map(by_model, numbers), strict=True):
        real: Said | str = by_python(case, answer, outcome.null)
        if real != modelled:
            return f"{side}: {real}; the model: {modelled}"
    return ""
