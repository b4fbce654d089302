"""What git is told to do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from carry.git.command import run
from carry.git.questions import git_path, head


def set_ref(where: Path, name: str, commit: str, reason: str) -> None:
    """Let a ref name a commit."""
    run(where, "update-ref", "--create-reflog", "-m", reason, name, commit)


def delete_ref(where: Path, name: str) -> None:
    """Remove a ref."""
    run(where, "update-ref", "-d", name)


def set_gitlink(where: Path, path: str, commit: str) -> None:
    """Let the index record a commit for a submodule."""
    run(where, "update-index", "--add", "--cacheinfo", f"160000,{commit},{path}")


def shield_gitlink(where: Path, path: str) -> None:
    """Keep `git add --all` and `git commit --all` from recording what a submodule has out."""
    if not run(where, "ls-files", "-t", "--", path).startswith("S"):
        run(where, "update-index", "--skip-worktree", "--", path)


def add_worktree(where: Path, path: Path, commit: str) -> None:
    """Check a commit out into a new, detached working tree."""
    run(where, "worktree", "add", "--quiet", "--detach", "--force", str(path), commit)


def remove_worktree(where: Path, path: Path) -> None:
    """Drop a working tree made by `add_worktree`, changes and all."""
    run(where, "worktree", "remove", "--force", "--force", str(path))
    run(where, "worktree", "prune")


def write_tree(where: Path, folder: Path, *, packed: bool = False) -> str:
    """Store a folder's files, ignored ones too, and return the tree's id.

    Empty folders are left out, and git's own index is not touched. `packed` puts the files
    into one pack; for thousands of them that is much less work than a file for each.
    """
    # Whatever is larger than the threshold goes into a pack at once.
    flags = ("-c", "core.bigFileThreshold=1") if packed else ()
    with TemporaryDirectory(prefix="carry-") as scratch:
        env = {"GIT_INDEX_FILE": str(Path(scratch) / "index")}
        git_dir = git_path(where, ".")
        words = (f"--git-dir={git_dir}", f"--work-tree={folder}")
        run(folder, *flags, *words, "add", "--all", "--force", ".", env=env)
        return run(folder, *words, "write-tree", env=env)


def write_tree_as_is(where: Path) -> str:
    """Store a working tree as it stands, untracked files too but not ignored ones."""
    with TemporaryDirectory(prefix="carry-") as scratch:
        env = {"GIT_INDEX_FILE": str(Path(scratch) / "index")}
        run(where, "read-tree", head(where) or "--empty", env=env)
        run(where, "add", "--all", env=env)
        return run(where, "write-tree", env=env)


def commit_tree(
    where: Path, tree: str, text: str, *, parents: Sequence[str], author: tuple[str, str], date: str
) -> str:
    """Make a commit whose id depends on these arguments alone.

    Args:
        where: The repository.
        tree: The tree's id.
        text: The message.
        parents: The parents' ids.
        author: Name and address, for author and committer alike.
        date: In a form git reads, with its zone.
    """
    env = {
        f"GIT_{role}_{field}": value
        for role in ("AUTHOR", "COMMITTER")
        for field, value in (("NAME", author[0]), ("EMAIL", author[1]), ("DATE", date))
    }
    words = [word for parent in parents for word in ("-p", parent)]
    return run(where, "commit-tree", tree, *words, "-m", text, env=env)
