"""What was promised of the patch, held against what was measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import geometric_mean

from stride import seed_tables
from stride.bench.inputs import EMPTY, MODELS, TABLE_C
from stride.bench.record import Row, Target
from stride.bench.rivals import PATCH, RIGHT_TO_LEFT, UPSTREAM
from stride.bench.rows import FLOOR

#: Differences that are no differences.
NOISE = 0.05
SPEEDUP, SPEEDUP_TOKENS, SPEEDUP_WINDOW = 61, 32_768, 128
FLOOR_FACTOR, FLOOR_TOKENS = 1.5, 131_072


def targets(rows: Sequence[Row]) -> tuple[Target, ...]:
    """All of them, in the order in which they are shown."""
    return (
        _no_row_slower(rows),
        _ahead_in_the_mean(rows),
        _speedup(rows),
        _near_the_floor(rows),
        _fewer_lookups_than_the_seed(rows),
        _never_more_lookups(rows),
    )


def _no_row_slower(rows: Sequence[Row]) -> Target:
    goal = f"no row slower than {RIGHT_TO_LEFT} by more than {NOISE:.0%}"
    ratios = {row.title: 1 / row.ratios[RIGHT_TO_LEFT] for row in _comparable(rows)}
    worst = max(ratios, key=ratios.__getitem__)
    slower = sum(ratio > 1 + NOISE for ratio in ratios.values())
    figure = f"{slower} of {len(ratios)} rows; the worst takes {ratios[worst]:.2f}x ({worst})"
    return Target(goal, figure, not slower)


def _ahead_in_the_mean(rows: Sequence[Row]) -> Target:
    mean = geometric_mean([row.ratios[RIGHT_TO_LEFT] for row in _comparable(rows)])
    return Target(
        f"ahead of {RIGHT_TO_LEFT} in the geometric mean", f"{mean:.2f}x as fast", mean > 1
    )


def _comparable(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if RIGHT_TO_LEFT in row.ratios]


def _speedup(rows: Sequence[Row]) -> Target:
    chosen = [
        row
        for row in rows
        if row.section == MODELS and (_tokens(row), row.window) == (SPEEDUP_TOKENS, SPEEDUP_WINDOW)
    ]
    least = min(row.ratios[UPSTREAM] for row in chosen)
    goal = f"{SPEEDUP}x or more over upstream at 32K tokens, window of 2,048 (section {MODELS})"
    return Target(goal, f"{least:.1f}x", least >= SPEEDUP)


def _near_the_floor(rows: Sequence[Row]) -> Target:
    """The rows at 128K of the sections with the seed's caches and with an empty one."""
    factors = {
        row.title: 1 / row.ratios[FLOOR]
        for row in rows
        if row.section in (MODELS, EMPTY) and _tokens(row) == FLOOR_TOKENS
    }
    worst = max(factors, key=factors.__getitem__)
    goal = f"within {FLOOR_FACTOR}x of the floor at 128K (sections {MODELS} and {EMPTY})"
    figure = f"{factors[worst]:.2f}x at most, of {len(factors)} rows ({worst})"
    return Target(goal, figure, factors[worst] <= FLOOR_FACTOR)


def _fewer_lookups_than_the_seed(rows: Sequence[Row]) -> Target:
    """Each row of the seed's tables, with the row here that has its very input."""
    by_shape = {
        (row.section, row.blocks, row.window): row.lookups[PATCH]
        for row in rows
        if row.section in (MODELS, TABLE_C)
    }
    cases = seed_tables.read().cases()
    fewer = sum(
        by_shape[MODELS if row.model else TABLE_C, case.blocks, case.window] < row.lookups_stride
        for row, case in cases
    )
    goal = "fewer lookups than the seed in every row of its tables"
    return Target(goal, f"in {fewer} of {len(cases)}", fewer == len(cases))


def _never_more_lookups(rows: Iterable[Row]) -> Target:
    more = [row.title for row in rows if row.lookups[PATCH] > row.lookups[UPSTREAM]]
    goal = "never more lookups than upstream"
    return Target(goal, f"more in {len(more)} rows", not more)


def _tokens(row: Row) -> int:
    return row.blocks * row.block_size
