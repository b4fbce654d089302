"""From what processes saw to a row."""

from __future__ import annotations

import pytest

from stride.bench.rivals import PATCH, UPSTREAM
from stride.engine import figures

from .made_up_engine import answer, phase


def test_a_row_has_shares_of_the_timed_runs_and_lookups_of_the_counted_one() -> None:
    counted = {UPSTREAM: [phase(search=0)], PATCH: [phase(search=0, lookups=4)]}
    timed = {
        UPSTREAM: [[phase(lookups=0)], [phase(lookups=0, step=20_000_000, wall=22_000_000)]],
        PATCH: [
            [phase(search=100_000, waited=(100_000,))],
            [phase(search=100_000, wall=6_000_000)],
        ],
    }
    (row,) = figures.rows(counted, timed)
    before, after = row.sides[UPSTREAM], row.sides[PATCH]
    assert (before.lookups, after.lookups) == (128, 4)
    assert before.of_step == pytest.approx(0.2)
    assert before.of_schedule == pytest.approx(0.5)
    assert before.of_first_token == pytest.approx(0.25)
    assert after.of_step == pytest.approx(0.01)
    assert row.saved == pytest.approx(before.of_step - after.of_step)
    assert before.wall == 12 and after.wall == 6
    assert row.wall_ratio == pytest.approx(2)
    assert before.tokens_per_second == pytest.approx((4_608 + 3) / 0.012, abs=0.1)
    assert (row.cached, row.output_tokens, row.requests) == (64, 3, 1)


def test_shares_are_of_all_requests_and_the_first_token_is_the_median() -> None:
    three = phase(
        answers=(answer(), answer(), answer()),
        first_token=(1_000_000, 2_000_000, 9_000_000),
        waited=(0, 600_000, 600_000),
    )
    same = {UPSTREAM: [three], PATCH: [three]}
    (row,) = figures.rows(same, {arm: [runs] for arm, runs in same.items()})
    assert row.sides[UPSTREAM].first_token == 2
    assert row.sides[UPSTREAM].of_first_token == pytest.approx(0.1)
    assert row.saved == 0 and row.wall_ratio == 1


def test_a_phase_without_a_scheduled_step_has_no_share() -> None:
    idle = phase(schedule=0, search=0)
    same = {UPSTREAM: [idle], PATCH: [idle]}
    (row,) = figures.rows(same, {arm: [runs] for arm, runs in same.items()})
    assert row.sides[PATCH].of_schedule == 0


def test_walls_are_of_whole_runs() -> None:
    run = [phase(), phase()]
    assert figures.walls({UPSTREAM: [run, run]}) == {UPSTREAM: (0.02, 0.02)}
