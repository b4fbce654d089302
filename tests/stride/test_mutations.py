"""The suites catch each small fault that can be put into the patched search.

The function's text is read from the patched tree, and each mutant is run on cases of the
exactness suites until one of them shows a fault.
"""

from __future__ import annotations

import ast
import signal
from dataclasses import replace
from itertools import chain
from types import FrameType

import pytest

from stride import check, workloads
from stride.bench.probing import lookups, order_of_the_patch
from stride.cache import stand_in
from stride.case import Case
from stride.exactness import faults
from stride.mutants import Mutant, mutants
from stride.oracle import MANAGER_CLASS, SEARCH, Oracle, Side
from stride.search import run_both

#: Mutants that are the same function, and why. A search that is changed may need others.
EQUIVALENT = {
    "end > window_blocks -> end >= window_blocks": "where they are equal both arms are 0",
    "known < end -> known <= end": "where they are equal both arms are that number",
    "computed_blocks[0] -> computed_blocks[-1]": "the groups' lists are all of one length",
}

#: Processor seconds after which a mutant that makes no lookup counts as one without an end.
PATIENCE = 5


def mutated(side: Side, mutant: Mutant) -> Side:
    """The patched side with the mutant in the place of the search."""
    names = dict(vars(side.module))
    exec(compile(ast.Module([mutant.tree], []), str(mutant), "exec"), names)  # noqa: S102
    bound = names[SEARCH].__get__(None, getattr(side.module, MANAGER_CLASS))
    return replace(side, search=bound)


@pytest.fixture(scope="module")
def cases(oracle: Oracle) -> list[Case]:
    """A small part of the exactness suites, the most telling first."""
    taken = tuple(filter(check.alignment_filter(oracle), workloads.ALIGNMENTS))
    any_alignment = taken == workloads.ALIGNMENTS
    small = (workloads.exhaustive(blocks, 1, taken) for blocks in range(7))
    groups = (workloads.exhaustive(blocks, 2, taken) for blocks in range(3))
    return [
        *workloads.random_cases(3, 600, 40, any_alignment),
        *chain.from_iterable(small),
        *workloads.exhaustive(9, 1, (3 * workloads.BLOCK_TOKENS,)),
        *chain.from_iterable(groups),
    ]


def is_faulty(oracle: Oracle, case: Case) -> bool:
    """Whether a case shows a fault, or takes other lookups than the patch's order needs."""
    outcome = run_both(oracle, case, stand_in)
    return bool(faults(outcome)) or len(outcome.patched.probes) != lookups(
        case, order_of_the_patch(case)
    )


def is_caught(oracle: Oracle, mutant: Mutant, cases: list[Case]) -> bool:
    """Whether a case shows a fault, or the mutant does not end."""

    def give_up(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"{mutant} does not end")

    wrong = replace(oracle, patched=mutated(oracle.patched, mutant))
    before = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        return any(is_faulty(wrong, case) for case in cases)
    except TimeoutError:
        return True
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def test_the_cases_pass_without_a_mutation(oracle: Oracle, cases: list[Case]) -> None:
    assert not any(is_faulty(oracle, case) for case in cases)


def test_every_mutant_is_caught(oracle: Oracle, cases: list[Case]) -> None:
    tried = mutants(oracle.patched.search)
    assert len(tried) > 50
    survivors = [mutant for mutant in tried if not is_caught(oracle, mutant, cases)]
    unexpected = [str(one) for one in survivors if one.change not in EQUIVALENT]
    assert not unexpected, "\n".join(["not caught:", *unexpected])
    assert {mutant.change for mutant in survivors} == set(EQUIVALENT)


def _example(first: int, second: int) -> int:
    if first < second and first:
        return max(first, 1)
    return second - 1


def test_the_mutants_are_every_small_fault() -> None:
    assert {mutant.change for mutant in mutants(_example)} == {
        "if first < second and first: -> if not (first < second and first):",
        "first < second and first -> first < second or first",
        "first < second -> first <= second",
        "first < second -> first >= second",
        "max(first, 1) -> min(first, 1)",
        "max(first, 1) -> max(first, 2)",
        "max(first, 1) -> max(first, 0)",
        "second - 1 -> second + 1",
        "second - 1 -> second - 2",
        "second - 1 -> second - 0",
    }
