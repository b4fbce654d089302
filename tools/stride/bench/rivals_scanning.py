"""Rivals that scan from right to left as upstream does, and try to stop or skip."""

from __future__ import annotations

from typing import Any

from stride.bench.rival import Found, LookUp, Rival
from stride.oracle import Side


class Skip(Rival):
    """#35006: as upstream, but a miss after a run of c hits skips W - c blocks. It is wrong."""

    def search(  # noqa: D102  the base class says it
        self,
        hashes: Any,
        blocks: int,
        window: int,
        drop: int,
        step: int,
        look_up: LookUp,
        groups: list[int],
    ) -> Found:
        cached = {}
        index, run = blocks - 1, 0
        while index >= 0:
            if block := look_up(hashes[index], groups):
                if run or (index + 1 - drop) % step == 0:
                    cached[index] = block
                    run += 1
                    if run == window:
                        return index, index + run, cached
                index -= 1
            else:
                index -= window - run
                run = 0
        return 0, run, cached


class EmptyGuard:
    """#54382: upstream's search, unless nothing at all is cached."""

    def __init__(self, side: Side) -> None:
        self._upstream = side.search

    def find_longest_cache_hit(
        self,
        block_hashes: Any,
        max_length: int,
        kv_cache_group_ids: list[int],
        block_pool: Any,
        kv_cache_spec: Any,
        drop_eagle_block: bool,
        alignment_tokens: int,
    ) -> tuple[tuple[list[Any], ...], int]:
        """The longest hit: one list of blocks per group, and its length in tokens."""
        if not len(block_pool.cached_block_hash_to_block):
            return tuple([] for _ in kv_cache_group_ids), 0
        found: tuple[tuple[list[Any], ...], int] = self._upstream(
            block_hashes,
            max_length,
            kv_cache_group_ids,
            block_pool,
            kv_cache_spec,
            drop_eagle_block,
            alignment_tokens,
        )
        return found
