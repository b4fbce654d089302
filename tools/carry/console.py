"""What a user sees: the one place that writes to the terminal."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager

from rich.console import Console

_out = Console(highlight=False, soft_wrap=True, markup=False)
_err = Console(highlight=False, soft_wrap=True, markup=False, stderr=True)
#: A password in an address, and a token of the hosting service's, wherever a program says one.
_SECRETS = (
    (re.compile(r"(?<=://)[^/@\s]+(?=@)"), "***"),
    (re.compile(r"\b(?:gh[pousr]_|github_pat_)\w{16,}"), "***"),
)


def without_secrets(text: str) -> str:
    """A text in which nothing is left that opens somebody's account."""
    for pattern, instead in _SECRETS:
        text = pattern.sub(instead, text)
    return text


def say(text: str = "", *, style: str = "") -> None:
    """Write a line of progress or result."""
    _out.print(without_secrets(text), style=style or None)


def show(renderable: object) -> None:
    """Write a rich table or the like."""
    _out.print(renderable)


def print_json(text: bytes) -> None:
    """Write JSON for a program: no colour, no line that is folded."""
    _out.print_json(without_secrets(text.decode()), highlight=False, indent=1)


def pass_on(text: str) -> None:
    """Write what a program said, as it said it."""
    _out.file.write(without_secrets(text))
    _out.file.flush()


def complain(text: str) -> None:
    """Write a line to standard error."""
    _err.print(without_secrets(text), style="red")


def busy(text: str) -> AbstractContextManager[object]:
    """Show what goes on while the block runs; nothing at all in a log."""
    return _err.status(text)


def is_terminal() -> bool:
    """Whether somebody is watching."""
    return _out.is_terminal
