"""What both arms did, as tables for the terminal, and in a few plain lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table

from stride.bench.rivals import PATCH, UPSTREAM
from stride.engine.figures import ARMS
from stride.engine.record import Result, Row
from stride.engine.workloads import COLD, WARM

#: A share of the engine's step below which nobody will notice a change.
NOTHING = 0.005


def tables(result: Result) -> Iterator[Table]:
    """What the search costs, then what comes out of the engine."""
    yield _search(result.rows)
    yield _engine(result.rows)


def _table(title: str, right: Sequence[str]) -> Table:
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD)
    table.add_column("workload")
    for name in right:
        table.add_column(name, justify="right")
    return table


def _search(rows: Sequence[Row]) -> Table:
    table = _table(
        "find_longest_cache_hit: before, after",
        ["cached", "searches", "lookups", "ms", "of schedule()", "of the step", "of first token"],
    )
    model = ""
    for row in rows:
        if row.model != model:
            model = row.model
            table.add_section()
            table.add_row(model, style="bold")
        table.add_row(name(row), f"{row.cached:,}", f"{row.searches:,}", *costs(row))
    return table


def name(row: Row) -> str:
    """A row below its model's name."""
    return f"{row.phase}, {size(row.context)}"


def size(tokens: int) -> str:
    """A prompt's length, short."""
    return f"{tokens // 1024}K" if tokens % 1024 == 0 else f"{tokens:,}"


def costs(row: Row) -> tuple[str, ...]:
    """Lookups, ms and shares of the search, each before and after."""
    before, after = (row.sides[arm] for arm in ARMS)
    return (
        f"{before.lookups:,}, {after.lookups:,}",
        f"{before.search:.2f}, {after.search:.2f}",
        f"{before.of_schedule:.0%}, {after.of_schedule:.0%}",
        f"{before.of_step:.2%}, {after.of_step:.2%}",
        f"{before.of_first_token:.2%}, {after.of_first_token:.2%}",
    )


def _engine(rows: Sequence[Row]) -> Table:
    table = _table(
        "the engine: before, after",
        ["requests", "steps", "tokens/s", "first token, ms", "wall, ms", "wall ratio"],
    )
    for row in rows:
        counts = (f"{row.requests}", f"{row.steps:,}")
        table.add_row(f"{row.model}: {name(row)}", *counts, *speeds(row))
    return table


def speeds(row: Row) -> tuple[str, ...]:
    """Tokens per second, time to first token and wall time, each before and after."""
    before, after = (row.sides[arm] for arm in ARMS)
    return (
        f"{before.tokens_per_second:,.0f}, {after.tokens_per_second:,.0f}",
        f"{before.first_token:,.1f}, {after.first_token:,.1f}",
        f"{before.wall:,.0f}, {after.wall:,.0f}",
        f"{row.wall_ratio:.2f}",
    )


def summary(result: Result) -> Iterator[str]:
    """What is to be taken from it."""
    yield (
        f"{result.compared:,} requests: the same token ids, cached tokens and block tables in all"
        f" {len(result.runs)} runs"
    )
    warm = [row for row in result.rows if row.phase in WARM]
    yield (
        f"cached tokens in the {len(warm)} warm workloads: {sum(row.cached for row in warm):,},"
        f" at least {min(row.cached for row in warm):,} in each"
    )
    yield matters(result.rows)
    yield matters_not(result.rows)
    yield whole(result)


def matters(rows: Sequence[Row]) -> str:
    """Where it saves most."""
    best = max(rows, key=lambda row: row.saved)
    before, after = best.sides[UPSTREAM], best.sides[PATCH]
    return (
        f"most is saved in {best.title}: the search takes {before.of_step:.2%} of the engine's"
        f" step before and {after.of_step:.2%} after, {before.of_schedule:.0%} and"
        f" {after.of_schedule:.0%} of schedule(): {best.saved:.2%} of the step saved"
    )


def matters_not(rows: Sequence[Row]) -> str:
    """Where nothing that matters can be saved."""
    few = [row for row in rows if row.sides[UPSTREAM].of_step < NOTHING]
    cold = [row for row in few if row.model == "hybrid" and row.phase == COLD]
    more = f", the hybrid's {len(cold)} with cold prompts among them" if cold else ""
    return (
        f"it does not matter in {len(few)} of {len(rows)} workloads, where the search takes less"
        f" than {NOTHING:.1%} of the step even before{more}"
    )


def whole(result: Result) -> str:
    """The wall time of everything, with what it varies by itself."""
    before, after = (result.walls[arm] for arm in ARMS)

    def shown(times: Sequence[float]) -> str:
        return " and ".join(f"{time:.1f}" for time in times)

    apart = max(before) < min(after) or max(after) < min(before)
    verdict = (
        "the runs of the two do not overlap"
        if apart and len(before) > 1
        else "no difference above the noise"
    )
    return f"wall time of a whole run: {shown(before)} s before, {shown(after)} s after: {verdict}"
