from __future__ import annotations

import json
import shutil
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from . import records
from .opening import Opening
from .repository import MakeRepository, Repository
from .small_index import Index
from .small_upstream import Upstream, run_git


def rows(repository: Repository) -> str:
    return " ".join(repository.done("status").split())


def as_json(repository: Repository, *words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(repository.done("status", "--json", *words))
    return found


def asked_before(repository: Repository, **elapsed: float) -> None:
    """Make the answer that is kept older."""
    file = repository.root / ".carry" / "upstream.json"
    kept = json.loads(file.read_text())
    then = datetime.fromisoformat(kept["asked"]) - timedelta(**elapsed)
    file.write_text(json.dumps(kept | {"asked": then.isoformat()}))


def test_a_fresh_clone(repository: Repository, upstream: Upstream) -> None:
    out = rows(repository)
    assert f"pin {upstream.releases['1.0.0']} (1.0.0)" in out
    assert f"base 1.0.0 ({upstream.releases['1.0.0']})" in out
    assert "5 release(s) behind: 1.1.0, 1.2.0, 1.3.0, 1.4.0, 1.5.0; carry rebase" in out
    assert f"main is at {upstream.main[:9]}, the newest release is 1.5.0; upstream's git" in out
    assert "0001-Compare-slices-in-Scanner.find.patch 0002-Test-how-far" in out
    assert "acme/ not there yet: carry sync" in out
    assert "under way nothing" in out
    # Nothing but the answer that it keeps for an hour.
    assert [file.name for file in (repository.root / ".carry").iterdir()] == ["upstream.json"]


def test_a_synced_tree(synced: Repository) -> None:
    tip = synced.tree_git("rev-parse", "HEAD")[:12]
    assert f"acme/ branch perf/scan at {tip} under way nothing" in rows(synced)


def test_what_is_not_saved_is_told(synced: Repository) -> None:
    synced.tree_git("commit", "--quiet", "--allow-empty", "-m", "Mine")
    (synced.tree / "notes.txt").write_text("mine")
    (synced.root / "patches" / "series").write_text("# mine\n" + synced.patches()["series"])
    out = rows(synced)
    assert "1 commit(s) not exported: carry export" in out
    assert "1 uncommitted change(s), notes.txt first" in out
    assert "patches/ has changed since: carry sync" in out


def test_an_operation_of_the_users_own_git_is_told(synced: Repository) -> None:
    synced.tree_git("bisect", "start")
    assert "under way a bisection in acme/" in rows(synced)


def test_a_rehearsal_is_told(make_repository: MakeRepository, index: Index) -> None:
    repository = make_repository(git_in_reach=False)
    repository.done("rebase")
    out = rows(repository)
    assert "(1.0.0)" in out
    assert "base 1.2.0 (a rehearsal: of the commit only" in out
    assert "upstream the newest release is 1.2.0 of 2026-11-02; the Python index was asked" in out
    assert "the series is on the newest" in out


def test_the_distance_to_upstreams_branch_is_counted(synced: Repository) -> None:
    synced.done("rebase", "--onto", "main", "--dry-run")
    assert "5 commit(s) behind main, as it was last fetched" in rows(synced)


def test_a_base_between_releases(synced: Repository, upstream: Upstream) -> None:
    synced.done("rebase", "--onto", "main")
    out = rows(synced)
    assert f"base {upstream.main}" in out
    assert f"pin {upstream.main} (no release)" in out


def test_each_record_has_a_row_with_the_command_that_makes_it(synced: Repository) -> None:
    records.ask_for_records(synced)
    records.record(synced, "tests")
    records.record(synced, "exactness")
    records.record(synced, "bench", days=40)
    records.alter(synced, "exactness", cases=9)
    out = rows(synced)
    assert "evidence rebase: missing (not run): nox -s rebase tests: fresh, made on 1.0.0" in out
    assert "broken (was altered since it was recorded): nox -s rebase" in out
    assert "bench: stale (40 days old), made on 1.0.0: nox -s bench" in out


def test_a_fresh_clone_has_rows_of_records_too(repository: Repository) -> None:
    records.ask_for_records(repository)
    records.record(repository, "bench")
    assert "bench: fresh" in rows(repository)
    (repository.root / "patches" / "series").write_text("gone.patch\n")
    assert "evidence not known: patches/: series names gone.patch" in rows(repository)


def test_what_is_published_and_what_is_found_is_told(opening: Opening) -> None:
    told = rows(opening.repository)
    assert "duplicates fresh, and every difference is written published nothing yet" in told
    opening.repository.done(*opening.words("--yes"))
    assert f"published {opening.tip()[:12]} on " in rows(opening.repository)
    for kind in ("duplicates", "published"):
        file = opening.root / "evidence" / f"{kind}.json"
        file.write_text(file.read_text().replace('"acme/acme"', '"eve/acme"'))
    assert rows(opening.repository).count("was altered since it was recorded") == 2


def test_json_tells_the_same(make_repository: MakeRepository, index: Index) -> None:
    repository = make_repository(git_in_reach=False)
    records.ask_for_records(repository)
    records.record(repository, "tests")
    found = as_json(repository)
    assert found["schema"] == 1
    assert found["base"]["version"] == "1.0.0"
    assert found["upstream"]["version"] == "1.2.0"
    assert found["upstream"]["source"] == "pypi"
    assert found["upstream"]["between"] == ["1.1.0", "1.2.0"]
    assert found["upstream"]["is_base"] is False
    assert found["upstream"]["uploaded"] == "2026-11-02T10:12:56+00:00"
    assert [len(found["upstream"]["sha256"]), found["upstream"]["tip"]] == [64, ""]
    states = {one["kind"]: (one["state"], one["base"]) for one in found["evidence"]}
    assert states["tests"] == ("fresh", "1.0.0")
    assert states["bench"] == ("missing", "")
    repository.done("rebase")
    found = as_json(repository)
    assert found["base"] == {"version": "1.2.0", "commit": found["base"]["commit"],
                             "rehearsal": True}  # fmt: skip
    assert found["upstream"]["is_base"] is True
    assert found["upstream"]["between"] == []


def test_json_keeps_to_its_form(repository: Repository) -> None:
    found = as_json(repository)
    documented = Path(__file__).parents[2].joinpath("docs", "status.md").read_text("utf-8")
    for table in (found, found["pin"], found["base"], found["upstream"]):
        for key in table:
            assert f"`{key}`" in documented, key


def test_a_release_that_appears_is_told_within_the_hour(
    make_repository: MakeRepository, index: Index
) -> None:
    repository = make_repository(git_in_reach=False)
    index.missing = {"1.2.0"}
    assert as_json(repository)["upstream"]["version"] == "1.1.0"
    index.missing = set()
    assert as_json(repository)["upstream"]["version"] == "1.1.0"
    asked_before(repository, minutes=59)
    assert as_json(repository)["upstream"]["version"] == "1.1.0"
    asked_before(repository, minutes=2)
    assert as_json(repository)["upstream"]["version"] == "1.2.0"


def test_an_answer_of_a_time_to_come_is_not_taken(
    make_repository: MakeRepository, index: Index
) -> None:
    repository = make_repository(git_in_reach=False)
    index.missing = {"1.2.0"}
    rows(repository)
    index.missing = set()
    asked_before(repository, hours=-3)
    assert as_json(repository)["upstream"]["version"] == "1.2.0"


def test_offline_nobody_is_asked_and_the_age_is_told(
    make_repository: MakeRepository, index: Index
) -> None:
    repository = make_repository(git_in_reach=False)
    assert "upstream never asked: carry rebase --dry-run asks" in " ".join(
        repository.done("status", "--offline").split()
    )
    assert index.requests == []
    rows(repository)
    asked_before(repository, days=3)
    index.requests.clear()
    out = " ".join(repository.done("status", "--offline").split())
    assert "the Python index was asked 3 days ago, 20" in out
    assert index.requests == []


def test_without_a_network_the_last_answer_and_the_reason_are_told(
    make_repository: MakeRepository, index: Index
) -> None:
    repository = make_repository(git_in_reach=False)
    rows(repository)
    asked_before(repository, hours=5)
    index.status = 503
    out = rows(repository)
    assert "was asked 5 hours ago" in out
    assert "not asked now: git: " in out
    assert "index: it answers with HTTP status 503" in out


def test_an_answer_that_cannot_be_read_is_asked_for_again(
    make_repository: MakeRepository, index: Index
) -> None:
    repository = make_repository(git_in_reach=False)
    (repository.root / ".carry").mkdir()
    (repository.root / ".carry" / "upstream.json").write_text("{")
    assert as_json(repository)["upstream"]["version"] == "1.2.0"


@pytest.mark.parametrize("source", ["git", "pypi"])
def test_the_source_may_be_chosen(repository: Repository, index: Index, source: str) -> None:
    rows(repository)
    assert as_json(repository, "--source", source)["upstream"]["source"] == source


def test_a_branch_that_has_moved_is_seen(
    synced: Repository, upstream: Upstream, tmp_path: Path
) -> None:
    server = shutil.copytree(upstream.repository, tmp_path / "server.git")
    synced.tree_git("config", "remote.origin.url", str(server))
    synced.done("rebase")
    assert as_json(synced)["upstream"]["is_base"] is True
    tip = upstream.releases["1.3.0"]
    run_git(server, "update-ref", "refs/heads/main", tip)
    asked_before(synced, hours=2)
    found = as_json(synced)["upstream"]
    assert (found["tip"], found["is_base"]) == (tip, False)
