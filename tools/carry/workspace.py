"""The submodule as a repository of its own, and the folder of everything derived."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from carry import git
from carry.config import Config
from carry.errors import UserError

#: Refs of ours in the submodule's repository; no git command of the user's touches them.
REFS = "refs/carry"


def ensure_submodule(config: Config) -> Path:
    """Make sure that the submodule is a repository, empty if need be, and return its tree.

    What git itself would make is made, `modules/<name>` in the git directory with the
    address of .gitmodules as `origin`, but nothing is fetched.

    Raises:
        UserError: The root is no git repository, or something else is in the way.
    """
    root, tree = config.root, config.tree
    if not git.is_repository(root):
        raise UserError(
            f"{root} is not the top of a git repository",
            hint="clone it with git; an archive of its files is not enough",
        )
    if git.gitlink(root, config.submodule) is None:
        raise UserError(
            f"git's index has no submodule {config.submodule}",
            hint=f"bring it back with: git restore --staged {config.submodule}",
        )
    git.shield_gitlink(root, config.submodule)
    if git.is_repository(tree):
        return tree
    store = git.git_path(root, f"modules/{config.submodule}")
    if tree.is_dir() and any(tree.iterdir()):
        raise UserError(
            f"{config.submodule}/ holds files but is no git repository",
            hint=f"move them away, then run again; git keeps its side in {store}",
        )
    tree.mkdir(parents=True, exist_ok=True)
    if not (store / "HEAD").exists():
        store.parent.mkdir(parents=True, exist_ok=True)
        git.run(root, "init", "--quiet", "--bare", "--initial-branch=main", str(store))
    git.run(store, "config", "core.bare", "false")
    git.run(store, "config", "core.worktree", os.path.relpath(tree, store))
    (tree / ".git").write_text(f"gitdir: {os.path.relpath(store, tree)}\n")
    git.run(root, "submodule", "--quiet", "init", "--", config.submodule)
    if not git.succeeds(tree, "config", "remote.origin.url"):
        git.run(tree, "remote", "add", "origin", upstream_url(config))
    return tree


def upstream_url(config: Config) -> str:
    """Upstream's address as .gitmodules has it.

    Raises:
        UserError: .gitmodules does not name the submodule.
    """
    key = f"submodule.{config.submodule}.url"
    try:
        return git.run(config.root, "config", "--file", ".gitmodules", key)
    except git.GitError as error:
        raise UserError(
            f".gitmodules has no {key}", hint="restore it with: git checkout -- .gitmodules"
        ) from error


@contextmanager
def locked(config: Config, doing: str) -> Iterator[None]:
    """Keep every other carry command of this repository out while the block runs.

    The lock is the system's: it ends with the process, however that ends.

    Raises:
        UserError: Another command holds it; names that command and its process.
    """
    config.state_dir.mkdir(exist_ok=True)
    holder = config.state_dir / "lock.holder"
    try:
        with FileLock(config.state_dir / "lock", timeout=0):
            holder.write_text(f"{doing}, process {os.getpid()}")
            try:
                yield
            finally:
                holder.unlink(missing_ok=True)
    except Timeout as error:
        other = holder.read_text() if holder.exists() else "another carry command"
        raise UserError(
            f"already under way: {other}", hint="let it end, then run this again"
        ) from error


def scratch(config: Config, name: str) -> Path:
    """A path for a throwaway folder, outside everything the user sees."""
    folder = config.state_dir / "worktrees"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / name


@contextmanager
def throwaway_worktree(config: Config, name: str, commit: str) -> Iterator[Path]:
    """A detached working tree of a commit, gone when the block ends."""
    path = scratch(config, name)
    discard_worktree(config, path)
    git.add_worktree(config.tree, path, commit)
    try:
        yield path
    finally:
        discard_worktree(config, path)


def discard_worktree(config: Config, path: Path) -> None:
    """Remove a throwaway working tree, also one that a killed run left half made."""
    if path.exists():
        try:
            git.remove_worktree(config.tree, path)
        except git.GitError:
            shutil.rmtree(path)
    git.run(config.tree, "worktree", "prune")
