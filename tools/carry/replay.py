"""Commits onto a new base by git's own three-way rebase, and what became of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from carry import git
from carry.errors import UserError


@dataclass(frozen=True)
class Conflict:
    """Where a replay stopped: the commit that does not fit, and the files in conflict."""

    commit: str
    paths: tuple[str, ...]


@dataclass(frozen=True)
class Fate:
    """What became of one commit: the new one, and how many of its changed lines are left.

    `new` is None where nothing is left: upstream has the whole of it.
    """

    old: str
    new: str | None
    lines_before: int
    lines_after: int

    @property
    def landed(self) -> bool:
        """Whether upstream has all of it."""
        return self.new is None

    @property
    def partly_landed(self) -> bool:
        """Whether upstream has some of it."""
        return not self.landed and self.lines_after < self.lines_before


def start(worktree: Path, old_base: str, new_base: str, author: tuple[str, str]) -> Conflict | None:
    """Move what is checked out from one base to another.

    A commit that upstream has already becomes an empty one; none is dropped.
    """
    words = ("rebase", "--merge", "--empty=keep", "--keep-empty", "--reapply-cherry-picks",
             "--no-fork-point", "--no-autostash", "--no-autosquash", "--no-update-refs",
             "--committer-date-is-author-date", "--onto", new_base, old_base)  # fmt: skip
    return _run(worktree, words, author)


def go_on(worktree: Path, author: tuple[str, str]) -> Conflict | None:
    """Go on after a conflict that was resolved in the worktree's files.

    Raises:
        UserError: A file still has conflict markers.
    """
    left = [path for path in git.unmerged(worktree) if _has_markers(worktree / path)]
    if left:
        raise UserError(
            f"{left[0]} still has conflict markers",
            hint=f"edit it in {worktree}, then run the same again",
        )
    git.run(worktree, "add", "--all")
    return _run(worktree, ("rebase", "--continue"), author)


def without_empty(worktree: Path, base: str, author: tuple[str, str]) -> None:
    """Take the commits that change nothing out."""
    _run(worktree, ("rebase", "--merge", "--no-keep-empty", "--reapply-cherry-picks",
                    "--committer-date-is-author-date", "--force-rebase", base), author)  # fmt: skip


def autosquash(worktree: Path, base: str, author: tuple[str, str]) -> Conflict | None:
    """Put the commits that amend others, `fixup!` and `amend!`, into those."""
    words = ("rebase", "--interactive", "--autosquash", "--empty=keep", "--no-autostash",
             "--no-update-refs", "--committer-date-is-author-date", base)  # fmt: skip
    return _run(worktree, words, author)


def under_way(worktree: Path) -> bool:
    """Whether a replay is stopped in this worktree."""
    return git.git_path(worktree, "rebase-merge").exists()


def _run(worktree: Path, words: Sequence[str], author: tuple[str, str]) -> Conflict | None:
    env = {"GIT_COMMITTER_NAME": author[0], "GIT_COMMITTER_EMAIL": author[1]}
    try:
        git.run(worktree, *words, env=env)
    except git.GitError:
        stopped_at = git.resolve(worktree, "REBASE_HEAD")
        paths = git.unmerged(worktree)
        if not stopped_at or not paths:
            raise
        return Conflict(stopped_at, tuple(paths))
    return None


def _has_markers(file: Path) -> bool:
    if not file.is_file():
        return False
    lines = file.read_bytes().splitlines()
    return any(line.startswith((b"<<<<<<< ", b">>>>>>> ")) for line in lines)


def fates(store: Path, old: Sequence[str], new: Sequence[str]) -> list[Fate]:
    """What became of each old commit; both lists are in order.

    A new commit belongs to the next old one with its subject and author date. A commit
    that git left out, since a resolution left nothing of it, counts as landed.
    """
    found, rest = [], list(new)
    for commit in old:
        same = next(
            (other for other in rest if _label(store, other) == _label(store, commit)), None
        )
        if same is not None:
            rest = rest[rest.index(same) + 1 :]
        lines = _changed_lines(store, same) if same else 0
        left = same if lines else None
        found.append(Fate(commit, left, _changed_lines(store, commit), lines))
    return found


def _label(store: Path, commit: str) -> str:
    return git.run(store, "log", "-1", "--format=%at %s", commit)


def _changed_lines(store: Path, commit: str) -> int:
    counts = git.run(
        store, "diff-tree", "-r", "--no-commit-id", "--numstat", "--no-renames", commit
    )
    columns = (line.split("\t")[:2] for line in counts.splitlines())
    return sum(1 if number == "-" else int(number) for pair in columns for number in pair)
