"""The cache a case is run against, with as little of a pool as the search needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from stride.case import Case

#: A search that has probed so many times the number of blocks does not end.
ENDLESS = 4


class EndlessSearchError(Exception):
    """A search keeps probing."""


@dataclass(frozen=True)
class StandInPool:
    """All of a pool that the search may touch; some of upstream's callers give no more."""

    get_cached_block: Callable[[Any, list[int]], list[Any] | None]
    null_block: object
    hash_block_size: int


@dataclass(frozen=True)
class Cache:
    """What one search is given, and the log of the blocks it probes.

    `probes` holds block indices in the order they were looked up; clear it between searches.
    """

    pool: Any
    hashes: Sequence[Any]
    group_ids: list[int]
    probes: list[int]


@dataclass(frozen=True, eq=False)
class _Block:
    """Stands for one block of one group; two are the same only if they are one object."""

    group: int
    index: int


_NULL = _Block(-1, -1)

_block = lru_cache(maxsize=1 << 17)(_Block)


@lru_cache(maxsize=16)
def _answers(masks: tuple[str, ...]) -> list[list[_Block] | None]:
    """What the pool says of each block, with as many more that no query reaches."""
    columns = enumerate(zip(*masks, strict=True))
    known = [
        [_block(group, index) for group in range(len(masks))] if set(column) == {"1"} else None
        for index, column in columns
    ]
    return [*known, *[None] * (len(known) + 1)]


def stand_in(case: Case) -> Cache:
    """A cache whose hashes are the block indices themselves.

    There are hashes right of the prompt too, so that an index past either end shows in
    the log. Where a hash is finer than a block, only the last hash of a block is one.
    """
    answers = _answers(case.masks)
    group_ids = list(range(len(case.masks)))
    probes: list[int] = []
    limit = ENDLESS * (case.blocks + 1)

    def get_cached_block(block_hash: int, kv_cache_group_ids: list[int]) -> list[_Block] | None:
        probes.append(block_hash)
        if len(probes) > limit:
            raise EndlessSearchError(f"{limit} lookups and no end")
        if kv_cache_group_ids != group_ids:
            raise ValueError(f"groups {kv_cache_group_ids} looked up, not {group_ids}")
        return answers[block_hash]

    pool = StandInPool(get_cached_block, _NULL, case.hash_block_size)
    return Cache(pool, _indices(len(answers), case), group_ids, probes)


def _indices(blocks: int, case: Case) -> Sequence[int]:
    scale = case.block_size // case.hash_block_size
    if scale == 1:
        return range(blocks)
    no_block = blocks  # looked up, it is past the end of the answers
    return [
        index // scale if (index + 1) % scale == 0 else no_block for index in range(blocks * scale)
    ]
