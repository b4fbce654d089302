"""The one place that starts programs other than git."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from carry.errors import UserError

#: Set by a git hook or an editor for a repository that is not the one we work on.
_FOREIGN_PREFIXES = ("GIT_",)
#: Would make a child import from the caller's folders.
_FOREIGN_NAMES = ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "VIRTUAL_ENV")
#: Seconds that a program gets to end by itself.
_PATIENCE = 5


@dataclass(frozen=True)
class Finished:
    """A program that has ended: its exit code and both streams."""

    code: int
    stdout: str
    stderr: str


def is_foreign(name: str) -> bool:
    """Whether an environment variable belongs to the caller's repository or interpreter."""
    return name.startswith(_FOREIGN_PREFIXES) or name in _FOREIGN_NAMES


def scrub_environment() -> None:
    """Drop the foreign variables from this process, once, before anything is started."""
    for name in [name for name in os.environ if is_foreign(name)]:
        del os.environ[name]


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    show: bool = False,
    timeout: float | None = None,
) -> Finished:
    """Run a program to its end, whatever its exit code.

    Args:
        command: The program and its arguments; no shell is involved.
        cwd: The folder it runs in.
        env: Variables added to the scrubbed environment.
        show: Let it write to our own terminal; both streams come back empty.
        timeout: Seconds after which it is ended.

    Raises:
        UserError: The program does not exist, or gave no answer in time.
    """
    words = [str(word) for word in command]
    try:
        with _startable(words[0], cwd):
            done = subprocess.run(
                words, cwd=cwd, env=_full(env), capture_output=not show, text=True,
                errors="replace", timeout=timeout,
            )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise UserError(
            f"{words[0]} gave no answer within {timeout:g} s", hint="look at the network, try again"
        ) from error
    return Finished(done.returncode, done.stdout or "", done.stderr or "")


@contextmanager
def running(
    command: Sequence[str | Path], *, cwd: Path, env: Mapping[str, str] | None = None, log: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a program to be read while it runs; it does not outlive the block.

    Its standard input stays open as long as this process and the block last, and nothing is
    written to it: a program that ends when it is closed is never left behind.

    Args:
        command: The program and its arguments; no shell is involved.
        cwd: The folder it runs in.
        env: Variables added to the scrubbed environment.
        log: Takes its standard error; its standard output is a pipe.

    Raises:
        UserError: The program does not exist.
    """
    words = [str(word) for word in command]
    with log.open("wb") as errors, _startable(words[0], cwd):
        child = subprocess.Popen(
            words, cwd=cwd, env=_full(env), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=errors,
        )  # fmt: skip
    with _within(child):
        yield child


@contextmanager
def aside(
    command: Sequence[str | Path], *, cwd: Path, env: Mapping[str, str] | None = None, log: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a program beside what the block does; it does not outlive the block.

    It reads nothing.

    Args:
        command: The program and its arguments; no shell is involved.
        cwd: The folder it runs in.
        env: Variables added to the scrubbed environment.
        log: Takes all that it says.

    Raises:
        UserError: The program does not exist.
    """
    words = [str(word) for word in command]
    with log.open("wb") as said, _startable(words[0], cwd):
        child = subprocess.Popen(
            words, cwd=cwd, env=_full(env), stdin=subprocess.DEVNULL, stdout=said,
            stderr=subprocess.STDOUT,
        )  # fmt: skip
    with _within(child):
        yield child


@contextmanager
def _within(child: subprocess.Popen[bytes]) -> Iterator[None]:
    """End a program with the block, however that ends."""
    with child:
        try:
            yield
        finally:
            _end(child)


def _full(env: Mapping[str, str] | None) -> dict[str, str]:
    full = {name: value for name, value in os.environ.items() if not is_foreign(name)}
    full.update(env or {})
    return full


@contextmanager
def _startable(program: str, cwd: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        if not cwd.is_dir():
            raise
        raise UserError(f"cannot start {program}", hint="install it and run again") from error


def _end(child: subprocess.Popen[bytes]) -> None:
    """Ask it to end, and if that takes more than a moment, end it."""
    if child.poll() is None:
        child.terminate()
        try:
            child.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            child.kill()


@contextmanager
def terminate_as_interrupt() -> Iterator[None]:
    """Give SIGTERM and SIGHUP the clean way out that Ctrl-C has."""

    def interrupt(number: int, _: FrameType | None) -> None:
        raise KeyboardInterrupt(signal.Signals(number).name)

    signals = (signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, interrupt) for number in signals}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def interrupts_deferred() -> Iterator[None]:
    """Hold Ctrl-C, SIGTERM and SIGHUP back until the block has ended.

    What is started in the block inherits that they are blocked. In a process of several threads
    that alone holds nothing back: the system hands a signal to any thread that takes it, and
    Python then interrupts the main one. So the handlers wait as well.
    """
    signals = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    held: list[int] = []

    def hold(number: int, _: FrameType | None) -> None:
        held.append(number)

    def again() -> None:
        if held:
            signal.raise_signal(held[0])

    # The last is undone first; what comes meanwhile keeps nothing from being undone.
    with ExitStack() as undo:
        undo.callback(again)
        for number in signals:
            undo.callback(signal.signal, number, signal.signal(number, hold))
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
        undo.callback(signal.pthread_sigmask, signal.SIG_SETMASK, mask)
        yield
