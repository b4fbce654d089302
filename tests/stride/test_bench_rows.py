"""One row over upstream's pool: first the answers, then the times of those that are right."""

from __future__ import annotations

from stride.bench.inputs import Input
from stride.bench.rivals import EMPTY_GUARD, NAMES, PATCH, SKIP, UPSTREAM, searches
from stride.bench.rows import FLOOR, measure
from stride.bench.timing import Plan
from stride.case import one_group
from stride.oracle import Oracle

PLAN = Plan(rounds=2, sample_ns=1)


def input_of(mask: str, window: int) -> Input:
    case = one_group(mask, block_size=16, window=window, alignment_tokens=16)
    return Input("made up", "a prompt", "some", (case,))


def test_who_is_wrong_is_not_timed(oracle: Oracle) -> None:
    row = measure(searches(oracle), input_of("1" + "0" * 31, 8), PLAN)
    assert row.wrong == (SKIP,)
    assert set(row.times) == set(row.ratios) == {*NAMES, FLOOR} - {SKIP}
    assert row.hit == 16
    assert row.lookups[UPSTREAM] == 32
    assert row.lookups[PATCH] == 5
    assert row.lookups[FLOOR] == 4
    assert row.ratios[PATCH] == 1


def test_an_empty_cache(oracle: Oracle) -> None:
    row = measure(searches(oracle), input_of("0" * 30, 8), PLAN)
    assert row.wrong == ()
    assert row.lookups[PATCH] == row.lookups[FLOOR] == 4
    assert row.lookups[EMPTY_GUARD] == 0


def test_nothing_to_search_has_no_floor(oracle: Oracle) -> None:
    row = measure(searches(oracle), input_of("", 8), PLAN)
    assert FLOOR not in row.times and not any(row.lookups.values())
