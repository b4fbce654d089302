"""The model held against both functions, with models made of the functions themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from stride.cache import stand_in
from stride.case import Case
from stride.oracle import Oracle
from stride.proof.bridge import DriftError, Way, by_interpreter, by_library, random_cases
from stride.proof.library import Model
from stride.proof.model import by_model, by_python
from stride.proof.vectors import read_vectors
from stride.search import Answer, run_both

NULL = object()


def _case(blocks: int) -> Case:
    return Case(("1" * blocks,), 4, 5, 4, blocks * 4, 4)


def _model(oracle: Oracle) -> Model:
    """A model that is right because it asks the functions."""

    def model(case: Case, upstream: bool) -> list[int]:
        outcome = run_both(oracle, case, stand_in)
        answer = outcome.upstream if upstream else outcome.patched
        first = answer.lists[0]
        nulls = sum(block is outcome.null for block in first)
        return [nulls, len(first), len(first), *answer.probes]

    return model


def _drifting(right: Model) -> Model:
    """A model that makes one lookup more wherever EAGLE drops a block of two or more."""

    def model(case: Case, upstream: bool) -> list[int]:
        numbers = right(case, upstream)
        drifts = case.eagle and numbers[2] > 0 and not upstream
        return [*numbers, 0] if drifts else numbers

    return model


def test_a_right_model_agrees(oracle: Oracle) -> None:
    cases = random_cases(oracle)[:100]
    assert by_library(oracle, _model(oracle), cases, "a twin") == Way("a twin", 100)


def test_a_drifting_model_fails_with_the_smallest_input(oracle: Oracle) -> None:
    model = _drifting(_model(oracle))
    with pytest.raises(DriftError, match="the model, run by a twin, differs on Case") as caught:
        by_library(oracle, model, random_cases(oracle), "a twin")
    least = caught.value.case
    assert (least.masks, least.block_size, least.eagle) == (("01",), 1, True)
    assert "patched: 1 blocks, 1 of them null, lookups 1; the model" in str(caught.value)


def test_a_drifting_interpreter_fails_with_the_smallest_of_its_cases(oracle: Oracle) -> None:
    model = _drifting(_model(oracle))
    cases = random_cases(oracle)

    def interpret(some: list[Case]) -> list[list[list[int]]]:
        return [[model(case, True), model(case, False)] for case in some]

    with pytest.raises(DriftError) as caught:
        by_interpreter(oracle, interpret, cases, "a twin")
    wrong = [case for case in cases if model(case, False) != _model(oracle)(case, False)]
    assert caught.value.case.blocks == min(case.blocks for case in wrong)


def test_a_start_right_of_the_length_is_all_null() -> None:
    assert by_model([5, 7, 4, 2, 1]).nulls == 4


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer((), 0, (), "KeyError: 1"), "raises KeyError: 1"),
        (Answer(([1, 2], [1]), 8, ()), "lists of [2, 1] blocks, 8 tokens"),
        (Answer(([1, 2],), 9, ()), "lists of [2] blocks, 9 tokens"),
        (Answer(([1, NULL],), 8, ()), "null blocks elsewhere than at the left"),
        (Answer(([NULL, 1], [1, 1]), 8, ()), "null blocks elsewhere than at the left"),
    ],
)
def test_no_answer_that_a_model_gives(answer: Answer, said: str) -> None:
    assert by_python(_case(2), answer, NULL) == said


def test_the_vectors_become_cases() -> None:
    cases = read_vectors(Path(__file__).with_name("vectors.json"))
    assert len(cases) > 10
    assert cases[0].masks == ("111011",)
