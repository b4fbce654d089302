from __future__ import annotations

from carry import config, freshness, subject
from carry.freshness import State

from . import records
from .records import result
from .repository import Repository

NEW = "tests/test_scan.py::test_find_stops_where_no_mark_can_fit"


def state(repository: Repository) -> tuple[State, str]:
    loaded = config.load(repository.root)
    found = freshness.survey(loaded, subject.present(loaded))
    return next((one.state, one.why) for one in found if one.kind == "tests")


def test_the_counts_and_the_new_tests_are_recorded(synced: Repository) -> None:
    records.ask_for_records(synced)
    said = synced.carry("test")
    assert said.code == 0, said
    told = result(synced, "tests")
    before, after = told["passed_before"], told["passed_after"]
    assert f"1.0.0: {before} passed before the series, {after} passed after it" in said.out
    assert isinstance(before, int)
    assert before > 0
    assert (after, told["new"], told["regressions"]) == (before + 1, 1, 0)
    assert told["new_tests"] == [NEW]
    assert [part["file"] for part in told["files"]] == ["tests/test_scan.py"]  # type: ignore[attr-defined]
    assert state(synced) == (State.FRESH, "")


def test_what_the_series_breaks_is_recorded_and_is_not_fresh(synced: Repository) -> None:
    records.ask_for_records(synced)
    synced.change("acme/scan.py", ("                return place\n", "                return 9\n"))
    synced.tree_git("commit", "--quiet", "--all", "--amend", "--no-edit")
    synced.done("export")
    assert "the series breaks" in synced.carry("test").err
    found, why = state(synced)
    assert found is State.BROKEN
    assert why.startswith("failed: the series breaks")
    assert result(synced, "tests")["failing"]


def test_what_is_not_exported_is_not_recorded_for_the_series(synced: Repository) -> None:
    records.ask_for_records(synced)
    synced.change("README.md", ("# acme\n", "# my acme\n"))
    assert synced.carry("test").code == 0
    assert state(synced)[1].startswith("series changed: ")
