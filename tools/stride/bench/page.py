"""The figures in docs/search.md: tables between markers, made from the record and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import msgspec

from stride import generated
from stride.bench.inputs import CLUSTERED, DENSITY, EMPTY, MODELS
from stride.bench.record import Audit, Bench, Row, Step
from stride.bench.report import count, microseconds
from stride.bench.rivals import LATTICE_EXPAND, PATCH, RIGHT_TO_LEFT, UPSTREAM
from stride.bench.rows import FLOOR
from stride.generated import table

PAGE = Path("docs/search.md")
NOT_RUN = "Not run yet: `nox -s bench`."
_SHOWN = (UPSTREAM, PATCH, RIGHT_TO_LEFT, LATTICE_EXPAND, FLOOR)
_CONTEXTS = (32_768, 131_072)


def refresh(root: Path, bench: Bench) -> None:
    """Put a run's figures into the page, if there is one below the root."""
    page = root / PAGE
    if page.exists():
        page.write_text(filled(page.read_text("utf-8"), bench), "utf-8")


def filled(text: str, bench: Bench | None) -> str:
    """The page's text with the tables of a run, or without any.

    Raises:
        UserError: The page asks for a table that is not known.
    """
    made = {
        name: partial(make, bench) if bench else lambda: NOT_RUN for name, make in _TABLES.items()
    }
    return generated.filled(text, PAGE, "bench", made)


def _targets(bench: Bench) -> str:
    rows = [("met" if one.met else "**missed**", one.goal, one.figure) for one in bench.targets]
    return table(("", "target", "measured"), rows, 3)


def _prompts(bench: Bench) -> str:
    """The models at some of their prompts, with the first proposal's caches and with none."""
    rows = [
        row
        for row in bench.rows
        if row.section in (MODELS, EMPTY) and row.blocks * row.block_size in _CONTEXTS
    ]
    return _searches(rows)


def _caches(bench: Bench) -> str:
    return _searches([row for row in bench.rows if row.section in (DENSITY, CLUSTERED)])


def _searches(rows: Iterable[Row]) -> str:
    head = ("input", "cached", *_SHOWN, f"{UPSTREAM} / {PATCH}")
    cells = [
        (row.name, row.cached, *(_cell(row, name) for name in _SHOWN), f"{row.ratios[UPSTREAM]}x")
        for row in rows
    ]
    return table(head, cells, 2)


def _cell(row: Row, name: str) -> str:
    return f"{count(row.lookups[name])} · {microseconds(row.times[name].median)}"


def _rivals(bench: Bench) -> str:
    head = ("search", "cases", "wrong", "more lookups than upstream", "a block twice", "faults")
    return table(head, [_rival(name, one) for name, one in bench.audits.items()], 1)


def _rival(name: str, one: Audit) -> tuple[str, ...]:
    counts = (one.cases, one.wrong, one.more_lookups, one.repeated)
    faults = [f"`{fault}`" for fault in (one.smallest, one.stand_in) if fault]
    return (name, *(f"{count:,}" for count in counts), "; ".join(faults) or "none")


def _manager(bench: Bench) -> str:
    return _steps(bench.manager)


def _scheduler(bench: Bench) -> str:
    return _steps(bench.scheduler)


def _steps(steps: Iterable[Step]) -> str:
    head = ("situation", "prompts", "before, µs", "of it search", "after, µs", "of it search", "")
    return table(head, map(_step, steps), 1)


def _step(one: Step) -> tuple[str, ...]:
    sides = (
        (microseconds(one.times[name].median), f"{one.shares[name]:.0%}")
        for name in (UPSTREAM, PATCH)
    )
    before, after = sides
    return (one.what, f"{one.waiting} x {one.tokens // 1024}K", *before, *after, f"{one.ratio}x")


def _probing(bench: Bench) -> str:
    head = (
        "inputs",
        "number",
        "upstream",
        "patch",
        "forward",
        "growing",
        "backward",
        "growing needs more",
    )
    rows = [
        (one.what, *(f"{count:,}" for count in msgspec.structs.astuple(one)[1:]))
        for one in bench.probing
    ]
    return table(head, rows, 1)


_TABLES: dict[str, Callable[[Bench], str]] = {
    "targets": _targets,
    "prompts": _prompts,
    "caches": _caches,
    "rivals": _rivals,
    "manager": _manager,
    "scheduler": _scheduler,
    "probing": _probing,
}
