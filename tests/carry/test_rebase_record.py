from __future__ import annotations

import json
from pathlib import Path

import pytest

from carry import evidence

from . import records
from .records import result
from .repository import Repository
from .small_upstream import Upstream

CHECK = """
import sys
from datetime import UTC, datetime
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from carry import evidence
evidence.write(evidence.root_from_environment(), evidence.new(
    "exactness", {"cases": 3}, command="nox -s rebase", started=datetime.now(UTC),
    subject=evidence.subject_from_environment()))
if Path("fail").exists():
    raise SystemExit(3)
"""


@pytest.fixture
def checked(synced: Repository) -> Repository:
    """A repository whose rebase runs a check that writes a record."""
    records.ask_for_records(synced)
    command = json.dumps(["{python}", "-c", CHECK, str(Path(evidence.__file__).parents[1])])
    entry = f'\n[[tool.carry.checks]]\nname = "it holds"\ncommand = {command}\n'
    with (synced.root / "pyproject.toml").open("a") as file:
        file.write(entry)
    return synced


def written(repository: Repository) -> list[str]:
    return sorted(file.name for file in (repository.root / "evidence").glob("*"))


def test_a_rebase_leaves_its_record_and_its_checks(checked: Repository, upstream: Upstream) -> None:
    checked.done("rebase", "--onto", "1.2.0")
    assert written(checked) == ["exactness.json", "rebase.json"]
    told = result(checked, "rebase")
    assert told["from"] == {"base": "1.0.0", "commit": upstream.releases["1.0.0"]}
    assert told["moved"] is True
    assert told["checks"] == [{"name": "it holds", "outcome": "passed"}]
    assert [pair["change"] for pair in told["range_diff"]] == ["unchanged", "unchanged"]  # type: ignore[attr-defined]
    assert told["patches"] == [name for name in checked.patches() if name.endswith(".patch")]
    status = checked.done("status")
    assert "rebase: fresh" in status
    assert "exactness: fresh" in status
    assert [one.name for one in (checked.root / ".carry").glob("evidence-*")] == []


def test_a_rebase_that_failed_leaves_none(checked: Repository) -> None:
    (checked.root / "fail").touch()
    assert checked.carry("rebase", "--onto", "1.1.0").code == 1
    assert written(checked) == []
    (checked.root / "fail").unlink()
    checked.done("rebase", "--continue")
    assert written(checked) == ["exactness.json", "rebase.json"]


def test_a_dry_run_leaves_none(checked: Repository) -> None:
    checked.done("rebase", "--onto", "1.1.0", "--dry-run")
    assert written(checked) == []


def test_already_there_the_checks_run_once(checked: Repository) -> None:
    assert "running them" in checked.done("rebase", "--onto", "1.0.0")
    assert result(checked, "rebase")["moved"] is False
    assert "running them" not in checked.done("rebase", "--onto", "1.0.0")
    evidence.path(checked.root, "exactness").unlink()
    assert "running them" in checked.done("rebase", "--onto", "1.0.0")
    assert written(checked) == ["exactness.json", "rebase.json"]


def test_already_there_a_check_that_fails_is_a_line(checked: Repository) -> None:
    (checked.root / "fail").touch()
    said = checked.carry("rebase", "--onto", "1.0.0")
    assert "the check failed on the moved series: it holds (exit 3)" in said.err
    assert written(checked) == []


def test_upstreams_rewriting_of_a_function_is_recorded(checked: Repository) -> None:
    checked.done("rebase", "--onto", "1.2.0")
    assert result(checked, "rebase")["changed_functions"] == ["acme/scan.py::Scanner.find"]


def test_what_landed_is_recorded(checked: Repository) -> None:
    checked.done("rebase", "--onto", "v1.4.0", "--drop-landed")
    told = result(checked, "rebase")
    assert told["landed"] == ["0001-Compare-slices-in-Scanner.find.patch"]
    assert len(told["patches"]) == 1  # type: ignore[arg-type]
