"""Copies of the Lean project with one change each, to be checked in one run of Lean.

A copy is a namespace of its own. It repeats the changed declaration and all that name it after
that; for the rest it uses the project's own.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from stride.proof.lean_project import Module

_HEADER = re.compile(r"^(module|public import .*|(@\[expose\] )?public section)$", re.MULTILINE)
_SECTION_TEXT = re.compile(r"^/-!.*?-/$", re.MULTILINE | re.DOTALL)
_NAME = re.compile(r"^(?:def|theorem|structure) (\S+)", re.MULTILINE)
_SCOPE = re.compile(r"^(namespace|end|variable|section)\b")


@dataclass(frozen=True)
class Mutant:
    """One change.

    Attributes:
        declaration: What it is made in.
        old: Text that is there just once.
        new: What stands there instead. By default nothing is changed, for comparison.
        whole: Repeat the whole project; needed for what is named through a value, as in `q.step`.
    """

    declaration: str
    old: str = ""
    new: str = ""
    whole: bool = False

    def __str__(self) -> str:
        return f"{self.declaration}: {self.old} -> {self.new or 'nothing'}"


@dataclass(frozen=True)
class Text:
    """The project and the copies in one file.

    Attributes:
        text: The file.
        first_lines: The line that each copy begins at.
    """

    text: str
    first_lines: list[int]

    def copy_at(self, line: int) -> int:
        """Which copy a line belongs to; -1 for the project itself."""
        return bisect_right(self.first_lines, line) - 1


def combine(project: list[Module], mutants: list[Mutant]) -> Text:
    """Put the project and a copy for every mutant into one file."""
    declarations = blocks(project)
    text = "\n\n".join(declarations) + "\n"
    first_lines = []
    for number, mutant in enumerate(mutants):
        first_lines.append(text.count("\n") + 1)
        text += f"\n{copy(declarations, mutant, f'Mutant{number}')}\n"
    return Text(text, first_lines)


def blocks(project: list[Module]) -> list[str]:
    """The declarations of the project in order, with the namespaces around them."""
    text = "\n\n".join(_SECTION_TEXT.sub("", _HEADER.sub("", one.text)) for one in project)
    return [block for block in re.split(r"\n{2,}", text.strip()) if "@[export" not in block]


def copy(declarations: list[str], mutant: Mutant, namespace: str) -> str:
    """The changed declaration and what depends on it.

    Raises:
        ValueError: The change does not fit the declaration.
    """
    changed: set[str] = set()
    kept = []
    for block in declarations:
        name = _name(block)
        if name == mutant.declaration:
            kept.append(_changed(block, mutant))
            changed.add(_last(name))
        elif mutant.whole or _SCOPE.match(block):
            kept.append(block)
        elif name and _names(block, changed):
            kept.append(block)
            changed.add(_last(name))
    if not changed:
        raise ValueError(f"there is no {mutant.declaration}")
    text = "\n\n".join(kept)
    return re.sub(
        r"^(namespace|end) PrefixCache$", rf"\1 PrefixCache.{namespace}", text, flags=re.M
    )


def _changed(block: str, mutant: Mutant) -> str:
    if not mutant.old:
        return block
    if block.count(mutant.old) != 1:
        raise ValueError(f"{mutant.declaration} has {block.count(mutant.old)} times {mutant.old!r}")
    return block.replace(mutant.old, mutant.new)


def _name(block: str) -> str:
    match = _NAME.search(block)
    return match[1] if match else ""


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _names(block: str, names: Iterable[str]) -> bool:
    return any(re.search(rf"\b{re.escape(name)}\b", block) for name in names)
