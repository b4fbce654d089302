"""Where cases come from: all small ones, random ones, and the tables of the first proposal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import lcm
from random import Random

from stride.case import Case

#: Tokens in a block of the exhaustive cases.
BLOCK_TOKENS = 4
#: Equal to the block, finer (2, and 3 that does not divide it), multiples (8, 12), neither (6, 10).
ALIGNMENTS = (4, 2, 3, 8, 12, 6, 10)
#: Windows longer than the prompt are tried up to so many blocks more.
WINDOWS_BEYOND = 2

_DENSITIES = (0.0, 0.05, 0.2, 0.5, 0.9, 0.99, 1.0)


def exhaustive(blocks: int, groups: int, alignments: tuple[int, ...]) -> Iterator[Case]:
    """Every mask of so many blocks, every window, each alignment, EAGLE on and off.

    The longest hit asked for is a multiple of the block for some lengths only.

    Args:
        blocks: Blocks in the prompt.
        groups: Groups looked up together.
        alignments: In tokens.
    """
    masks = ["".join(bits) for bits in product("01", repeat=blocks)]
    windows = [1 + blocks_ * BLOCK_TOKENS for blocks_ in range(blocks + WINDOWS_BEYOND + 1)]
    rest = list(product(windows, alignments, (False, True)))
    max_length = blocks * BLOCK_TOKENS + blocks % BLOCK_TOKENS
    for chosen in product(masks, repeat=groups):
        for window, alignment, eagle in rest:
            yield Case(chosen, BLOCK_TOKENS, window, alignment, max_length, BLOCK_TOKENS, eagle)


def exhaustive_size(blocks: int, groups: int, alignments: tuple[int, ...]) -> int:
    """How many cases `exhaustive` gives."""
    windows = blocks + WINDOWS_BEYOND + 1
    return (1 << blocks * groups) * windows * len(alignments) * 2


def random_cases(seed: int, count: int, most_blocks: int, alignments: bool) -> Iterator[Case]:
    """Prompts of all lengths, with blocks cached one by one or in runs.

    Args:
        seed: The same seed gives the same cases.
        count: How many.
        most_blocks: The longest prompt, in blocks.
        alignments: Whether to draw alignments that are no multiple of the block.
    """
    random = Random(seed)  # noqa: S311  no secret is made of it
    for _ in range(count):
        yield _random_case(random, most_blocks, alignments)


def _random_case(random: Random, most_blocks: int, alignments: bool) -> Case:
    length = int(most_blocks ** random.random())
    hash_block_size = random.choice((1, 2, 16))
    block_size = hash_block_size * random.choice((1, 1, 2, 4))
    alignment = block_size * random.choice((1, 1, 1, 2, 3, 8))
    if alignments and random.random() < 0.3:
        alignment = random.choice((hash_block_size, 3, lcm(block_size, 6), block_size + 1))
    cut = random.choice((0, 0, 1, random.randrange(length * block_size)))
    return Case(
        masks=tuple(_random_mask(random, length) for _ in range(random.choice((1, 1, 2, 3)))),
        block_size=block_size,
        window_tokens=1 + int((length * block_size * 1.2) ** random.random()),
        alignment_tokens=alignment,
        max_length=length * block_size - cut,
        hash_block_size=hash_block_size,
        eagle=random.random() < 0.4,
    )


def _random_mask(random: Random, length: int) -> str:
    if random.random() < 0.4:
        density = random.choice(_DENSITIES)
        return "".join("1" if random.random() < density else "0" for _ in range(length))
    mask, cached = "", random.random() < 0.5
    while len(mask) < length:
        run = 1 + int(length ** random.random())
        mask += ("1" if cached else "0") * run
        cached = not cached
    return mask[:length]
