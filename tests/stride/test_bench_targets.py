"""Which targets are met is read off the rows alone."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from stride.bench.inputs import DENSITY, EMPTY, MODELS
from stride.bench.record import Row, Target
from stride.bench.rivals import PATCH, RIGHT_TO_LEFT, UPSTREAM
from stride.bench.rows import FLOOR
from stride.bench.targets import targets

from .made_up_bench import rows, seed_rows

SLOWER, MEAN, SPEEDUP, NEAR, SEED, NEVER = range(6)


def test_all_are_met_by_figures_that_are_good_enough() -> None:
    found = targets(rows())
    assert [target.met for target in found] == [True] * 6
    assert f"in {seed_rows()} of {seed_rows()}" == found[SEED].figure


def changed(where: Any, **changes: Any) -> tuple[Target, ...]:
    """The targets when the rows that `where` accepts have other figures."""

    def change(row: Row) -> Row:
        merged = {name: getattr(row, name) | more for name, more in changes.items()}
        return replace(row, **merged) if where(row) else row

    return targets([change(row) for row in rows()])


def at(section: str, tokens: int, window: int = 128) -> Any:
    return lambda row: (row.section, row.blocks * 16, row.window) == (section, tokens, window)


@pytest.mark.parametrize(("ratio", "met"), [(0.953, True), (0.95, False)])
def test_one_row_slower_than_right_to_left(ratio: float, met: bool) -> None:
    found = changed(at(MODELS, 4096), ratios={RIGHT_TO_LEFT: ratio})
    assert found[SLOWER].met is met
    assert found[SLOWER].figure.startswith("0 of" if met else "1 of")
    assert "models: Qwen3.8-Flash-Next, 4K" in found[SLOWER].figure
    assert found[MEAN].met


def test_behind_in_the_mean() -> None:
    assert not changed(lambda _: True, ratios={RIGHT_TO_LEFT: 0.99})[MEAN].met


@pytest.mark.parametrize(("ratio", "met"), [(61.0, True), (60.9, False)])
def test_the_speedup_counts_one_row(ratio: float, met: bool) -> None:
    found = changed(at(MODELS, 32_768), ratios={UPSTREAM: ratio})
    assert (found[SPEEDUP].met, found[SPEEDUP].figure) == (met, f"{ratio}x")
    assert changed(at(MODELS, 8_192), ratios={UPSTREAM: 1.0})[SPEEDUP].met


@pytest.mark.parametrize("section", [MODELS, EMPTY])
def test_far_from_the_floor(section: str) -> None:
    assert not changed(at(section, 131_072), ratios={FLOOR: 0.6})[NEAR].met
    assert changed(at(section, 32_768), ratios={FLOOR: 0.1})[NEAR].met


def test_as_many_lookups_as_the_first_proposal() -> None:
    found = changed(at(MODELS, 32_768), lookups={PATCH: 26})
    assert (found[SEED].met, found[SEED].figure) == (False, "in 20 of 21")


def test_more_lookups_than_upstream() -> None:
    found = changed(lambda row: row.section == DENSITY, lookups={PATCH: 2049})
    assert (found[NEVER].met, found[NEVER].figure) == (False, "more in 12 rows")
