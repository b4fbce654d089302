"""What every search is wrapped in, so that only the search itself differs in a comparison."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib import import_module
from math import gcd
from typing import Any

from stride.oracle import MANAGER_CLASS, Side

#: Looks one block up, by its hash and the groups that must have it.
LookUp = Callable[[Any, list[int]], Any]
#: A window's start and end, and the blocks that are cached, by index.
Found = tuple[int, int, dict[int, Any]]


class Rival(ABC):
    """A search in the place of `find_longest_cache_hit`.

    What precedes and follows the search is the same for all rivals, and as lean as the patch
    has it, or the rivals would seem slower than they are.
    """

    def __init__(self, side: Side) -> None:
        manager = getattr(side.module, MANAGER_CLASS)
        self._needed = manager._contiguous_blocks_for_hit  # no public name
        self._fine_hashes = manager.supports_fine_grained_hash_lookup
        self._resolve = import_module("vllm.v1.core.kv_cache_utils").resolve_block_hashes

    @abstractmethod
    def search(
        self,
        hashes: Any,
        blocks: int,
        window: int,
        drop: int,
        step: int,
        look_up: LookUp,
        groups: list[int],
    ) -> Found:
        """Find the rightmost window.

        Args:
            hashes: The prompt's hashes, one per block.
            blocks: The most blocks that a hit may have.
            window: Contiguous blocks that make a hit, at least 1.
            drop: 1 if the last block is dropped afterwards, as EAGLE wants it, else 0.
            step: The distance between two aligned ends, in blocks.
            look_up: The pool's lookup of one block.
            groups: The groups that must all have a block.

        Returns:
            Start and end of the hit's window, in blocks, and what was found cached, by
            index; all of the window is in it.
        """

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
        block_size = kv_cache_spec.block_size
        hashes = self._resolve(
            block_hashes,
            block_pool.hash_block_size,
            block_size,
            supports_fine_grained_hash_lookup=self._fine_hashes,
            alignment_tokens=alignment_tokens,
        )
        window = self._needed(kv_cache_spec.sliding_window, block_size, drop_eagle_block) or 1
        start, end, cached = self.search(
            hashes,
            max_length // block_size,
            window,
            1 if drop_eagle_block else 0,
            alignment_tokens // gcd(block_size, alignment_tokens),
            block_pool.get_cached_block,
            kv_cache_group_ids,
        )
        found = tuple([[block_pool.null_block] * start for _ in kv_cache_group_ids])
        for group, blocks in enumerate(found):
            blocks += [cached[index][group] for index in range(start, end)]
        if block_size != alignment_tokens and end < window:
            _align(found, block_size, alignment_tokens)
        if drop_eagle_block and found[0]:
            _drop_last(found)
            _align(found, block_size, alignment_tokens)
        return found, len(found[0]) * block_size


def _align(found: tuple[list[Any], ...], block_size: int, alignment_tokens: int) -> None:
    while len(found[0]) * block_size % alignment_tokens:
        _drop_last(found)


def _drop_last(found: tuple[list[Any], ...]) -> None:
    for blocks in found:
        blocks.pop()
