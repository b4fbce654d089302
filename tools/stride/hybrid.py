"""Upstream's real KV cache manager, with the sliding-window search of one side in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib import import_module
from math import gcd, lcm
from typing import Any

from stride.cache import StandInPool
from stride.oracle import Side

#: How upstream was told the retention interval before it was part of the configuration.
_RETENTION_VARIABLE = "VLLM_PREFIX_CACHE_RETENTION_INTERVAL"
_RETENTION_FIELD = "prefix_cache_retention_interval"


@dataclass(frozen=True)
class Layers:
    """Layers that share a KV cache group; sizes in tokens, no window is full attention."""

    block_size: int
    window_tokens: int | None = None
    drafts: bool = False


@dataclass(frozen=True)
class Model:
    """A model as the KV cache manager sees it.

    Attributes:
        groups: One entry per KV cache group.
        retention_interval: Tokens between the states kept for reuse: 0 keeps the last only,
            None all.
        pool_blocks: Blocks in the pool.
        eagle: Whether the last block of a hit is dropped in the groups that draft.
    """

    groups: tuple[Layers, ...]
    retention_interval: int | None
    pool_blocks: int
    eagle: bool = False

    @property
    def hash_block_size(self) -> int:
        """Tokens in a hash."""
        return gcd(*(group.block_size for group in self.groups))

    @property
    def scheduler_block_size(self) -> int:
        """What hits are aligned with, in tokens."""
        return lcm(*(group.block_size for group in self.groups))


@dataclass(frozen=True)
class Call:
    """One sliding-window search that the manager made; lengths in tokens."""

    max_length: int
    hit: int
    nulls: int
    lookups: int


def manager(side: Side, model: Model) -> Any:
    """A KV cache manager over a pool of its own."""
    interface = import_module("vllm.v1.kv_cache_interface")
    groups = [
        interface.KVCacheGroupSpec([f"layer {index}"], _spec(side, group), group.drafts)
        for index, group in enumerate(model.groups)
    ]
    settings: dict[str, Any] = {"kv_cache_tensors": [], "kv_cache_groups": groups}
    if _RETENTION_FIELD in {field.name for field in fields(interface.KVCacheConfig)}:
        settings[_RETENTION_FIELD] = model.retention_interval
    with _retention_variable(model.retention_interval):
        return import_module("vllm.v1.core.kv_cache_manager").KVCacheManager(
            interface.KVCacheConfig(num_blocks=model.pool_blocks, **settings),
            max_model_len=1 << 16,
            scheduler_block_size=model.scheduler_block_size,
            hash_block_size=model.hash_block_size,
            enable_caching=True,
            use_eagle=model.eagle,
        )


@contextmanager
def _retention_variable(interval: int | None) -> Iterator[None]:
    if interval is not None:
        os.environ[_RETENTION_VARIABLE] = str(interval)
    try:
        yield
    finally:
        os.environ.pop(_RETENTION_VARIABLE, None)


def _spec(side: Side, layers: Layers) -> Any:
    interface = import_module("vllm.v1.kv_cache_interface")
    sizes = {"num_kv_heads": 1, "head_size": 1, "dtype": import_module("torch").float32}
    if layers.window_tokens is None:
        return interface.FullAttentionSpec(block_size=layers.block_size, **sizes)
    kind, _ = recorded(side)
    return kind(block_size=layers.block_size, sliding_window=layers.window_tokens, **sizes)


@lru_cache(maxsize=8)
def recorded(side: Side) -> tuple[Any, Any]:
    """A spec of a kind of its own, registered with this side's manager class.

    That is how upstream lets others bring a manager. The class adds nothing but a log of
    its searches, `calls`, and gives them no more of the pool than a stand-in has.
    """
    upstream_spec: Any = import_module("vllm.v1.kv_cache_interface").SlidingWindowSpec
    registry = import_module("vllm.v1.kv_cache_spec_registry").KVCacheSpecRegistry
    side_manager: Any = side.module.SlidingWindowManager

    class RecordedSpec(upstream_spec):  # type: ignore[misc]
        pass

    class RecordedManager(side_manager):  # type: ignore[misc]
        calls: list[Call] = []  # noqa: RUF012  one log per side

        @classmethod
        def find_longest_cache_hit(cls, *, block_pool: Any, **given: Any) -> Any:
            probes: list[Any] = []

            def lookup(block_hash: Any, group_ids: list[int]) -> Any:
                probes.append(block_hash)
                return block_pool.get_cached_block(block_hash, group_ids)

            null = block_pool.null_block
            pool = StandInPool(lookup, null, block_pool.hash_block_size)
            blocks, hit = super().find_longest_cache_hit(block_pool=pool, **given)
            nulls = sum(block is null for block in blocks[0])
            RecordedManager.calls.append(Call(given["max_length"], hit, nulls, len(probes)))
            return blocks, hit

    # The first question makes the registry take in upstream's own kinds.
    registry.get_manager_class(_spec(side, Layers(block_size=1)))
    registry.register(RecordedSpec, RecordedManager, upstream_spec)
    return RecordedSpec, RecordedManager
