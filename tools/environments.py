"""Quiet set-up of nox's environments: pip's words go to a log, the terminal has one line.

For noxfile.py, which runs where nox is and nothing else need be.
"""

from __future__ import annotations

import itertools
import os
import shutil
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from threading import Event, Thread
from typing import TextIO

import nox
from nox.command import CommandFailed

#: How many of pip's last lines an error shows.
_SHOWN = 20
#: Seconds between two looks at how large an environment has become.
_LOOK = 2.0


def install_once(
    session: nox.Session,
    *steps: Sequence[str],
    bound_to: object = None,
    without: Sequence[str] = (),
    failing: str = "",
) -> None:
    """Install what the steps name, unless this environment has just that already.

    Args:
        session: Whose environment it is.
        steps: pip's arguments, one step after the other.
        bound_to: What else the environment follows from, such as a project's own table.
        without: What is taken out again.
        failing: What an error says before it names the log.
    """
    folder = Path(session.env_dir)
    wanted = sha256(repr((steps, without, bound_to)).encode()).hexdigest()
    stamp = folder / "installed"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    stamp.unlink(missing_ok=True)
    _forget_half_installed(folder)
    what, log, start = _named(steps), folder / "pip.log", time.monotonic()
    try:
        with log.open("w") as said, _shown(f"{session.name}: installing {what}", folder, log):
            _install(session, steps, without, said)
    except CommandFailed:
        sys.stderr.writelines(_last(log, _SHOWN))
        session.error(f"{failing or f'pip could not install {what}'} (the whole log: {log})")
    took = f"{_size(folder)}, {time.monotonic() - start:.0f} s"
    session.log(f"{session.name}: installed {what}: {took}")
    stamp.write_text(wanted)


def _install(
    session: nox.Session, steps: Sequence[Sequence[str]], without: Sequence[str], said: TextIO
) -> None:
    # Not every pip goes on by itself where a download broke off; those that cannot ignore this.
    env = {"PIP_RESUME_RETRIES": os.environ.get("PIP_RESUME_RETRIES", "5")}
    for step in steps:
        session.install(*step, env=env, silent=False, log=False, stdout=said)
    if without:
        session.run(
            "python", "-m", "pip", "uninstall", "--yes", *without,
            silent=False, log=False, stdout=said,
        )  # fmt: skip


def _forget_half_installed(folder: Path) -> None:
    """Let pip install again what it was stopped at.

    pip takes a package for installed once its metadata is there, and lists its files last.
    """
    for metadata in folder.glob("lib/python*/site-packages/*.dist-info"):
        if not (metadata / "RECORD").exists():
            shutil.rmtree(metadata)


def _named(steps: Sequence[Sequence[str]]) -> str:
    """The first requirement, and how many others there are."""
    words = [word for step in steps for word in step if not word.startswith("-")]
    first, *others = dict.fromkeys("this repository" if Path(w).is_dir() else w for w in words)
    return f"{first} and {len(others)} more" if others else first


@contextmanager
def _shown(text: str, folder: Path, log: Path) -> Iterator[None]:
    """Show what goes on while the block runs: on a terminal in a line that is gone at the end."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        print(text, file=sys.stderr, flush=True)
        yield
        return
    done = Event()
    thread = Thread(target=_spin, args=(text, folder, log, done))
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        _write("")


def _spin(text: str, folder: Path, log: Path, done: Event) -> None:
    start, looked, size = time.monotonic(), 0.0, ""
    for turn in itertools.cycle("|/-\\"):
        now = time.monotonic()
        if now - looked > _LOOK:
            looked, size = now, _size(folder)
        last = next(iter(_last(log, 1)), "").strip()
        _write(f"{turn} {text}: {size}, {now - start:.0f} s  {last}")
        if done.wait(0.2):
            return


def _write(line: str) -> None:
    width = shutil.get_terminal_size().columns
    sys.stderr.write(f"\r\033[K{line[: width - 1]}")
    sys.stderr.flush()


def _last(log: Path, count: int) -> list[str]:
    with log.open(encoding="utf-8", errors="replace") as lines:
        return list(deque(lines, count))


def _size(folder: Path) -> str:
    """What the files of a folder take, for people."""
    megabytes = sum(_sizes(folder)) / 1e6
    return f"{megabytes / 1000:.1f} GB" if megabytes >= 1000 else f"{megabytes:.0f} MB"


def _sizes(folder: Path) -> Iterator[int]:
    """Of each file; what pip takes away meanwhile is no error."""
    folders: list[str | Path] = [folder]
    while folders:
        with suppress(FileNotFoundError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    yield entry.stat(follow_symlinks=False).st_size
