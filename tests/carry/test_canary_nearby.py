"""Upstream's commits since the base that change a file of the series."""

from __future__ import annotations

from pathlib import Path

from carry import config as configuration
from carry.canary import nearby
from carry.canary.report import Nearby
from carry.workspace import ensure_submodule

from .carrying import Carrying
from .repository import MakeRepository
from .small_index import Index
from .small_upstream import Upstream, run_git

FILES = ("acme/scan.py", "tests/test_scan.py")


def find(root: Path, base: str, *, source: str = "auto", files: tuple[str, ...] = FILES) -> Nearby:
    config = configuration.load(root)
    ensure_submodule(config)
    return nearby.find(config, base, files, source)


def test_commits_that_change_a_file_of_the_series(carrying: Carrying) -> None:
    found = find(carrying(), "1.0.0")
    assert (found.known, found.why, found.since) == (True, "", 5)
    assert [one.subject for one in found.commits] == [
        "Say which start is negative", "Take large letters for small ones",
    ]  # fmt: skip
    assert {one.files for one in found.commits} == {("acme/scan.py",)}
    assert {one.date for one in found.commits} == {"2026-11-01"}


def test_the_others_are_counted_only(carrying: Carrying) -> None:
    found = find(carrying(), "1.2.0")
    assert (found.known, found.since, found.commits) == (True, 2, ())


def test_a_base_that_came_from_the_index(
    make_repository: MakeRepository, index: Index, upstream: Upstream
) -> None:
    """Of the imported commit upstream's history knows nothing, of the release's tag it does."""
    repository = make_repository(git_in_reach=False)
    repository.done("fetch", "1.2.0", "1.1.0")
    repository.tree_git("config", "remote.origin.url", str(upstream.repository))
    assert find(repository.root, "1.2.0").since == 2
    (touching,) = find(repository.root, "1.1.0").commits
    assert touching.commit == upstream.releases["1.2.0"][:9]


def test_a_history_that_is_cut_off(carrying: Carrying, upstream: Upstream) -> None:
    root = carrying()
    store = ensure_submodule(configuration.load(root))
    words = ("fetch", "--quiet", "--depth=1", f"file://{upstream.repository}", "v1.1.0")
    run_git(store, *words)
    found = find(root, "1.1.0")
    assert (found.known, found.why) == (False, "the history from 1.1.0 on is not whole here")


def test_nothing_is_near_a_series_without_files(carrying: Carrying) -> None:
    assert find(carrying(), "1.0.0", files=()).commits == ()


def test_out_of_reach(carrying: Carrying) -> None:
    found = find(carrying(git_in_reach=False), "1.0.0")
    assert not found.known
    assert found.why.startswith("git: ")
    assert found.commits == ()


def test_the_index_alone_is_not_gone_behind(carrying: Carrying) -> None:
    found = find(carrying(), "1.0.0", source="pypi")
    assert (found.known, "has no history" in found.why) == (False, True)
