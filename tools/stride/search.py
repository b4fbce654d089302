"""Run one case through both searches."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import Any

import msgspec

from stride.cache import Cache
from stride.case import Case
from stride.oracle import Oracle

#: Makes the cache of a case: `cache.stand_in` or `real_cache.real`.
CacheOf = Callable[[Case], Cache]


class Answer(msgspec.Struct, frozen=True):
    """What one search gave back.

    Attributes:
        lists: One list of blocks per group; empty after an error.
        length: The hit in tokens.
        probes: Indices of the blocks that were looked up, in order.
        error: What was raised instead, empty if nothing was.
    """

    lists: Any
    length: Any
    probes: tuple[int, ...]
    error: str = ""


class Outcome(msgspec.Struct, frozen=True):
    """Both answers to a case, and the null block they are to be read with."""

    case: Case
    upstream: Answer
    patched: Answer
    null: Any


def run_both(oracle: Oracle, case: Case, cache_of: CacheOf) -> Outcome:
    """Ask both searches, over one and the same cache."""
    cache = cache_of(case)
    upstream = run(oracle.base.search, case, cache)
    patched = run(oracle.patched.search, case, cache)
    return Outcome(case, upstream, patched, cache.pool.null_block)


def run(search: Callable[..., Any], case: Case, cache: Cache) -> Answer:
    """Ask one search; what it raises is part of the answer."""
    cache.probes.clear()
    try:
        lists, length = search(
            block_hashes=cache.hashes,
            max_length=case.max_length,
            kv_cache_group_ids=cache.group_ids,
            block_pool=cache.pool,
            kv_cache_spec=spec(case.block_size, case.window_tokens),
            drop_eagle_block=case.eagle,
            alignment_tokens=case.alignment_tokens,
        )
    except Exception as error:  # noqa: BLE001  a patch may break in any way
        return Answer((), 0, tuple(cache.probes), f"{type(error).__name__}: {error}")
    return Answer(lists, length, tuple(cache.probes))


@lru_cache(maxsize=1024)
def spec(block_size: int, window_tokens: int) -> Any:
    """Upstream's description of a layer with a sliding window; sizes in tokens."""
    return import_module("vllm.v1.kv_cache_interface").SlidingWindowSpec(
        block_size=block_size,
        num_kv_heads=1,
        head_size=1,
        dtype=import_module("torch").float32,
        sliding_window=window_tokens,
    )
