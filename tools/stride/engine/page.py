"""The figures in docs/engine.md: tables between markers, made from the record and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from stride import generated
from stride.engine import report
from stride.engine.device import described
from stride.engine.record import Result, Row
from stride.generated import table

PAGE = Path("docs/engine.md")
NOT_RUN = "Not run yet: `nox -s smoke`."


def refresh(root: Path, result: Result) -> None:
    """Put a run's figures into the page, if there is one below the root."""
    page = root / PAGE
    if page.exists():
        page.write_text(filled(page.read_text("utf-8"), result), "utf-8")


def filled(text: str, result: Result | None) -> str:
    """The page's text with the tables of a run, or without any.

    Raises:
        UserError: The page asks for a table that is not known.
    """
    shown = result if result and result.rows else None
    made = {
        name: partial(make, shown) if shown else lambda: NOT_RUN for name, make in _TABLES.items()
    }
    return generated.filled(text, PAGE, "engine", made)


def _summary(result: Result) -> str:
    lines = [f"on {described(result.device)}", *report.summary(result)]
    return "\n".join(f"- {line}" for line in lines)


def _search(result: Result) -> str:
    head = ("workload", "cached", "lookups", "ms", "of schedule()", "of the step", "of first token")
    rows = [(_title(row), f"{row.cached:,}", *report.costs(row)) for row in result.rows]
    return table(head, rows, 1)


def _engine(result: Result) -> str:
    head = ("workload", "requests", "tokens/s", "first token, ms", "wall, ms", "wall ratio")
    rows = [(_title(row), f"{row.requests}", *report.speeds(row)) for row in result.rows]
    return table(head, rows, 1)


def _title(row: Row) -> str:
    return f"{row.model}: {report.name(row)}"


def _functions(result: Result) -> str:
    head = ("arm", "module", "function", "calls")
    rows = [
        (name, f"`{arm.sha256[:16]}`", f"`{arm.function[:23]}`", f"{arm.calls:,}")
        for name, arm in result.arms.items()
    ]
    return table(head, rows, 1)


_TABLES: dict[str, Callable[[Result], str]] = {
    "summary": _summary,
    "search": _search,
    "engine": _engine,
    "functions": _functions,
}
