"""Two texts beside each other: which lines are the same, and which stand for which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

#: Lines that stay visible beside a change when more than twice as many are the same.
CONTEXT = 8
#: Fewer lines than this between two changes, brackets and blanks not counted, are no landmark.
_LANDMARK = 2


class Kind(StrEnum):
    """What a hunk is; a folded one is the same on both sides and far from any change."""

    SAME = "same"
    CHANGED = "changed"
    FOLDED = "folded"


@dataclass(frozen=True)
class Line:
    """One line and its number in its file."""

    number: int
    text: str

    @property
    def indent(self) -> int:
        """How far it is moved to the right."""
        return len(self.text) - len(self.text.lstrip(" "))


@dataclass(frozen=True)
class Hunk:
    """Lines that belong together."""

    kind: Kind
    old: tuple[Line, ...]
    new: tuple[Line, ...]


def hunks(old: Sequence[Line], new: Sequence[Line]) -> tuple[Hunk, ...]:
    """Both texts from top to bottom, changes and what stays in turn."""
    matcher = SequenceMatcher(None, _texts(old), _texts(new), autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if _is_landmark(old, new, block)]
    found: list[Hunk] = []
    i = j = 0
    for a, b, size in blocks:
        if i < a or j < b:
            found.append(Hunk(Kind.CHANGED, tuple(old[i:a]), tuple(new[j:b])))
        i, j = a + size, b + size
        if size:
            found += _same(tuple(old[a:i]), tuple(new[b:j]), top=a == 0, end=i == len(old))
    return tuple(found)


def numbered(text: str, first: int) -> tuple[Line, ...]:
    """A text's lines, counted from `first`."""
    return tuple(Line(first + count, line) for count, line in enumerate(text.splitlines()))


def _texts(lines: Sequence[Line]) -> list[str]:
    return [line.text for line in lines]


def _is_landmark(old: Sequence[Line], new: Sequence[Line], block: tuple[int, int, int]) -> bool:
    """Whether a reader finds the way by these lines, so that a change ends there."""
    a, b, size = block
    if a + size == len(old) or b + size == len(new) or a == 0 or b == 0:
        return True
    return sum(any(map(str.isalnum, text)) for text in _texts(old[a : a + size])) >= _LANDMARK


def _same(old: tuple[Line, ...], new: tuple[Line, ...], *, top: bool, end: bool) -> Iterator[Hunk]:
    """Equal lines; all but those next to a change are folded where they are many."""
    head = 0 if top else CONTEXT
    tail = len(old) - (0 if end else CONTEXT)
    if tail - head <= CONTEXT:
        yield Hunk(Kind.SAME, old, new)
        return
    for kind, part in (
        (Kind.SAME, slice(0, head)), (Kind.FOLDED, slice(head, tail)),
        (Kind.SAME, slice(tail, None)),
    ):  # fmt: skip
        if old[part]:
            yield Hunk(kind, old[part], new[part])
