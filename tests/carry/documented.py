"""The commands that the documents show, as a reader would copy them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    *sorted(f"docs/{f.name}" for f in ROOT.glob("docs/*.md")),
)

_PROGRAMS = ("nox", "carry", "git", "python3", "stride", ".nox/tools/bin/carry")
_FENCE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`([^`\n]+(?:\n[^`\n]+)?)`")


@dataclass(frozen=True)
class Command:
    """One command, its words as they are shown."""

    document: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.document}: {' '.join(self.words)}"


def commands() -> list[Command]:
    """Every command of every document, once."""
    found = [
        Command(name, words)
        for name in DOCUMENTS
        for words in _of(ROOT.joinpath(name).read_text("utf-8"))
    ]
    return list(dict.fromkeys(found))


def _of(text: str) -> Iterator[tuple[str, ...]]:
    for block in _FENCE.findall(text):
        for line in block.splitlines():
            if line.startswith("$ "):
                yield from _split(line[2:])
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    for line in prose.split("\n\n") if "|---" not in prose else prose.splitlines():
        yield from _in_prose(line)


def _in_prose(text: str) -> Iterator[tuple[str, ...]]:
    """A command, then what is said of its further arguments: `nox -s rebase`; `-- --onto 1.0`."""
    before: tuple[str, ...] = ()
    for code in _CODE.findall(text):
        code = " ".join(code.split())
        if code.split()[0] in _PROGRAMS and len(code.split()) > 1:
            for words in _split(code):
                before = words
                yield words
        elif code.startswith("--") and before[:2] == ("nox", "-s"):
            arguments = code.removeprefix("-- ").split()
            bare = before[: before.index("--")] if "--" in before else before
            yield (*bare, "--", *arguments)


def _split(line: str) -> Iterator[tuple[str, ...]]:
    """The commands of a line: `one && two  # why`."""
    words = shlex.split(line, comments=True)
    start = 0
    for place, word in enumerate([*words, "&&"]):
        if word == "&&":
            if words[start:place]:
                yield tuple(words[start:place])
            start = place + 1
