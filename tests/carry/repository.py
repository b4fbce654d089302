"""A carrying repository as its user handles it: the command line, git, and a look at the files."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from carry.__main__ import main

from .carrying import AUTHOR
from .small_upstream import edit, run_git


def carry(root: Path, *words: str) -> int:
    """Run a command in this process, and leave the environment as it was."""
    before = dict(os.environ)
    try:
        return main(["--root", str(root), *words])
    finally:
        os.environ.clear()
        os.environ.update(before)


@dataclass(frozen=True)
class Said:
    """What a command answered."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class State:
    """All that a user sees of the series: its files, its commits, the pin."""

    patches: tuple[tuple[str, str], ...]
    tip: str
    branch: str
    dirt: str
    pin: str


@dataclass(frozen=True)
class Place:
    """The folder of a carrying repository, and what can be seen in it."""

    root: Path

    @property
    def tree(self) -> Path:
        return self.root / "acme"

    def git(self, *words: str, who: tuple[str, str] = AUTHOR) -> str:
        return run_git(self.root, *words, who=who)

    def tree_git(self, *words: str, who: tuple[str, str] = AUTHOR) -> str:
        return run_git(self.tree, *words, who=who)

    def patches(self) -> dict[str, str]:
        folder = self.root / "patches"
        return {file.name: file.read_text() for file in sorted(folder.iterdir())}

    def log(self) -> list[str]:
        """The subjects of what is out in the submodule, newest first."""
        return self.tree_git("log", "--format=%s").splitlines()

    def pin(self) -> str:
        return self.git("ls-files", "--stage", "acme").split()[1]

    def state(self) -> State:
        return State(
            tuple(self.patches().items()),
            self.tree_git("rev-parse", "HEAD"),
            self.tree_git("symbolic-ref", "--short", "HEAD"),
            self.tree_git("status", "--porcelain"),
            self.pin(),
        )

    def worktrees(self) -> list[str]:
        """Throwaway working trees that are left."""
        folder = self.root / ".carry" / "worktrees"
        return sorted(entry.name for entry in folder.iterdir()) if folder.exists() else []

    def backups(self) -> list[str]:
        return self.tree_git("for-each-ref", "--format=%(refname)", "refs/carry/backup").split()


@dataclass(frozen=True)
class Repository(Place):
    """One carrying repository with its command line."""

    capture: pytest.CaptureFixture[str]

    def carry(self, *words: str) -> Said:
        """Run a command, and keep what it says."""
        self.capture.readouterr()
        code = carry(self.root, *words)
        return Said(code, *self.capture.readouterr())

    def done(self, *words: str) -> str:
        """Run a command that must succeed, and return what it printed."""
        said = self.carry(*words)
        assert said.code == 0, said
        assert said.err == ""
        return said.out

    def refused(self, *words: str) -> str:
        """Run a command that must end in one line for the user, and return the line."""
        said = self.carry(*words)
        assert said.code == 1, said
        assert said.err.count("\n") == 1, said.err
        return said.err.strip()

    def change(self, file: str, *changes: tuple[str, str]) -> None:
        edit(self.tree / file, *changes)

    def configure(self, text: str) -> None:
        """Add to pyproject.toml, and commit it."""
        file = self.root / "pyproject.toml"
        file.write_text(f"{file.read_text()}\n{text}")
        self.git("commit", "--quiet", "-m", "Configure", "--", "pyproject.toml")


MakeRepository = Callable[..., Repository]
