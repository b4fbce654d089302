"""Run every search on one input: first for its answer and lookups, then for its time."""

from __future__ import annotations

from collections.abc import Mapping
from operator import is_
from typing import Any

from stride.bench.inputs import Input
from stride.bench.record import Row
from stride.bench.rivals import PATCH, UPSTREAM, Search
from stride.bench.timing import Call, Plan, in_turn, ratio, spread
from stride.cache import Cache
from stride.case import Case
from stride.real_cache import real
from stride.search import Answer, run, spec

#: The time of the fewest lookups that any search needs when nothing is cached.
FLOOR = "floor"


def measure(searches: Mapping[str, Search], one: Input, plan: Plan) -> Row:
    """One row of the result, over upstream's own block pool."""
    case, cache = one.case, real(one.case)
    answers = {name: run(search, case, cache) for name, search in searches.items()}
    upstream = answers[UPSTREAM]
    right = [name for name, answer in answers.items() if same(upstream, answer)]
    del cache.pool.get_cached_block  # the counting one, in front of the pool's own
    calls = {name: Call(searches[name], _arguments(case, cache)) for name in right}
    lowest = _fewest_hashes(case, cache)
    if lowest:
        calls[FLOOR] = Call(_look_up_all, (cache.pool, lowest, cache.group_ids))
    samples = in_turn(calls, plan)
    return Row(
        section=one.section,
        name=one.name,
        cached=one.cached,
        density=one.density,
        blocks=case.blocks,
        window=case.window,
        block_size=case.block_size,
        alignment_tokens=case.alignment_tokens,
        groups=len(case.masks),
        eagle=case.eagle,
        hit=upstream.length,
        lookups={name: len(answer.probes) for name, answer in answers.items()}
        | {FLOOR: len(lowest)},
        times={name: spread(times) for name, times in samples.items()},
        ratios={name: ratio(times, samples[PATCH]) for name, times in samples.items()},
        wrong=tuple(name for name in answers if name not in right),
    )


def same(upstream: Answer, answer: Answer) -> bool:
    """Whether an answer is upstream's, blocks by identity."""
    return (
        answer.error == upstream.error
        and answer.length == upstream.length
        and len(answer.lists) == len(upstream.lists)
        and all(map(_same_blocks, answer.lists, upstream.lists))
    )


def _same_blocks(mine: list[Any], theirs: list[Any]) -> bool:
    return len(mine) == len(theirs) and all(map(is_, mine, theirs))


def _arguments(case: Case, cache: Cache) -> tuple[Any, ...]:
    """In the order in which every search takes them."""
    return (
        cache.hashes,
        case.max_length,
        cache.group_ids,
        cache.pool,
        spec(case.block_size, case.window_tokens),
        case.eagle,
        case.alignment_tokens,
    )


def _fewest_hashes(case: Case, cache: Cache) -> list[Any]:
    """One block of each of the disjoint windows, from the right, and block 0."""
    starts = range(case.blocks - case.window, -case.window, -case.window)
    return [cache.hashes[max(start, 0)] for start in starts]


def _look_up_all(pool: Any, hashes: list[Any], groups: list[int]) -> None:
    for block_hash in hashes:
        pool.get_cached_block(block_hash, groups)
