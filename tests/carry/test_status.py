from __future__ import annotations

from . import records
from .opening import Opening
from .repository import MakeRepository, Repository
from .small_index import Index
from .small_upstream import Upstream


def rows(repository: Repository) -> str:
    return " ".join(repository.done("status").split())


def test_a_fresh_clone(repository: Repository, upstream: Upstream) -> None:
    out = rows(repository)
    assert f"pin {upstream.releases['1.0.0']} (1.0.0)" in out
    assert f"base 1.0.0 ({upstream.releases['1.0.0']})" in out
    assert "2 release(s) behind: 1.1.0, 1.2.0" in out
    assert "0001-Compare-slices-in-Scanner.find.patch 0002-Test-how-far" in out
    assert "acme/ not there yet: nox -s sync" in out
    assert "under way nothing" in out
    assert not (repository.root / ".carry").exists()


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
    assert "patches/ has changed since: nox -s sync" in out


def test_an_operation_of_the_users_own_git_is_told(synced: Repository) -> None:
    synced.tree_git("bisect", "start")
    assert "under way a bisection in acme/" in rows(synced)


def test_a_rehearsal_is_told(make_repository: MakeRepository, index: Index) -> None:
    repository = make_repository(git_in_reach=False)
    repository.done("rebase")
    out = rows(repository)
    assert "(1.0.0)" in out
    assert "base 1.2.0 (a rehearsal: of the commit only" in out
    assert "upstream newest known release" in out


def test_the_distance_to_upstreams_branch_is_counted(synced: Repository) -> None:
    synced.done("rebase", "--onto", "main", "--dry-run")
    assert "upstream 5 commit(s) behind main, as it was last fetched" in rows(synced)


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
    assert "evidence rebase: missing (not run): nox -s rebase tests: fresh exactness: broken" in out
    assert "broken (was altered since it was recorded): nox -s rebase" in out
    assert "bench: stale (40 days old): nox -s bench" in out


def test_a_fresh_clone_has_rows_of_records_too(repository: Repository) -> None:
    records.ask_for_records(repository)
    records.record(repository, "bench")
    assert "bench: fresh" in rows(repository)
    assert not (repository.root / ".carry").exists()
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
