"""What a benchmark found, as tables for the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from stride.bench.record import Audit, Bench, Probing, Row, Step, Target
from stride.bench.rivals import NAMES, PATCH, UPSTREAM
from stride.bench.rows import FLOOR


def tables(bench: Bench) -> Iterator[Table]:
    """All tables, the targets last."""
    yield _lookups(bench.rows)
    yield _times(bench.rows)
    yield _audits(bench.audits)
    yield _steps("get_computed_blocks", bench.manager)
    yield _steps("Scheduler.schedule", bench.scheduler)
    yield _probing(bench.probing)
    yield _targets(bench.targets)


def _table(title: str, left: Sequence[str], right: Sequence[str]) -> Table:
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD)
    for name in left:
        table.add_column(name)
    for name in right:
        table.add_column(name, justify="right")
    return table


def _lookups(rows: Iterable[Row]) -> Table:
    return _by_search("lookups", rows, lambda row, name: count(row.lookups[name]))


def _times(rows: Iterable[Row]) -> Table:
    return _by_search("µs per search, median", rows, _time)


def _by_search(title: str, rows: Iterable[Row], figure: Callable[[Row, str], str]) -> Table:
    columns = [*NAMES, FLOOR]
    table = _table(title, ["input", "cached", "N/W"], columns)
    section = ""
    for row in rows:
        if row.section != section:
            section = row.section
            table.add_section()
            table.add_row(section, style="bold")
        figures = ("wrong" if name in row.wrong else figure(row, name) for name in columns)
        table.add_row(row.name, row.cached, f"{row.blocks}/{row.window}", *figures)
    return table


def _time(row: Row, name: str) -> str:
    return microseconds(row.times[name].median) if name in row.times else ""


def microseconds(ns: float) -> str:
    """A time in µs, with as many digits as it is worth."""
    us = ns / 1000
    return f"{us:.1f}" if us < 100 else f"{us:,.0f}"


def count(number: float) -> str:
    """A number of lookups; with a decimal where it is a mean."""
    return f"{number:,.0f}" if number == int(number) else f"{number:,.1f}"


def at_full_width(table: Table) -> Table:
    """A table that keeps its cells on one line, for a log, which is as wide as it has to be."""
    table.width = Console(width=1_000).measure(table).maximum
    return table


def _audits(audits: dict[str, Audit]) -> Table:
    columns = ["cases", "wrong", "more lookups", "a block twice"]
    table = _table("every small case", ["search"], columns)
    table.add_column("smallest wrong; on a pool with no more than the search may touch")
    for name, one in audits.items():
        counts = (one.cases, one.wrong, one.more_lookups, one.repeated)
        remarks = "; ".join(filter(None, (one.smallest, one.stand_in)))
        table.add_row(name, *(f"{count:,}" for count in counts), remarks)
    return table


def _steps(title: str, steps: Iterable[Step]) -> Table:
    sides = [f"{name} {what}" for name in (UPSTREAM, PATCH) for what in ("µs", "of it search")]
    table = _table(title, ["situation"], ["requests", "tokens", *sides, "ratio"])
    for one in steps:
        cells = []
        for name in (UPSTREAM, PATCH):
            cells += [microseconds(one.times[name].median), f"{one.shares[name]:.0%}"]
        size = (str(one.waiting), f"{one.tokens // 1024}K")
        table.add_row(one.what, *size, *cells, f"{one.ratio:.2f}x")
    return table


def _probing(sets: Iterable[Probing]) -> Table:
    orders = ["upstream", "patch", "forward", "growing", "backward"]
    table = _table("lookups by order of probing", ["inputs"], ["number", *orders])
    for one in sets:
        counts = (one.inputs, one.upstream, one.patch, one.forward, one.growing, one.backward)
        table.add_row(one.what, *(f"{count:,}" for count in counts))
    return table


def _targets(targets: Iterable[Target]) -> Table:
    table = _table("targets", ["", "target", "figure"], [])
    for one in targets:
        style = "green" if one.met else "red"
        table.add_row("met" if one.met else "missed", one.goal, one.figure, style=style)
    return table
