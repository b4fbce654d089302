"""What is shown while the engines run: a line that changes on a terminal, else a line each."""

from __future__ import annotations

from time import monotonic

from rich.console import Console

from carry.console import say


class Progress:
    """The progress of one process after the other."""

    def __init__(self) -> None:
        self._terminal = Console(stderr=True)
        self._status = self._terminal.status("")
        self._since = 0.0

    def begin(self, name: str) -> None:
        """A process is started."""
        self._since = monotonic()
        self._status.start()
        self.at(f"{name}: importing vllm")

    def at(self, what: str) -> None:
        """It is at this."""
        self._status.update(what)

    def end(self, name: str, what: str) -> None:
        """It has ended."""
        self._status.stop()
        say(f"{name}: {what}, {monotonic() - self._since:.0f} s")

    def stop(self) -> None:
        """Leave the terminal as it was, whatever has happened."""
        self._status.stop()
