"""The caches that upstream's KV cache manager searches in the course of random lives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from stride.case import Case
from stride.hybrid import Model
from stride.lockstep import Lockstep
from stride.oracle import MANAGER_CLASS, SEARCH, Oracle, Side


def record(oracle: Oracle, model: Model, *, lives: int, steps: int) -> list[Case]:
    """Every search that a manager makes, as the case that it is at that moment."""
    cases: list[Case] = []
    with _recorder(oracle.patched, cases):
        for seed in range(lives):
            Lockstep(oracle, model, seed).run(steps)
    return cases


@contextmanager
def _recorder(side: Side, cases: list[Case]) -> Iterator[None]:
    manager = getattr(side.module, MANAGER_CLASS)
    own = manager.__dict__[SEARCH]

    def search(**given: Any) -> Any:
        cases.append(_case(**given))
        return side.search(**given)

    setattr(manager, SEARCH, staticmethod(search))
    try:
        yield
    finally:
        setattr(manager, SEARCH, own)


def _case(
    *,
    block_hashes: Any,
    max_length: int,
    kv_cache_group_ids: list[int],
    block_pool: Any,
    kv_cache_spec: Any,
    drop_eagle_block: bool,
    alignment_tokens: int,
    **_: Any,
) -> Case:
    """What is cached now, block by block; a hash per block, as finer ones change no answer."""
    block_size = kv_cache_spec.block_size
    hashes = import_module("vllm.v1.core.kv_cache_utils").resolve_block_hashes(
        block_hashes, block_pool.hash_block_size, block_size
    )

    def mask(group: int) -> str:
        found = (
            block_pool.get_cached_block(hashes[index], [group])
            for index in range(max_length // block_size)
        )
        return "".join("1" if block else "0" for block in found)

    return Case(
        masks=tuple(map(mask, kv_cache_group_ids)),
        block_size=block_size,
        window_tokens=kv_cache_spec.sliding_window,
        alignment_tokens=alignment_tokens,
        max_length=max_length,
        hash_block_size=block_size,
        eagle=drop_eagle_block,
    )
