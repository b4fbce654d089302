"""What is told of two runs' outcomes: to a user one table, then names; to a record the same."""

from __future__ import annotations

from rich.box import SIMPLE
from rich.console import Group
from rich.table import Table
from rich.text import Text

from carry.outcomes import Comparison

#: What a record counts, as a comparison calls it.
_COUNTED = (
    "passed_before", "passed_after", "new", "regressions", "new_failures", "failed_in_both",
    "fixed",
)  # fmt: skip


def report(comparison: Comparison) -> Group:
    """The table, and below it the names of what calls for a look."""
    lists = {
        "regressions": comparison.regressions,
        "new failures": comparison.new_failures,
        "failed in both, so not for the series to answer": comparison.failed_in_both,
        "failed before, pass now": comparison.fixed,
    }
    lines = (
        "\n  ".join([f"{title}:", *map(comparison.described, names)])
        for title, names in lists.items()
        if names
    )
    return Group(_table(comparison), *map(Text, lines))


def _table(comparison: Comparison) -> Table:
    """The counts by file, and their sum."""
    result = Table(title="upstream's tests", title_justify="left", box=SIMPLE, pad_edge=False)
    result.add_column("file", overflow="fold")
    for column in ("passed\nbefore", "passed\nafter", "new", "regressions", "failed\nin both"):
        result.add_column(column, justify="right")
    for file in comparison.files:
        result.add_row(Text(file), *_counts(comparison.of(file)))
    result.add_section()
    result.add_row("total", *_counts(comparison))
    return result


def _counts(part: Comparison) -> list[str]:
    groups = (
        part.passed_before, part.passed_after, part.new, part.regressions, part.failed_in_both,
    )  # fmt: skip
    return [str(len(group)) for group in groups]


def as_result(comparison: Comparison) -> dict[str, object]:
    """The same for a record."""
    return {
        **_numbers(comparison),
        "files": [{"file": file, **_numbers(comparison.of(file))} for file in comparison.files],
        "new_tests": list(comparison.new),
        "failing": [
            comparison.described(name)
            for name in (
                *comparison.regressions,
                *comparison.new_failures,
                *comparison.failed_in_both,
            )
        ],
        "differing": [
            {
                "test": comparison.described(name),
                "before": comparison.before.get(name),
                "after": comparison.after.get(name),
            }
            for name in comparison.differing
        ],
    }


def _numbers(part: Comparison) -> dict[str, int]:
    return {name: len(getattr(part, name)) for name in _COUNTED}
