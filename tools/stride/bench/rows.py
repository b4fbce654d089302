"""Run every search on one input: first for its answer and lookups, then for its time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import is_
from statistics import mean
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
    draws = [_draw(searches, case) for case in one.cases]
    wrong = [name for name in searches if any(name in draw.wrong for draw in draws)]
    calls = {
        name: Call(search, [draw.arguments for draw in draws])
        for name, search in searches.items()
        if name not in wrong
    }
    if all(draw.lowest for draw in draws):
        pools = [(draw.cache.pool, draw.lowest, draw.cache.group_ids) for draw in draws]
        calls[FLOOR] = Call(_look_up_all, pools)
    samples = in_turn(calls, plan)
    case = one.case
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
        draws=len(draws),
        hit=mean(draw.answers[UPSTREAM].length for draw in draws),
        lookups={name: mean(len(draw.answers[name].probes) for draw in draws) for name in searches}
        | {FLOOR: mean(len(draw.lowest) for draw in draws)},
        times={name: spread(times) for name, times in samples.items()},
        ratios={name: ratio(times, samples[PATCH]) for name, times in samples.items()},
        wrong=tuple(wrong),
    )


@dataclass(frozen=True)
class _Draw:
    """One case of a row: what each search answered, and what it is timed with."""

    cache: Cache
    arguments: tuple[Any, ...]
    answers: Mapping[str, Answer]
    lowest: list[Any]

    @property
    def wrong(self) -> set[str]:
        upstream = self.answers[UPSTREAM]
        return {name for name, answer in self.answers.items() if not same(upstream, answer)}


def _draw(searches: Mapping[str, Search], case: Case) -> _Draw:
    cache = real(case)
    answers = {name: run(search, case, cache) for name, search in searches.items()}
    del cache.pool.get_cached_block  # the counting one, in front of the pool's own
    return _Draw(cache, _arguments(case, cache), answers, _fewest_hashes(case, cache))


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
