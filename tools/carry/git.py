"""Git, one function per question or act, on GitPython's command interface.

The user's and the system's configuration are ignored, so that the same call gives the
same bytes on every machine; only what talks to a remote sees them, since proxies,
certificates and credentials are the user's to say.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

from git import Git
from git.exc import GitCommandError, GitCommandNotFound

from carry.errors import UnreachableError, UserError

_SEALED = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_EDITOR": "true",
    "GIT_SEQUENCE_EDITOR": "true",
    "GIT_PAGER": "cat",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_MERGE_AUTOEDIT": "no",
    # A machine may have no identity; what becomes visible is given one by its caller.
    "GIT_AUTHOR_NAME": "carry",
    "GIT_AUTHOR_EMAIL": "carry@carry.invalid",
    "GIT_COMMITTER_NAME": "carry",
    "GIT_COMMITTER_EMAIL": "carry@carry.invalid",
}
_FLAGS = (
    "-c", "core.hooksPath=/dev/null",
    "-c", "core.autocrlf=false",
    "-c", "core.fsmonitor=false",
    "-c", "core.quotePath=false",
    "-c", "core.excludesFile=/dev/null",
    "-c", "core.attributesFile=/dev/null",
    "-c", "commit.gpgSign=false",
    "-c", "gc.auto=0",
    "-c", "maintenance.auto=false",
    "-c", "advice.detachedHead=false",
    "-c", "protocol.file.allow=always",
)  # fmt: skip
#: Bytes below which a file that could not be written means a full disk.
_NO_SPACE = 16 << 20
_TRANSPORT = {name: value for name, value in _SEALED.items() if "CONFIG" not in name}
#: Keeps a partial clone from asking its remote for what is not here.
OFFLINE = {"GIT_ALLOW_PROTOCOL": "none"}


class GitError(Exception):
    """Git refused; whoever called decides whether that is the user's to mend."""

    def __init__(self, words: Sequence[str], code: int, stdout: str, stderr: str) -> None:
        self.code = code
        self.stdout = stdout
        self.stderr = stderr
        super().__init__(f"git {' '.join(words)} ended with {code}\n{stdout}\n{stderr}".strip())

    @property
    def reason(self) -> str:
        """The line of git's answer that says most."""
        lines = [line for line in self.stderr.splitlines() if line.strip()]
        fatal = [line for line in lines if re.match(r"(fatal|error): ", line)]
        line = (fatal or lines or ["no message"])[-1 if not fatal else 0]
        return re.sub(r"^(fatal|error): ", "", line)


def run(
    where: Path,
    *words: str,
    env: Mapping[str, str] | None = None,
    sealed: bool = True,
    timeout: float | None = None,
    strip: bool = True,
) -> str:
    """Run one git command in `where` and return its output.

    Args:
        where: A working tree or a git directory.
        words: The command and its arguments.
        env: Variables added for this call, such as an identity or another index.
        sealed: Ignore the user's and the system's configuration.
        timeout: Seconds after which the command is ended.
        strip: Leave the last newline out.

    Raises:
        GitError: The command failed.
        UserError: There is no git, or the disk is full.
    """
    full = dict(_SEALED if sealed else _TRANSPORT)
    full.update(env or {})
    command = ["git", "-C", str(where), *_FLAGS, *words]
    try:
        return str(
            Git().execute(
                command, env=full, kill_after_timeout=timeout, strip_newline_in_stdout=strip
            )
        )
    except GitCommandNotFound as error:
        raise UserError("git is not installed", hint="install git 2.39 or newer") from error
    except GitCommandError as error:
        stdout, stderr = _stream(error.stdout), _stream(error.stderr)
        if _disk_is_full(where, stderr):
            raise UserError(
                f"the disk is full at {where}", hint="free some space and run the same again"
            ) from error
        code = error.status if isinstance(error.status, int) else 1
        raise GitError(words, code, stdout, stderr) from error


def _disk_is_full(where: Path, stderr: str) -> bool:
    """Whether that is why a command failed; git does not always give the system's reason."""
    if "No space left on device" in stderr or "Out of diskspace" in stderr:
        return True
    could_not_write = re.search(
        r"(?:unable|cannot|could ?n[o']t|failed) (?:to )?(?:write|create|append|update|close)",
        stderr,
    )
    return bool(could_not_write) and shutil.disk_usage(where).free < _NO_SPACE


def succeeds(where: Path, *words: str) -> bool:
    """Whether a command whose exit code is its answer says yes."""
    try:
        run(where, *words)
    except GitError:
        return False
    return True


def _stream(text: str) -> str:
    """One stream of a GitCommandError, without the frame GitPython puts around it."""
    match = re.fullmatch(r"\s*std(?:out|err): '(.*)'", text or "", re.DOTALL)
    return match.group(1) if match else text or ""


# Questions


def resolve(where: Path, name: str) -> str | None:
    """The commit id that a name stands for; None when there is no such commit."""
    try:
        return run(where, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    except GitError:
        return None


def present(where: Path, name: str) -> str | None:
    """The commit id that a name stands for; None when it is not here, without asking a remote."""
    try:
        return run(where, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", env=OFFLINE)
    except GitError:
        return None


def refs(where: Path, *prefixes: str, containing: str | None = None) -> dict[str, str]:
    """The refs below some prefixes and the object each names, annotated tags looked through."""
    form = "--format=%(refname) %(objectname) %(*objectname)"
    only = ["--contains", containing] if containing else []
    lines = run(where, "for-each-ref", form, *only, "--", *prefixes, env=OFFLINE).splitlines()
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
    words = ["git", "-C", str(where), "cat-file", "blob", name]
    command = Git()
    return bytes(
        command.execute(words, env=_SEALED, stdout_as_string=False, strip_newline_in_stdout=False)
    )


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
        words = ["git", "-C", str(where), "patch-id", "--stable"]
        answer = str(Git().execute(words, istream=stream, env=_SEALED))
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


# Acts


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


def answers(where: Path, url: str, timeout: float) -> None:
    """Return if a remote answers in time.

    Raises:
        UnreachableError: It does not, and why.
    """
    try:
        run(
            where, "ls-remote", "--quiet", "--exit-code", url, "HEAD", sealed=False, timeout=timeout
        )
    except GitError as error:
        raise UnreachableError(f"git: {error.reason}") from error


def start(where: Path, *words: str, stdin: TextIO) -> Git.AutoInterrupt:
    """Begin a command that talks to a remote, as the user's configuration lets us.

    Whoever calls reads what it writes while it runs, and waits for its end.
    """
    command = ["git", "-C", str(where), *_FLAGS, *words]
    env = dict(_TRANSPORT)
    return Git().execute(
        command, env=env, istream=stdin.buffer, as_process=True, universal_newlines=True
    )
