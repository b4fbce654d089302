from __future__ import annotations

import pytest

from carry import config, evidence, freshness, subject
from carry.freshness import State

from . import records
from .repository import Repository


@pytest.fixture
def asking(synced: Repository) -> Repository:
    """A repository that asks for records, and has one."""
    records.ask_for_records(synced)
    records.record(synced, "bench", median=3.5)
    return synced


def look(repository: Repository, kind: str = "bench") -> freshness.Evidence:
    loaded = config.load(repository.root)
    found = freshness.survey(loaded, subject.present(loaded))
    assert [one.kind for one in found] == list(records.KINDS)
    return next(one for one in found if one.kind == kind)


def test_a_record_of_this_series_and_base_is_fresh(asking: Repository) -> None:
    found = look(asking)
    assert (found.state, found.why, found.command) == (State.FRESH, "", "nox -s bench")
    assert found.title == "about bench"
    assert found.record and found.record.result == {"median": 3.5}


def test_a_record_that_was_never_made_or_is_deleted_is_missing(asking: Repository) -> None:
    evidence.path(asking.root, "bench").unlink()
    found = look(asking)
    assert (found.state, found.why, found.record) == (State.MISSING, "not run", None)


@pytest.mark.parametrize(("days", "state"), [(29.9, State.FRESH), (31.1, State.STALE)])
def test_a_record_ages(asking: Repository, days: float, state: State) -> None:
    records.record(asking, "bench", days=days)
    found = look(asking)
    assert found.state is state
    assert found.why == ("" if state is State.FRESH else "31 days old")


def test_a_record_of_a_time_to_come_shows_nothing(asking: Repository) -> None:
    records.record(asking, "bench", days=-3)
    assert look(asking).state is State.STALE
    assert look(asking).why.startswith("of a time to come, ")


def test_a_record_may_count_for_ever(synced: Repository) -> None:
    records.ask_for_records(synced, max_age_days=0)
    records.record(synced, "bench", days=4000)
    assert look(synced).state is State.FRESH


def test_an_altered_record_is_broken(asking: Repository) -> None:
    records.alter(asking, "bench", median=3.4)
    found = look(asking)
    assert (found.state, found.record) == (State.BROKEN, None)
    assert found.why == "was altered since it was recorded"
    assert str(asking.root) not in found.why


def test_a_changed_base_is_named(asking: Repository) -> None:
    asking.done("rebase", "--onto", "1.1.0")
    found = look(asking)
    assert (found.state, found.why) == (State.STALE, "base changed: 1.0.0 → 1.1.0")
    asking.done("rebase", "--onto", "1.0.0")
    assert look(asking).state is State.FRESH


def test_a_changed_series_is_named(asking: Repository) -> None:
    before = subject.present(config.load(asking.root)).series
    asking.change("README.md", ("# acme\n", "# my acme\n"))
    asking.tree_git("commit", "--quiet", "--all", "-m", "Mine")
    assert look(asking).state is State.FRESH  # not in the series yet
    asking.done("export")
    after = subject.present(config.load(asking.root)).series
    found = look(asking)
    assert (found.state, found.why) == (State.STALE, f"series changed: {before} → {after}")


@pytest.mark.parametrize(
    ("outcome", "state"), [("failed", State.BROKEN), ("skipped", State.MISSING)]
)
def test_what_did_not_pass_shows_nothing(asking: Repository, outcome: str, state: State) -> None:
    records.record(asking, "bench", outcome=outcome, problem="no torch here")
    found = look(asking)
    assert (found.state, found.why) == (state, f"{outcome}: no torch here")
    assert found.record


def test_without_the_submodule_the_manifest_says_what_the_base_is(asking: Repository) -> None:
    (asking.tree / ".git").unlink()
    loaded = config.load(asking.root)
    assert subject.present(loaded).tree == ""
    assert look(asking).state is State.FRESH
    file = asking.root / "patches" / "manifest.toml"
    file.write_text(file.read_text().replace('"1.0.0"', '"1.1.0"'))
    assert look(asking).why == "base changed: 1.0.0 → 1.1.0"
