"""patches/pull_request.toml: what people write of the pull request.

Passages may hold placeholders, `{{ tests.passed_after }}`, that records fill, see `filling`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from carry.errors import UserError

FILE = "pull_request.toml"


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """What all tables of the file have in common."""


class Claimed(_Table, frozen=True):
    """One claim, and the kind of record that shows it."""

    text: str
    kind: str
    let: dict[str, str] = {}


class Row(_Table, frozen=True):
    """One row of the table of runs.

    Attributes:
        kind: The kind of record that it is from.
        configuration: What was run.
        baseline: What came out without the series.
        changed: What came out with it.
        runs: How often it was run.
        spread: How far the runs differ.
        when: An expression; unless it holds, the record does not show this and it was not run.
        let: Names for the cells, each an expression.
    """

    kind: str
    configuration: str
    baseline: str
    changed: str
    runs: str = ""
    spread: str = ""
    when: str = ""
    let: dict[str, str] = {}


class Passage(_Table, frozen=True):
    """A paragraph or more.

    `kind` is the record that its placeholders are from, if there are any, `summary` the line
    that stays when it is collapsed.
    """

    text: str
    kind: str = ""
    summary: str = ""
    let: dict[str, str] = {}


class Tick(_Table, frozen=True):
    """A box of the template's checklist that is ticked while these records are fresh."""

    begins: str
    kinds: tuple[str, ...] = ()


class Words(_Table, frozen=True):
    """The whole file.

    Attributes:
        title: The pull request's title.
        overview: One or two lines, with links.
        assistance: What part AI had in it.
        repeat: How a reader repeats the runs.
        distinct: Why no open pull request does the same.
        sections: For each of the template's headings the parts that go below it, see `parts`.
        claim: What it achieves.
        row: The runs that show it.
        detail: Why, how, and where it gains nothing.
        tick: The boxes to tick.
        differences: Other pull requests by number, and how each differs.
    """

    title: str = ""
    overview: str = ""
    assistance: str = ""
    repeat: str = ""
    distinct: str = ""
    sections: dict[str, tuple[str, ...]] = {}
    claim: tuple[Claimed, ...] = ()
    row: tuple[Row, ...] = ()
    detail: tuple[Passage, ...] = ()
    tick: tuple[Tick, ...] = ()
    differences: dict[str, str] = {}

    def passages(self) -> list[tuple[str, str]]:
        """All that may hold no number of its own: where it stands, and the text."""
        found = [
            (name, getattr(self, name))
            for name in ("title", "overview", "assistance", "repeat", "distinct")
        ]
        found += [(f"claim {n}", each.text) for n, each in enumerate(self.claim, 1)]
        for n, row in enumerate(self.row, 1):
            cells = (row.configuration, row.baseline, row.changed, row.runs, row.spread)
            found += [(f"row {n}", cell) for cell in cells]
        for n, each in enumerate(self.detail, 1):
            found += [(f"detail {n}", each.text), (f"detail {n}", each.summary)]
        return found + [(f"differences {n}", text) for n, text in self.differences.items()]

    def expressions(self) -> list[tuple[str, str]]:
        """All that gives a name to something, each as a placeholder."""
        tables: dict[str, Sequence[Claimed | Row | Passage]] = {
            "claim": self.claim,
            "row": self.row,
            "detail": self.detail,
        }
        return [
            (f"{kind} {n}, let.{name}", f"{{{{ {expression} }}}}")
            for kind, table in tables.items()
            for n, each in enumerate(table, 1)
            for name, expression in each.let.items()
        ]


def read(folder: Path) -> Words:
    """What is written beside the patches.

    Raises:
        UserError: The file is missing, does not parse, or has a key that is missing or unknown.
    """
    file = folder / FILE
    try:
        return msgspec.convert(tomllib.loads(file.read_text("utf-8")), Words)
    except FileNotFoundError as error:
        raise UserError(
            f"{file} is missing", hint="write there what is to be said of the series"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{file} is no valid TOML: {error}", hint="mend it") from error
    except msgspec.ValidationError as error:
        raise UserError(f"{file}: {error}", hint="mend that key") from error


def without_numbers(text: str) -> str:
    """A passage whose record is not there to fill it."""
    return re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "…", text, flags=re.DOTALL).strip()
