"""What hooks changed, put into the patches whose lines it is."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from carry import git, replay
from carry.errors import UserError


@dataclass(frozen=True)
class Change:
    """Lines `start` to `stop` of a file become others; `owner` is a commit of the series.

    Without an owner the lines are upstream's own.
    """

    path: str
    start: int
    stop: int
    lines: tuple[bytes, ...]
    owner: str | None

    @property
    def place(self) -> str:
        """Where it is, for people."""
        return f"{self.path}:{self.start + 1}"


def changes(worktree: Path, commits: Sequence[str], tree: str) -> list[Change]:
    """What it takes from the series' last commit to a tree, each change with its owner.

    Args:
        worktree: A working tree of the series.
        commits: The series' commits in order.
        tree: What the hooks left.
    """
    tip = commits[-1]
    return [
        change
        for path in git.changed_paths(worktree, tip, tree)
        for change in _in_file(worktree, commits, tree, path)
    ]


def _in_file(worktree: Path, commits: Sequence[str], tree: str, path: str) -> Iterator[Change]:
    before, after = (_lines(worktree, f"{each}:{path}") for each in (commits[-1], tree))
    if before is None or after is None:
        # A file that comes or goes as a whole has no lines to tell its owner by.
        yield Change(path, 0, 0, (), None)
        return
    owners = _owners(worktree, commits, path)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for kind, start, stop, first, last in matcher.get_opcodes():
        if kind != "equal":
            # A pure insertion belongs to the lines on both sides of it.
            beside = range(start, stop) if stop > start else range(start - 1, start + 1)
            of = [number for line in beside if (number := owners.get(line)) is not None]
            owner = commits[max(of)] if of else None
            yield Change(path, start, stop, tuple(after[first:last]), owner)


def _lines(worktree: Path, spec: str) -> list[bytes] | None:
    try:
        return io.BytesIO(git.blob(worktree, spec)).readlines()
    except git.GitError:
        return None


def _owners(worktree: Path, commits: Sequence[str], path: str) -> dict[int, int]:
    """Which commit of the series each line is from; upstream's lines are left out."""
    numbers = {commit: number for number, commit in enumerate(commits)}
    words = ("--porcelain", f"{commits[0]}^..{commits[-1]}", "--", path)
    heads = re.findall(r"^([0-9a-f]{40}) \d+ (\d+)", git.run(worktree, "blame", *words), re.M)
    return {int(line) - 1: numbers[commit] for commit, line in heads if commit in numbers}


def rewrite(
    worktree: Path,
    commits: Sequence[str],
    found: Sequence[Change],
    messages: Mapping[str, str],
    author: tuple[str, str],
) -> str:
    """Amend the series' commits, and return the last of the new ones.

    Args:
        worktree: A throwaway working tree of the series.
        commits: The series' commits in order.
        found: The changes; those without an owner are left out.
        messages: New messages by commit.
        author: The committer.

    Raises:
        UserError: A change does not go into its commit.
    """
    git.run(worktree, "reset", "--quiet", "--hard", commits[-1])
    made: list[Change] = []
    for commit in commits:
        mine = [change for change in found if change.owner == commit]
        made += mine
        for path in {change.path for change in mine}:
            _write(worktree, commits[-1], path, [each for each in made if each.path == path])
        if mine:
            git.run(worktree, "commit", "--quiet", "--all", "-m", f"fixup! {commit}")
        if commit in messages:
            text = f"amend! {commit}\n\n{messages[commit]}"
            git.run(worktree, "commit", "--quiet", "--allow-empty", "-m", text)
    wanted = git.tree_of(worktree, "HEAD")
    conflict = replay.autosquash(worktree, f"{commits[0]}^", author)
    if conflict or git.tree_of(worktree, "HEAD") != wanted:
        raise UserError(
            "the hooks' changes do not go into the patches one by one",
            hint="make them by hand: edit and commit in the submodule, then carry export",
        )
    return git.run(worktree, "rev-parse", "HEAD")


def _write(worktree: Path, tip: str, path: str, made: Sequence[Change]) -> None:
    """Write a file of the series' last commit with some changes made."""
    lines = _lines(worktree, f"{tip}:{path}") or []
    for change in sorted(made, key=lambda each: each.start, reverse=True):
        lines[change.start : change.stop] = change.lines
    (worktree / path).write_bytes(b"".join(lines))
