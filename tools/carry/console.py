"""What a user sees: the one place that writes to the terminal."""

from __future__ import annotations

from rich.console import Console

_out = Console(highlight=False, soft_wrap=True, markup=False)
_err = Console(highlight=False, soft_wrap=True, markup=False, stderr=True)


def say(text: str = "", *, style: str = "") -> None:
    """Write a line of progress or result."""
    _out.print(text, style=style or None)


def show(renderable: object) -> None:
    """Write a rich table or the like."""
    _out.print(renderable)


def complain(text: str) -> None:
    """Write a line to standard error."""
    _err.print(text, style="red")


def is_terminal() -> bool:
    """Whether somebody is watching."""
    return _out.is_terminal
