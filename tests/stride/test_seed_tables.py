"""The first proposal's own workloads: fewer lookups than it needed, in every row."""

from __future__ import annotations

import pytest

from stride import seed_tables
from stride.cache import stand_in
from stride.case import Case
from stride.exactness import faults
from stride.oracle import Oracle
from stride.search import run_both
from stride.seed_tables import Row

ROWS = seed_tables.read().cases()


def test_there_are_21_rows() -> None:
    assert len(ROWS) == 21


@pytest.mark.parametrize(
    ("row", "case"),
    ROWS,
    ids=[f"{row.model or 'table C'}-{row.window_tokens}-{row.context_tokens}" for row, _ in ROWS],
)
def test_fewer_lookups_than_the_first_proposal(oracle: Oracle, row: Row, case: Case) -> None:
    outcome = run_both(oracle, case, stand_in)
    assert faults(outcome) == []
    assert len(outcome.upstream.probes) == row.lookups_linear
    assert len(outcome.patched.probes) < row.lookups_stride
