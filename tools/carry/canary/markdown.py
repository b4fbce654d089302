"""The report as Markdown. What upstream or a program wrote cannot break out of its place."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import Any

import jinja2

_TEMPLATE = "report.md.j2"
#: Lines of a diff, and entries of a list, that are shown; report.json has them all.
_MOST_LINES = 200
_MOST_ENTRIES = 50


def render(report: dict[str, Any]) -> str:
    """The text for people.

    Args:
        report: A `report.Report` as built-in types.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # This makes no HTML.
        autoescape=False,  # noqa: S701
    )
    environment.filters |= {
        "code": code,
        "cell": cell,
        "plain": plain,
        "fenced": fenced,
        "moment": moment,
    }
    text = environment.get_template(_TEMPLATE).render(report=report, most=_MOST_ENTRIES)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def code(text: str) -> str:
    """A text as one piece of code, so that no mark, link or name in it has an effect."""
    line = " ".join(text.split())
    fence = "`" * (_longest_run(line) + 1)
    space = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{space}{line}{space}{fence}" if line else ""


def cell(text: str) -> str:
    """The same in a cell of a table."""
    return code(text).replace("|", "\\|")


def plain(text: str) -> str:
    """Words of our own in a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def moment(stamp: str) -> str:
    """A time in UTC, to the minute."""
    return f"{datetime.fromisoformat(stamp):%Y-%m-%d %H:%M} UTC"


def fenced(diff: str) -> str:
    """A diff as a block; a long one is cut, and says so."""
    lines = diff.splitlines()
    left = len(lines) - _MOST_LINES
    shown = "\n".join(lines[:_MOST_LINES])
    fence = "`" * max(3, _longest_run(shown) + 1)
    block = f"{fence}diff\n{shown}\n{fence}"
    return f"{block}\n\n{left} more line(s) are in report.json." if left > 0 else block


def _longest_run(text: str) -> int:
    return max(map(len, re.findall(r"`+", text)), default=0)
