"""What holds of every input, tried on long and odd ones."""

from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from stride import check, workloads
from stride.cache import StandInPool, stand_in
from stride.case import Case, one_group
from stride.exactness import faults
from stride.oracle import Oracle
from stride.real_cache import real
from stride.search import run, run_both

MOST_BLOCKS = 8192


@st.composite
def mask(draw: st.DrawFn, length: int) -> str:
    """Blocks cached one by one, hardly any or nearly all, or in runs."""
    random = draw(st.randoms(use_true_random=True))
    density = draw(st.sampled_from((0.9, 0.5, 0.99, 0.05, 1.0, 0.0)))
    if draw(st.booleans()):
        return "".join("01"[random.random() < density] for _ in range(length))
    runs = draw(st.lists(st.integers(1, max(1, length // 3)), min_size=1, max_size=12))
    text = "".join("10"[index % 2] * run for index, run in enumerate(runs))
    return (text * length)[:length]


@st.composite
def groups_of_masks(draw: st.DrawFn, length: int) -> tuple[str, ...]:
    """Groups that are alike but for a few blocks, as those of one model are."""
    first = draw(mask(length))
    holes = st.lists(st.integers(0, length - 1), max_size=3)
    others = draw(st.lists(holes, max_size=3))
    return (first, *(_without(first, missing) for missing in others))


def _without(text: str, missing: list[int]) -> str:
    return "".join("0" if index in missing else bit for index, bit in enumerate(text))


@st.composite
def cases(draw: st.DrawFn, most_blocks: int = MOST_BLOCKS) -> Case:
    """Any query that upstream's assertions let through, at every base."""
    most = draw(st.sampled_from((5, 40, most_blocks)))
    length = draw(st.integers(1, most) | st.integers(most // 2, most))
    hash_block_size = draw(st.sampled_from((1, 4, 16)))
    block_size = hash_block_size * draw(st.sampled_from((1, 2, 5)))
    tokens = length * block_size
    longest_window = draw(st.sampled_from((3 * block_size, 20 * block_size, tokens + 2)))
    return Case(
        masks=draw(groups_of_masks(length)),
        block_size=block_size,
        window_tokens=draw(
            st.integers(1, longest_window) | st.integers(longest_window // 3, longest_window)
        ),
        alignment_tokens=block_size * draw(st.sampled_from((1, 1, 2, 3, 64))),
        max_length=draw(st.integers(0, tokens) | st.integers(tokens * 3 // 4, tokens)),
        hash_block_size=hash_block_size,
        eagle=draw(st.booleans()),
    )


@given(case=cases())
@settings(max_examples=1500)
def test_same_answer_within_the_bounds(oracle: Oracle, case: Case) -> None:
    assert faults(run_both(oracle, case, stand_in)) == []


@pytest.mark.parametrize("seed", range(2, 6))
def test_same_answer_on_long_prompts(oracle: Oracle, seed: int) -> None:
    any_alignment = all(map(check.alignment_filter(oracle), workloads.ALIGNMENTS))
    for case in workloads.random_cases(seed, 500, MOST_BLOCKS, any_alignment):
        assert faults(run_both(oracle, case, stand_in)) == []


@given(case=cases(most_blocks=400))
@settings(max_examples=400)
def test_same_answer_from_upstreams_own_pool(oracle: Oracle, case: Case) -> None:
    assert faults(run_both(oracle, case, real)) == []


@given(case=cases(), data=st.data())
@settings(max_examples=300)
def test_a_shorter_query_never_gets_a_longer_hit(
    oracle: Oracle, case: Case, data: st.DataObject
) -> None:
    shorter = replace(case, max_length=data.draw(st.integers(0, case.max_length)))
    longest, hit = (
        run(oracle.patched.search, one, stand_in(one)).length for one in (case, shorter)
    )
    assert hit <= min(longest, shorter.max_length)


@given(case=cases(most_blocks=64))
@settings(max_examples=300)
def test_lists_are_the_callers_to_change(oracle: Oracle, case: Case) -> None:
    cache = stand_in(case)
    first = run(oracle.patched.search, case, cache)
    expected = [list(blocks) for blocks in first.lists]
    for blocks in first.lists:
        blocks.append("the caller's")
        blocks[0] = "the caller's"
    again = run(oracle.patched.search, case, cache)
    assert list(again.lists) == expected
    assert again.probes == first.probes


@given(blocks=st.integers(0, MOST_BLOCKS), window=st.integers(1, MOST_BLOCKS + 1))
@example(blocks=MOST_BLOCKS, window=1)
@settings(max_examples=200)
def test_an_empty_cache_costs_one_lookup_per_window(
    oracle: Oracle, blocks: int, window: int
) -> None:
    case = one_group("0" * blocks, block_size=16, window=window, alignment_tokens=16)
    answer = run(oracle.patched.search, case, stand_in(case))
    assert answer.lists == ([],)
    assert len(answer.probes) == -(-blocks // window)


@given(case=cases(most_blocks=64))
@settings(max_examples=1000)
def test_the_answer_is_what_the_specification_says(oracle: Oracle, case: Case) -> None:
    outcome = run_both(oracle, case, stand_in)
    assert outcome.patched.length == outcome.upstream.length == _specified_hit(case)


def _specified_hit(case: Case) -> int:
    """The largest aligned end with a full window before it, or one cut short at block 0."""

    def aligned(end: int) -> bool:
        return (end - case.eagle) * case.block_size % case.alignment_tokens == 0

    def window_is_cached(end: int) -> bool:
        return all(map(case.is_cached, range(max(0, end - case.window), end)))

    ends = (end for end in range(case.blocks, 0, -1) if aligned(end) and window_is_cached(end))
    end = next(ends, 0)
    step = case.alignment_blocks
    if end < case.window:
        end -= end % step
    if case.eagle and end:
        end -= 1
        end -= end % step
    return end * case.block_size


def test_a_stand_in_pool_has_three_attributes() -> None:
    assert [field.name for field in fields(StandInPool)] == [
        "get_cached_block",
        "null_block",
        "hash_block_size",
    ]
