"""What the model says of a case, and what the Python function says, in one form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from stride.case import Case
from stride.search import Answer

#: The two searches: upstream's, in the base tree, and the patch's, in the patched one.
SIDES = ("upstream", "patched")


@dataclass(frozen=True)
class Said:
    """One search's answer to a case.

    Attributes:
        nulls: How many null blocks the lists begin with; the blocks after them are in place.
        length: How many blocks the hit has.
        probes: The blocks looked up, in order.
    """

    nulls: int
    length: int
    probes: tuple[int, ...]

    def __str__(self) -> str:
        blocks = f"{self.length} blocks, {self.nulls} of them null"
        return f"{blocks}, lookups {', '.join(map(str, self.probes)) or 'none'}"


def by_model(numbers: list[int]) -> Said:
    """Read what the model's `run` gives: start, end, length, probes."""
    start, _, length, *probes = numbers
    return Said(min(start, length), length, tuple(probes))


def by_python(case: Case, answer: Answer, null: Any) -> Said | str:
    """Read what the function gives; in words, if it is no answer that the model could give."""
    if answer.error:
        return f"raises {answer.error}"
    lengths = {len(blocks) for blocks in answer.lists}
    if len(lengths) != 1 or lengths.pop() * case.block_size != answer.length:
        return f"lists of {[len(blocks) for blocks in answer.lists]} blocks, {answer.length} tokens"
    nulls = {tuple(_nulls(blocks, null)) for blocks in answer.lists}
    places = nulls.pop()
    if nulls or places != tuple(range(len(places))):
        return "null blocks elsewhere than at the left"
    return Said(len(places), answer.length // case.block_size, answer.probes)


def _nulls(blocks: list[Any], null: Any) -> Iterator[int]:
    return (index for index, block in enumerate(blocks) if block is null)
