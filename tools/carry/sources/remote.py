"""A git remote that sends only what it is asked for."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import TextIO, cast

from git.cmd import handle_process_output
from git.exc import GitCommandError

from carry import git
from carry.errors import UnreachableError, from_os_error
from carry.sources.progress import fetching

#: History and folders, but of the files only those that are asked for by their ids.
_PARTIAL = "--filter=blob:none"


def make_partial(where: Path, remote: str) -> None:
    """Let the repository count on a remote for what it does not have."""
    git.run(where, "config", f"remote.{remote}.promisor", "true")
    git.run(where, "config", f"remote.{remote}.partialCloneFilter", _PARTIAL.partition("=")[2])


def is_partial(where: Path, remote: str) -> bool:
    """Whether the repository counts on a remote for what it does not have."""
    return git.succeeds(where, "config", f"remote.{remote}.promisor")


def missing(where: Path, commit: str) -> list[str]:
    """The objects of a commit's tree that have yet to be fetched."""
    words = ("rev-list", "--objects", "--no-object-names", "--missing=print", "--no-walk", commit)
    lines = git.run(where, *words).split()
    return [line.removeprefix("?") for line in lines if line.startswith("?")]


def listed(
    where: Path, remote: str, pattern: str, patience: float, *, kinds: Sequence[str] = ()
) -> dict[str, str]:
    """A remote's refs that match, and the commit of each, annotated tags looked through.

    Args:
        where: A repository to run git in.
        remote: The remote's name or its address.
        pattern: The end of a ref's name as git takes it; `*` stands for anything.
        patience: Seconds to wait for the answer.
        kinds: `--heads` and `--tags`; all else is then not even sent.

    Raises:
        UnreachableError: There is no answer in time, or it is a refusal.
    """
    words = ("ls-remote", "--quiet", *kinds, remote, pattern)
    try:
        lines = git.run(where, *words, sealed=False, timeout=patience).splitlines()
    except git.GitError as error:
        late = error.code == git.KILLED
        why = f"no answer within {patience:g} s" if late else error.reason
        raise UnreachableError(f"git: {why}") from error
    # The commit of an annotated tag follows the tag itself, marked by `^{}`.
    return {line.split()[1].removesuffix("^{}"): line.split()[0] for line in lines}


def refs(where: Path, remote: str, pattern: str) -> list[str]:
    """The names of a remote's refs that match a pattern."""
    words = ("ls-remote", "--quiet", "--refs", remote, pattern)
    return [line.split()[1] for line in git.run(where, *words, sealed=False).splitlines()]


def fetch(
    where: Path, remote: str, wanted: Sequence[str], what: str, *, whole: bool = False
) -> None:
    """Fetch refspecs or object ids, however many, and show how far it is.

    Args:
        where: The repository.
        remote: The remote's name.
        wanted: What is given to git.
        what: The words beside the bar.
        whole: Everything again with all files, whatever is here already.

    Raises:
        GitError: The remote has no such ref or object, or the transfer broke.
    """
    options = ("--refetch", "--no-filter") if whole else (_PARTIAL,)
    words = ("fetch", "--progress", "--no-tags", "--refmap=", "--no-write-fetch-head", *options)
    with fetching(what) as progress, TemporaryFile("w+") as names:
        names.write("".join(f"{name}\n" for name in wanted))
        names.seek(0)
        process = git.start(where, *words, "--stdin", remote, stdin=cast(TextIO, names))
        handle_process_output(process, None, progress.new_message_handler(), decode_streams=False)
        try:
            process.wait()
        except GitCommandError as error:
            code = error.status if isinstance(error.status, int) else 1
            said = "\n".join([*progress.error_lines, *progress.other_lines])
            if "No space left on device" in said:
                raise from_os_error(OSError(errno.ENOSPC, "", str(where))) or error from error
            raise git.GitError(words, code, "", said) from error
