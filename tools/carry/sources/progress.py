"""How far a long step is, for whoever watches; nothing at all in a log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ClassVar

from git.util import RemoteProgress
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn

#: Takes the amount done so far.
Advance = Callable[[int], None]


@contextmanager
def bar(what: str, total: int | None, *, done: int = 0, size: bool = False) -> Iterator[Advance]:
    """Show a bar while the block runs.

    Args:
        what: The words beside the bar.
        total: The amount when it is full, None if that is not known.
        done: The amount at the beginning.
        size: The amount is in bytes.
    """
    with _progress(DownloadColumn() if size else MofNCompleteColumn()) as progress:
        task = progress.add_task(what, total=total, completed=done)
        yield lambda amount: progress.update(task, completed=amount)


@contextmanager
def fetching(what: str) -> Iterator[RemoteProgress]:
    """Show git's own progress while the block runs."""
    with _progress(MofNCompleteColumn()) as progress:
        yield _Fetching(progress, what)


def _progress(amount: DownloadColumn | MofNCompleteColumn) -> Progress:
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), amount)
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


class _Fetching(RemoteProgress):
    """Hands git's counts on to a bar."""

    _STAGES: ClassVar = {RemoteProgress.RECEIVING: "objects", RemoteProgress.RESOLVING: "deltas"}

    def __init__(self, progress: Progress, what: str) -> None:
        super().__init__()
        self._what = what
        self._progress = progress
        self._task = progress.add_task(what, total=None)

    def update(
        self,
        op_code: int,
        cur_count: str | float,
        max_count: str | float | None = None,
        message: str = "",  # noqa: ARG002
    ) -> None:
        """Show one line of git's."""
        stage = self._STAGES.get(op_code & self.OP_MASK)
        if stage:
            self._progress.update(
                self._task,
                description=f"{self._what}: {stage}",
                completed=float(cur_count),
                total=float(max_count) if max_count else None,
            )
