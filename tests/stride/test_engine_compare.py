"""Two arms that are not the same are noticed, and the first difference is named."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from stride.bench.rivals import UPSTREAM
from stride.engine.compare import DifferentError, require_same, require_same_rounds

from . import made_up_engine
from .made_up_engine import answer, phase

ROUND = replace(made_up_engine.ROUND, number=3, answers=(answer(),))


def test_the_same_is_counted() -> None:
    both = [phase(), phase(context=32_768, answers=(answer(), answer(name="prompt 1")))]
    assert require_same("patch timed 1", both, both) == 3


def test_times_and_lookups_may_differ() -> None:
    quick = phase(wall=1, step=1, schedule=1, search=1, lookups=2, first_token=(1,), waited=(1,))
    assert require_same("patch timed 1", [phase()], [quick]) == 1


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"tokens": (5, 6, 8)}, r"token ids \(5, 6, 7\) with upstream's search, \(5, 6, 8\)"),
        ({"cached": 96}, "cached tokens 64 with upstream's search, 96 in the run of patch"),
        ({"tables": "def"}, r"block tables \(digest\) abc"),
        ({"name": "prompt 7"}, "name prompt 0"),
    ],
)
def test_the_first_request_that_differs_is_named(changes: dict[str, Any], told: str) -> None:
    second = answer(name="prompt 1")
    upstream = [phase(), phase(answers=(answer(), second))]
    other = [phase(), phase(answers=(answer(**changes), replace(second, cached=7)))]
    with pytest.raises(DifferentError, match=f"windows only, .*, prompt 0: {told}"):
        require_same("patch timed 1", upstream, other)


def test_tables_that_a_run_did_not_note_are_no_difference() -> None:
    timed = phase(answers=(answer(tables=""),))
    assert require_same("patch timed 1", [phase()], [timed]) == 1


@pytest.mark.parametrize("what", ["steps", "preempted", "searches"])
def test_another_course_is_a_difference(what: str) -> None:
    with pytest.raises(DifferentError, match=f"{what} .* with upstream's search, 77"):
        require_same("patch timed 1", [phase()], [phase(**{what: 77})])


@pytest.mark.parametrize("other", [[], [phase(answers=())], [phase(context=1)]])
def test_what_is_missing_is_a_difference(other: list[Any]) -> None:
    with pytest.raises(DifferentError):
        require_same("patch timed 1", [phase()], other)


def test_an_engine_that_differs_from_itself_is_not_blamed_on_the_patch() -> None:
    with pytest.raises(DifferentError, match="does not do the same twice"):
        require_same(f"{UPSTREAM} timed 1", [phase()], [phase(steps=4)])
    with pytest.raises(DifferentError, match="mend the patch"):
        require_same("patch timed 1", [phase()], [phase(steps=4)])


def test_rounds_are_compared_one_by_one() -> None:
    assert require_same_rounds("patch", [ROUND, ROUND], [ROUND, ROUND]) == 2
    for changes in ({"steps": 41}, {"cancelled": 0}, {"preempted": 0}, {"answers": ()}):
        with pytest.raises(DifferentError, match="hybrid, round 3"):
            require_same_rounds("patch", [ROUND], [replace(ROUND, **changes)])
    with pytest.raises(DifferentError, match="round True with upstream's search, False"):
        require_same_rounds("patch", [ROUND, ROUND], [ROUND])
