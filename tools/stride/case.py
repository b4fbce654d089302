"""One input of the search, without a pool: what is cached, and what is asked."""

from __future__ import annotations

from math import gcd

import msgspec


class Case(msgspec.Struct, frozen=True):
    """A query against a cache of which every block is known to be there or not.

    Attributes:
        masks: One string per group, one character per block of the prompt: "1" is cached.
            All have the same length, at least `blocks`.
        block_size: Tokens in a block.
        window_tokens: Tokens in the sliding window, at least 1.
        alignment_tokens: What the length of a hit must be a multiple of, in tokens.
        max_length: The longest hit asked for, in tokens; need not be a multiple of anything.
        eagle: Whether the last block of the hit is dropped.
        hash_block_size: Tokens in a hash; divides `block_size`.
    """

    masks: tuple[str, ...]
    block_size: int
    window_tokens: int
    alignment_tokens: int
    max_length: int
    hash_block_size: int
    eagle: bool = False

    @property
    def blocks(self) -> int:
        """How many blocks the hit may have: N."""
        return self.max_length // self.block_size

    @property
    def needed(self) -> int:
        """Contiguous blocks that make a hit, the one EAGLE drops among them; may be 0."""
        return -(-(self.window_tokens - 1) // self.block_size) + self.eagle

    @property
    def window(self) -> int:
        """Blocks that are looked at before a hit can be claimed: W, at least 1."""
        return max(1, self.needed)

    @property
    def every_end_is_aligned(self) -> bool:
        """Whether a hit may end at any block."""
        return self.block_size % self.alignment_tokens == 0

    @property
    def alignment_blocks(self) -> int:
        """The distance between two aligned ends, in blocks."""
        return self.alignment_tokens // gcd(self.block_size, self.alignment_tokens)

    @property
    def nothing_is_cached(self) -> bool:
        """Whether no block that may be looked at is cached in every group."""
        return not any(self.is_cached(index) for index in range(self.blocks))

    def is_cached(self, index: int) -> bool:
        """Whether a block is cached in every group."""
        return all(mask[index] == "1" for mask in self.masks)


def one_group(
    mask: str, *, block_size: int, window: int, alignment_tokens: int, eagle: bool = False
) -> Case:
    """The plain case: one group, the whole prompt is asked for, a hash per block.

    Args:
        mask: What is cached.
        block_size: Tokens in a block.
        window: Contiguous blocks that make a hit, without the one for EAGLE.
        alignment_tokens: What the length of a hit must be a multiple of, in tokens.
        eagle: Whether the last block of the hit is dropped.
    """
    return Case(
        masks=(mask,),
        block_size=block_size,
        window_tokens=1 + window * block_size,
        alignment_tokens=alignment_tokens,
        max_length=len(mask) * block_size,
        hash_block_size=block_size,
        eagle=eagle,
    )
