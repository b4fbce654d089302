"""The caches a case is run against: a bare stand-in, and upstream's real block pool."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any

from stride.case import Case

#: A search that has probed so many times the number of blocks does not end.
_ENDLESS = 4


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


class _Block:
    """Stands for one block of one group: nothing but an identity."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


_NULL = _Block("null")


@lru_cache(maxsize=1 << 17)
def _block(group: int, index: int) -> _Block:
    return _Block(f"block {index} of group {group}")


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
    limit = _ENDLESS * (case.blocks + 1)

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


def real(case: Case) -> Cache:
    """Upstream's block pool, filled by its own means with the hashes of a real request."""
    length = len(case.masks[0])
    scale = case.block_size // case.hash_block_size
    request = _request(case.hash_block_size, 1 << (length * scale).bit_length())
    pool = import_module("vllm.v1.core.block_pool").BlockPool(
        num_gpu_blocks=len(case.masks) * length + 1,  # the null block is one of them
        enable_caching=True,
        hash_block_size=case.hash_block_size,
    )
    for group, mask in enumerate(case.masks):
        cached = [character == "1" for character in mask]
        blocks = pool.get_new_blocks(length)
        pool.cache_full_blocks(request, blocks, 0, length, case.block_size, group, cached)
    hashes = request.block_hashes[: length * scale]
    index_of = {hashes[(index + 1) * scale - 1]: index for index in range(length)}
    probes = count_lookups(pool, index_of.__getitem__, _ENDLESS * (case.blocks + 1))
    return Cache(pool, hashes, list(range(len(case.masks))), probes)


def count_lookups(pool: Any, name_of: Callable[[Any], Any], limit: int) -> list[Any]:
    """Log every lookup in a real pool, by what `name_of` makes of its hash.

    Raises:
        EndlessSearchError: By the lookup, when the log holds `limit` entries.
    """
    probes: list[Any] = []
    lookup = pool.get_cached_block

    def get_cached_block(block_hash: Any, kv_cache_group_ids: list[int]) -> Any:
        probes.append(name_of(block_hash))
        if len(probes) > limit:
            raise EndlessSearchError(f"{limit} lookups and no end")
        return lookup(block_hash, kv_cache_group_ids)

    pool.get_cached_block = get_cached_block
    return probes


@lru_cache(maxsize=16)
def _request(hash_block_size: int, hashes: int) -> Any:
    """A request with so many hashes; each chains over its whole prefix."""
    return make_request("stride", list(range(hashes * hash_block_size)), hash_block_size)


def make_request(name: str, tokens: list[int], hash_block_size: int) -> Any:
    """A real request, hashed as the engine does it."""
    utils = import_module("vllm.v1.core.kv_cache_utils")
    sha256 = import_module("vllm.utils.hashing").sha256
    if getattr(utils, "NONE_HASH", None) is None:
        utils.init_none_hash(sha256)
    return import_module("vllm.v1.request").Request(
        request_id=name,
        prompt_token_ids=tokens,
        sampling_params=import_module("vllm.sampling_params").SamplingParams(max_tokens=1),
        pooling_params=None,
        block_hasher=utils.get_request_block_hasher(hash_block_size, sha256),
    )
