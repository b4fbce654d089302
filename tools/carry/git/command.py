"""Running git on GitPython's command interface, the same way on every machine.

The user's and the system's configuration are ignored, so that the same call gives the
same bytes on every machine; only what talks to a remote sees them, since proxies,
certificates and credentials are the user's to say.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO

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
    # A partial clone must not ask its remote for what is not here; sources bring whole trees.
    "GIT_ALLOW_PROTOCOL": "none",
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
    "-c", "checkout.workers=0",
    "-c", "protocol.file.allow=always",
)  # fmt: skip
#: Bytes below which a file that could not be written means a full disk.
_NO_SPACE = 16 << 20
#: The code of a command that was ended after its timeout.
KILLED = -9
_USERS_OWN = ("GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL", "GIT_ALLOW_PROTOCOL")
_TRANSPORT = {name: value for name, value in _SEALED.items() if name not in _USERS_OWN}


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
    with _in_words(where, words):
        return str(
            Git().execute(
                _command(where, words), env=full, kill_after_timeout=timeout,
                strip_newline_in_stdout=strip,
            )
        )  # fmt: skip


def run_for_bytes(where: Path, *words: str) -> bytes:
    """Run one git command and return its output as it is; raises what `run` raises."""
    with _in_words(where, words):
        return bytes(
            Git().execute(
                _command(where, words), env=_SEALED, stdout_as_string=False,
                strip_newline_in_stdout=False,
            )
        )  # fmt: skip


def run_on(where: Path, *words: str, stdin: BinaryIO) -> str:
    """Run one git command on a file and return its output; raises what `run` raises."""
    with _in_words(where, words):
        return str(Git().execute(_command(where, words), env=_SEALED, istream=stdin))


def _command(where: Path, words: Sequence[str]) -> list[str]:
    return ["git", "-C", str(where), *_FLAGS, *words]


@contextmanager
def _in_words(where: Path, words: Sequence[str]) -> Iterator[None]:
    """Turn what GitPython raises into errors of this project."""
    try:
        yield
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
    return Git().execute(
        _command(where, words), env=_TRANSPORT, istream=stdin.buffer, as_process=True,
        universal_newlines=True,
    )  # fmt: skip
