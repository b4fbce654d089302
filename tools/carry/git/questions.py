"""What is asked of git; nothing here changes anything."""

from __future__ import annotations

from pathlib import Path

from carry.git.command import GitError, run, run_for_bytes, run_on, succeeds


def resolve(where: Path, name: str) -> str | None:
    """The commit id that a name stands for; None when no such commit is here."""
    try:
        return run(where, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    except GitError:
        return None


def refs(where: Path, *prefixes: str, containing: str | None = None) -> dict[str, str]:
    """The refs below some prefixes and the object each names, annotated tags looked through."""
    form = "--format=%(refname) %(objectname) %(*objectname)"
    only = ["--contains", containing] if containing else []
    lines = run(where, "for-each-ref", form, *only, "--", *prefixes).splitlines()
    return {line.split()[0]: line.split()[-1] for line in lines}


def tree_of(where: Path, commit: str) -> str:
    """The id of a commit's tree."""
    return run(where, "rev-parse", "--verify", f"{commit}^{{tree}}")


def is_repository(where: Path) -> bool:
    """Whether `where` is the top of a working tree of its own."""
    try:
        return Path(run(where, "rev-parse", "--show-toplevel")) == where.resolve()
    except GitError:
        return False


def git_path(where: Path, name: str) -> Path:
    """Where git keeps the file or folder `name` of this repository."""
    return Path(run(where, "rev-parse", "--path-format=absolute", "--git-path", name))


def head(where: Path) -> str | None:
    """The commit that is checked out; None on an unborn branch."""
    return resolve(where, "HEAD")


def branch(where: Path) -> str | None:
    """The branch that is checked out; None when HEAD is detached."""
    try:
        return run(where, "symbolic-ref", "--quiet", "--short", "HEAD")
    except GitError:
        return None


def changes(where: Path, *paths: str) -> list[str]:
    """Paths with uncommitted or untracked changes, as git names them."""
    status = run(where, "status", "--porcelain", "-z", "--no-renames", "--", *paths)
    return [entry[3:] for entry in status.split("\0") if entry]


def unmerged(where: Path) -> list[str]:
    """Paths in conflict."""
    names = run(where, "diff", "--name-only", "--diff-filter=U", "-z")
    return sorted({name for name in names.split("\0") if name})


def commits(where: Path, base: str, tip: str) -> list[str]:
    """The commits after `base` up to `tip`, oldest first."""
    return run(where, "rev-list", "--reverse", f"{base}..{tip}").split()


def addresses(where: Path, base: str, tip: str) -> list[str]:
    """The mail addresses of who wrote and who made the commits after `base` up to `tip`."""
    return run(where, "log", "--format=%ae%n%ce", f"{base}..{tip}").splitlines()


def merges(where: Path, base: str, tip: str) -> list[str]:
    """The merge commits after `base` up to `tip`."""
    return run(where, "rev-list", "--merges", f"{base}..{tip}").split()


def is_ancestor(where: Path, ancestor: str, descendant: str) -> bool:
    """Whether one commit is in the history of the other."""
    return succeeds(where, "merge-base", "--is-ancestor", ancestor, descendant)


def changed_paths(where: Path, old: str, new: str, *, present: bool = False) -> list[str]:
    """Paths that differ between two trees; with `present` only those that are in the new one."""
    kinds = ["--diff-filter=d"] if present else []
    names = run(where, "diff-tree", "-r", "-z", "--name-only", "--no-renames", *kinds, old, new)
    return [name for name in names.split("\0") if name]


def show(where: Path, spec: str) -> str | None:
    """A file's text at a commit (`commit:path`) or in the index (`:path`); None if absent."""
    try:
        return run(where, "cat-file", "blob", spec, strip=False)
    except GitError:
        return None


def blob(where: Path, name: str) -> bytes:
    """The bytes of a stored file."""
    return run_for_bytes(where, "cat-file", "blob", name)


def message(where: Path, commit: str) -> str:
    """A commit's message."""
    return run(where, "log", "-1", "--format=%B", commit)


def range_diff(where: Path, old: str, new: str, *, color: bool = False) -> str:
    """How one range of commits differs from another, commit by commit."""
    return run(
        where, "range-diff", f"--color={'always' if color else 'never'}", "--no-notes", old, new
    )


def patch_id(where: Path, patch: Path) -> str:
    """The id of a patch file's change, whatever its line numbers; "" if it changes nothing."""
    with patch.open("rb") as stream:
        answer = run_on(where, "patch-id", "--stable", stdin=stream)
    return answer.split()[0] if answer else ""


def gitlink(where: Path, path: str) -> str | None:
    """The commit that the index records for a submodule; None when it records none."""
    entry = run(where, "ls-files", "--stage", "--", path)
    fields = entry.split()
    return fields[1] if fields and fields[0] == "160000" else None


def identity(where: Path) -> tuple[str, str] | None:
    """Name and address from the user's own configuration; None when either is missing."""
    try:
        return (
            run(where, "config", "user.name", sealed=False),
            run(where, "config", "user.email", sealed=False),
        )
    except GitError:
        return None
