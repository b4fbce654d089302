"""Upstream's functions that the series touches, each beside what becomes of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from carry import fingerprints, git
from carry.fingerprints import Located
from carry.manifest import PatchEntry
from carry.review.beside import Hunk, Line, hunks, numbered


@dataclass(frozen=True)
class Function:
    """A touched function; no hunk has a new side if the series takes it out."""

    path: str
    name: str
    hunks: tuple[Hunk, ...]

    @property
    def old_lines(self) -> int:
        """How long upstream's is."""
        return sum(len(hunk.old) for hunk in self.hunks)

    @property
    def new_lines(self) -> int:
        """How long it is with the series."""
        return sum(len(hunk.new) for hunk in self.hunks)


def functions(
    store: Path, entries: Iterable[PatchEntry], base: str, tip: str
) -> tuple[Function, ...]:
    """The functions that the manifest's entries name, each once.

    Args:
        store: The submodule's repository.
        entries: The manifest's entries.
        base: The commit below the series.
        tip: The series' last commit.
    """
    keys = dict.fromkeys(key for entry in entries for key in entry.functions)
    return tuple(_function(store, key, base, tip) for key in keys)


def _function(store: Path, key: str, base: str, tip: str) -> Function:
    path, name = key.split("::", 1)
    old, new = (_lines(store, commit, path, name) for commit in (base, tip))
    return Function(path, name, hunks(old, new))


def _lines(store: Path, commit: str, path: str, name: str) -> tuple[Line, ...]:
    """A function's lines, moved to the left as far as they go."""
    source = git.show(store, f"{commit}:{path}") or ""
    found = fingerprints.located(source).get(name, Located(1, ""))
    return numbered(dedent(found.text), found.line)
