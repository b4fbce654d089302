from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from carry import config as configuration
from carry import git, workspace
from carry.config import Config
from carry.errors import UnreachableError, UserError
from carry.sources import behind, remote
from carry.sources import git as git_source
from carry.sources.base import Base
from carry.sources.wanted import parse

from .carrying import AUTHOR, Carrying
from .small_upstream import Upstream, commit, run_git


@pytest.fixture
def config(carrying: Carrying) -> Config:
    return configuration.load(carrying())


@pytest.fixture
def store(config: Config) -> Path:
    return workspace.ensure_submodule(config)


@pytest.fixture
def server(upstream: Upstream, store: Path, tmp_path: Path) -> Path:
    """A copy of upstream that a test may change, as the store's origin."""
    copy = tmp_path / "server.git"
    shutil.copytree(upstream.repository, copy)
    run_git(store, "config", "remote.origin.url", str(copy))
    return copy


def take(config: Config, store: Path, wanted: str) -> Base:
    return git_source.take(config, store, parse(config, wanted))


def test_main_is_upstreams_branch(config: Config, store: Path, upstream: Upstream) -> None:
    tip = upstream.main
    assert take(config, store, "main") == Base(f"main ({tip[:7]})", None, tip, tip, tip, "git")


@pytest.mark.parametrize("wanted", ["1.3.0", "v1.3.0"])
def test_a_release_is_its_tag(config: Config, store: Path, upstream: Upstream, wanted: str) -> None:
    of = upstream.releases["1.3.0"]
    base = take(config, store, wanted)
    assert base == Base("1.3.0", "1.3.0", of, of, of, "git")
    assert not base.rehearsal


def test_another_tag_is_no_release(config: Config, store: Path, server: Path) -> None:
    of = run_git(server, "rev-parse", "main~1")
    run_git(server, "tag", "nightly", of)
    assert take(config, store, "nightly") == Base(f"nightly ({of[:7]})", None, of, of, of, "git")


def test_a_commit_id_in_full(config: Config, store: Path, upstream: Upstream) -> None:
    of = upstream.releases["1.4.0"]
    assert take(config, store, of) == Base(of[:7], None, of, of, of, "git")


def test_a_commit_of_a_known_release_has_its_version(
    config: Config, store: Path, upstream: Upstream
) -> None:
    assert take(config, store, upstream.releases["1.1.0"]).version == "1.1.0"


def test_a_short_commit_id_is_found_on_the_branch(
    config: Config, store: Path, upstream: Upstream
) -> None:
    assert take(config, store, upstream.releases["1.2.0"][:8]).name == "1.2.0"


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("9.9.9", r"^upstream has no tag v9\.9\.9; the nearest are v1\.\d\.0, "),
        ("nightly", r"^upstream has no tag nightly; the nearest are v1"),
        ("f" * 40, rf"^upstream's main has no commit {'f' * 40}; check the id$"),
        ("f" * 8, r"^upstream's main has no commit f{8}; give all 40 digits, or check them$"),
    ],
)
def test_what_upstream_does_not_have(config: Config, store: Path, wanted: str, said: str) -> None:
    with pytest.raises(UserError, match=said) as caught:
        take(config, store, wanted)
    assert not isinstance(caught.value, UnreachableError)


def test_the_files_of_the_tree_are_there_and_no_others(
    config: Config, store: Path, upstream: Upstream
) -> None:
    tip = take(config, store, "main").commit
    assert remote.missing(store, tip) == []
    assert remote.missing(store, upstream.releases["1.0.0"]) != []
    assert git.run(store, "cat-file", "blob", f"{tip}:README.md")


def test_a_tree_can_be_checked_out_when_upstream_has_gone(
    config: Config, store: Path, server: Path
) -> None:
    base = take(config, store, "1.2.0")
    shutil.rmtree(server)
    with workspace.throwaway_worktree(config, "here", base.commit) as tree:
        assert "start is negative: " in (tree / "acme/scan.py").read_text()


@pytest.mark.parametrize("protocol", ["0", "2"])
@pytest.mark.parametrize("filtering", ["true", "false"])
def test_an_old_server_is_good_enough(
    config: Config, store: Path, server: Path, upstream: Upstream, home: Path,
    protocol: str, filtering: str,
) -> None:  # fmt: skip
    run_git(server, "config", "uploadpack.allowFilter", filtering)
    run_git(server, "config", "uploadpack.allowAnySHA1InWant", "false")
    (home / ".gitconfig").write_text(f"[protocol]\n\tversion = {protocol}\n")
    shutil.rmtree(server / ".git/hooks")
    for wanted in ("main", "1.3.0", upstream.releases["1.0.0"], upstream.releases["1.1.0"][:9]):
        base = take(config, store, wanted)
        assert remote.missing(store, base.commit) == []


def test_a_branch_that_moved_back_is_followed(
    config: Config, store: Path, server: Path, upstream: Upstream
) -> None:
    take(config, store, "main")
    run_git(server, "update-ref", "refs/heads/main", upstream.releases["1.2.0"])
    assert take(config, store, "main").commit == upstream.releases["1.2.0"]


def test_no_ref_of_the_users_is_made(config: Config, store: Path) -> None:
    for wanted in ("main", "1.0.0", "1.3.0"):
        take(config, store, wanted)
    assert set(git.refs(store, "refs/")) == {
        "refs/carry/upstream/heads/main",
        "refs/carry/upstream/tags/v1.0.0",
        "refs/carry/upstream/tags/v1.3.0",
    }
    assert not git.git_path(store, "FETCH_HEAD").exists()


def test_a_server_that_is_not_there(config: Config, store: Path, server: Path) -> None:
    git_source.ask(store)
    shutil.rmtree(server)
    with pytest.raises(UnreachableError, match=r"^git: '.*' does not appear to be a git repo"):
        git_source.ask(store)
    with pytest.raises(UnreachableError, match=r"^git: '.*' does not appear to be a git repo"):
        take(config, store, "main")


def test_a_server_that_is_silent_is_not_waited_for(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_git(store, "config", "remote.origin.uploadpack", "sleep 60; git-upload-pack")
    monkeypatch.setattr(git_source, "_PATIENCE", 0.5)
    with pytest.raises(UnreachableError, match=r"^git: no answer within 0\.5 s$"):
        git_source.ask(store)


def test_a_broken_transfer_is_no_missing_tag(config: Config, store: Path, server: Path) -> None:
    tree = run_git(server, "rev-parse", "v1.3.0^{tree}")
    (server / ".git/objects" / tree[:2] / tree[2:]).unlink()
    with pytest.raises(UnreachableError, match=r"^git: "):
        take(config, store, "1.3.0")


def test_how_far_behind(config: Config, store: Path, upstream: Upstream) -> None:
    pin = upstream.releases["1.0.0"]
    assert behind(store, pin, upstream.main) is None
    tip = take(config, store, "main").commit
    assert behind(store, pin, tip) == 5
    assert behind(store, tip, tip) == 0
    assert behind(store, "f" * 40, tip) is None


def test_what_a_shallow_store_lacks_is_not_counted(
    config: Config, store: Path, upstream: Upstream
) -> None:
    address = f"file://{upstream.repository}"
    run_git(store, "fetch", "--quiet", "--depth=1", address, "main")
    tip = take(config, store, "main").commit
    assert behind(store, tip, tip) is None


def test_a_commit_of_ours_is_not_upstreams(config: Config, store: Path, upstream: Upstream) -> None:
    base = take(config, store, "main")
    with workspace.throwaway_worktree(config, "ours", base.commit) as tree:
        (tree / "README.md").write_text("ours\n")
        ours = commit(tree, "Ours", who=AUTHOR)
    with pytest.raises(UserError, match="upstream's main has no commit"):
        take(config, store, ours)
