"""The command that every rebase runs."""

from __future__ import annotations

import inspect
from dataclasses import replace

import pytest

from stride import check, workloads
from stride.cache import stand_in
from stride.case import Case
from stride.oracle import Oracle, side_from_source


def test_all_of_it_agrees(oracle: Oracle) -> None:
    for batch in check.batches(oracle, quick=True):
        done: list[int] = []
        tally = check.run(oracle, batch, done.append)
        assert tally.cases == batch.size == sum(done)


def test_a_wrong_search_is_caught_with_a_smallest_case(oracle: Oracle) -> None:
    source = inspect.getsource(oracle.base.module)
    wrong = source.replace("num_contiguous_blocks += 1", "num_contiguous_blocks += 2")
    assert wrong != source
    hasty = replace(oracle, patched=side_from_source(oracle.base.tree, wrong, "stride_hasty"))
    with pytest.raises(check.DifferenceError) as caught:
        for batch in check.batches(hasty, quick=True):
            check.run(hasty, batch, lambda _: None)
    assert "Case(masks=" in caught.value.line()
    assert len(caught.value.case.masks[0]) <= 3


def test_a_search_is_caught_on_long_prompts_too(oracle: Oracle) -> None:
    source = inspect.getsource(oracle.base.module)
    wrong = source.replace(
        "max_num_blocks = max_length //", "max_num_blocks = min(999, max_length) //"
    )
    assert wrong != source
    short = replace(oracle, patched=side_from_source(oracle.base.tree, wrong, "stride_short"))
    with pytest.raises(check.DifferenceError):
        check.run(short, check.batches(short, quick=True)[-1], lambda _: None)


def test_random_cases_are_the_same_every_time_and_of_every_kind() -> None:
    cases = list(workloads.random_cases(1, 500, 64, alignments=True))
    assert cases == list(workloads.random_cases(1, 500, 64, alignments=True))
    kinds = (
        lambda case: case.eagle,
        lambda case: len(case.masks) > 1,
        lambda case: case.hash_block_size < case.block_size,
        lambda case: case.max_length % case.block_size,
        lambda case: not case.every_end_is_aligned,
        lambda case: case.alignment_tokens % case.block_size,
        lambda case: case.nothing_is_cached,
        lambda case: case.window > case.blocks,
    )
    for kind in kinds:
        assert 10 < sum(1 for case in cases if kind(case)) < 500
    assert {check.Batch("", 1, lambda: iter(cases)).cache_of} == {stand_in}


def test_masks_reach_at_least_as_far_as_the_query() -> None:
    for case in workloads.random_cases(2, 500, 64, alignments=True):
        assert all(len(mask) >= case.blocks for mask in case.masks)
        assert isinstance(case, Case)
