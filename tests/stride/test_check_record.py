"""The record that `stride check` leaves."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from carry import evidence
from stride import check_record
from stride.__main__ import commands
from stride.check import Tally
from stride.oracle import Oracle

ON = evidence.Subject(series="0123", base="1.0.0", commit="abc", tree="def")


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the environment names, with what the run is on."""
    for name, value in evidence.environment(ON, tmp_path).items():
        monkeypatch.setenv(name, value)
    return tmp_path


def test_cases_and_lookups_are_recorded_by_batch(told: Path) -> None:
    tallies = {"small": Tally(3, 4, 9), "large": Tally(1, 5, 70)}
    check_record.keep(check_record.passed(tallies), datetime.now(UTC))
    record = evidence.read(told, "exactness")
    assert record and record.subject == ON
    assert record.result["outcome"] == "passed"
    totals = [record.result[name] for name in ("cases", "lookups", "upstream_lookups")]
    assert totals == [4, 9, 79]
    assert [batch["name"] for batch in record.result["batches"]] == ["small", "large"]


def test_a_difference_is_recorded_as_failed(told: Path) -> None:
    check_record.keep(check_record.failed("it differs"), datetime.now(UTC))
    record = evidence.read(told, "exactness")
    assert record and record.result == {"outcome": "failed", "problem": "it differs"}


def test_started_by_hand_nothing_is_written(told: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(evidence.SUBJECT)
    check_record.keep(check_record.failed("it differs"), datetime.now(UTC))
    assert list(told.iterdir()) == []


def test_a_tenth_of_the_cases_is_not_recorded(told: Path, oracle: Oracle) -> None:
    trees = ["--base", str(oracle.base.tree), "--patched", str(oracle.patched.tree)]
    assert CliRunner().invoke(commands, ["check", "--quick", *trees]).exit_code == 0
    assert list(told.iterdir()) == []
