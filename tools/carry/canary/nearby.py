"""What upstream has changed in the series' files since its base."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from carry import git
from carry.canary.report import Commit, Nearby
from carry.config import Config
from carry.errors import UserError
from carry.sources import behind, fetch_branch, resolve


def find(config: Config, base: str, files: Sequence[str], source: str) -> Nearby:
    """Ask upstream's git repository; where it is out of reach that is said.

    Args:
        config: The configuration.
        base: The base that the series is made for, as the manifest names it.
        files: The files that the series changes.
        source: `pypi` does not ask git.
    """
    if source == "pypi":
        return Nearby(False, "the Python index, which was asked for alone, has no history")
    store = config.tree
    try:
        tip = fetch_branch(config, store)
        start = resolve(config, store, base, "git").commit
    except UserError as error:
        return Nearby(False, error.problem)
    since = behind(store, start, tip)
    if since is None:
        return Nearby(False, f"the history from {base} on is not whole here")
    return Nearby(True, "", since, _touching(store, start, tip, files))


def _touching(store: Path, base: str, tip: str, files: Sequence[str]) -> tuple[Commit, ...]:
    """The commits that change one of the files, newest first."""
    if not files:
        return ()
    lines = git.run(store, "log", "--format=%H%x09%as%x09%s", f"{base}..{tip}", "--", *files)
    fields = (line.split("\t", 2) for line in lines.splitlines())
    return tuple(
        Commit(commit[:9], date, subject, _of(store, commit, files))
        for commit, date, subject in fields
    )


def _of(store: Path, commit: str, files: Sequence[str]) -> tuple[str, ...]:
    names = git.run(store, "diff-tree", "-r", "-z", "--no-commit-id", "--name-only", "--no-renames",
                    commit, "--", *files)  # fmt: skip
    return tuple(name for name in names.split("\0") if name)
