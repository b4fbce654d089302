"""The throwaway clone: what it takes from the repository, and that it goes away."""

from __future__ import annotations

from pathlib import Path

import pytest

from carry import config as configuration
from carry import git
from carry.canary.clone import throwaway
from carry.config import Config
from carry.errors import UserError
from carry.sources import remote, resolve

from .carrying import AUTHOR, Carrying
from .repository import MakeRepository, Repository
from .small_index import Index
from .small_upstream import Upstream, run_git


@pytest.fixture
def config(synced: Repository) -> Config:
    return configuration.load(synced.root)


def own_objects(clone: Config) -> int:
    """How many objects the clone's submodule has of its own."""
    lines = run_git(clone.tree, "count-objects", "-v").splitlines()
    counts = dict(line.split(": ", 1) for line in lines)
    return int(counts["count"]) + int(counts["in-pack"])


def test_it_is_what_is_committed_and_knows_upstreams_commits(
    config: Config, upstream: Upstream
) -> None:
    (config.root / "patches" / "series").write_text("# mine\n")
    with throwaway(config) as clone:
        assert git.head(clone.root) == git.head(config.root)
        assert "# mine" not in (clone.patches_dir / "series").read_text()
        base = resolve(clone, clone.tree, "1.0.0")
        assert base.commit == upstream.releases["1.0.0"]
        assert own_objects(clone) == 0
        assert remote.is_partial(clone.tree, "origin")


def test_it_has_no_record(config: Config) -> None:
    (config.root / "evidence").mkdir()
    (config.root / "evidence" / "tests.json").touch()
    run_git(config.root, "add", "evidence")
    run_git(config.root, "commit", "--quiet", "-m", "Record", who=AUTHOR)
    with throwaway(config) as clone:
        assert not (clone.root / "evidence").exists()
    assert (config.root / "evidence" / "tests.json").exists()


def test_it_is_gone_whatever_happens(config: Config) -> None:
    with pytest.raises(ZeroDivisionError), throwaway(config) as clone:
        assert clone.root.exists()
        raise ZeroDivisionError
    assert not clone.root.exists()
    assert (config.state_dir / "downloads").is_dir()


def test_a_release_is_downloaded_once(
    make_repository: MakeRepository, index: Index, upstream: Upstream
) -> None:
    config = configuration.load(make_repository(git_in_reach=False).root)
    for _ in range(2):
        with throwaway(config) as clone:
            resolve(clone, clone.tree, "1.1.0", "pypi")
    names = [name for name, _ in index.downloads]
    assert names.count("acme-1.1.0.tar.gz") == 1
    assert (config.state_dir / "downloads" / "acme-1.1.0.tar.gz").exists()


def test_a_release_that_was_imported_is_not_imported_again(
    make_repository: MakeRepository, index: Index
) -> None:
    repository = make_repository(git_in_reach=False)
    repository.done("fetch", "1.1.0")
    index.requests.clear()
    config = configuration.load(repository.root)
    with throwaway(config) as clone:
        assert resolve(clone, clone.tree, "1.1.0", "pypi").source == "pypi"
        assert own_objects(clone) == 0
    assert index.requests == []


def test_the_address_is_the_stores_own(config: Config) -> None:
    run_git(config.tree, "config", "remote.origin.url", "/mirror/acme.git")
    with throwaway(config) as clone:
        assert run_git(clone.tree, "config", "remote.origin.url") == "/mirror/acme.git"


def test_a_history_that_is_cut_off_stays_so(carrying: Carrying, upstream: Upstream) -> None:
    root = carrying()
    url = f"file://{upstream.repository}"
    run_git(root, "clone", "--quiet", "--depth=1", "--branch=v1.0.0", url, "acme")
    with throwaway(configuration.load(root)) as clone:
        assert run_git(clone.tree, "rev-list", "--count", "v1.0.0") == "1"


def test_a_fresh_clone_without_the_submodule(carrying: Carrying) -> None:
    root = carrying()
    with throwaway(configuration.load(root)) as clone:
        assert git.is_repository(clone.tree)
    assert list((root / "acme").iterdir()) == []


def test_a_detached_head_and_a_shallow_clone(carrying: Carrying, tmp_path: Path) -> None:
    """As a service that runs checks has it."""
    root = carrying()
    run_git(root, "commit", "--quiet", "--allow-empty", "-m", "Another", who=AUTHOR)
    run_git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{root}", "shallow")
    shallow = tmp_path / "shallow"
    run_git(shallow, "checkout", "--quiet", "--detach")
    run_git(shallow, "branch", "--quiet", "-D", "main")
    with throwaway(configuration.load(shallow)) as clone:
        assert git.head(clone.root) == git.head(root)
        assert (clone.patches_dir / "manifest.toml").exists()


def test_a_repository_without_a_commit(carrying: Carrying) -> None:
    root = carrying()
    run_git(root, "update-ref", "-d", "HEAD")
    with pytest.raises(UserError, match="has no commit yet"), throwaway(configuration.load(root)):
        pass
