"""The cache a case is run against, as upstream's own block pool."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import Any

from stride.cache import ENDLESS, Cache, EndlessSearchError
from stride.case import Case


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
    probes = count_lookups(pool, index_of.__getitem__, ENDLESS * (case.blocks + 1))
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
