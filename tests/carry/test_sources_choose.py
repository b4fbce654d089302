from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from carry import config as configuration
from carry import git, workspace
from carry.config import Config
from carry.errors import UserError
from carry.sources import Base, behind, resolve
from carry.sources.base import RELEASES

from .carrying import Carrying
from .small_index import Index
from .small_upstream import Upstream, commit, edit, run_git, write_sdist

Resolve = Callable[..., Base]


class Repository:
    """A carrying repository, and what was reported to its user."""

    def __init__(self, root: Path) -> None:
        self.config: Config = configuration.load(root)
        self.store = workspace.ensure_submodule(self.config)
        self.lines: list[str] = []

    def resolve(self, wanted: str, choice: str = "auto") -> Base:
        return resolve(self.config, self.store, wanted, choice, report=self.lines.append)

    def fails(self, wanted: str, choice: str = "auto") -> str:
        with pytest.raises(UserError) as caught:
            self.resolve(wanted, choice)
        assert "\n" not in caught.value.line()
        return caught.value.line()

    def lose_git(self) -> None:
        git.run(self.store, "config", "remote.origin.url", "/nowhere/acme.git")


@pytest.fixture
def repository(carrying: Carrying) -> Repository:
    return Repository(carrying())


@pytest.fixture
def cut_off(carrying: Carrying) -> Repository:
    """A repository whose upstream is out of reach."""
    return Repository(carrying(git_in_reach=False))


def test_git_is_taken_where_it_answers(
    repository: Repository, no_index: None, upstream: Upstream
) -> None:
    assert repository.resolve("").commit == upstream.main
    assert repository.resolve("1.2.0").upstream == upstream.releases["1.2.0"]
    assert repository.lines == [
        "taking main from upstream's git repository, which answers",
        "taking release 1.2.0 from upstream's git repository, which answers",
    ]


def test_the_index_is_taken_where_git_is_out_of_reach(cut_off: Repository, index: Index) -> None:
    assert cut_off.resolve("main").name == "1.2.0"
    first, second = cut_off.lines
    assert first.startswith("git is out of reach ('")
    assert first.endswith("), so the Python index has to do")
    assert second == "main stands for release 1.2.0, the newest on the Python index"


@pytest.mark.parametrize(("choice", "source"), [("git", "git"), ("pypi", "pypi")])
def test_the_users_choice_is_kept_to(
    repository: Repository, index: Index, choice: str, source: str
) -> None:
    assert repository.resolve("1.1.0", choice).source == source
    assert repository.resolve("main", choice).source == source
    assert repository.lines[0].endswith(", as asked")


def test_a_wrong_choice_names_the_right_ones(repository: Repository) -> None:
    assert repository.fails("main", "svn") == (
        "there is no source 'svn'; set --source or CARRY_SOURCE to one of auto, git, pypi"
    )


def test_what_is_here_needs_no_source(
    repository: Repository, index: Index, upstream: Upstream
) -> None:
    names = ["1.1.0", "v1.1.0", upstream.releases["1.1.0"], upstream.releases["1.1.0"][:7]]
    first = repository.resolve("1.1.0")
    repository.lose_git()
    index.status = 503
    assert {repository.resolve(name) for name in names} == {first}
    assert repository.resolve("1.1.0", "git") == first
    assert len(repository.lines) == 1
    assert index.requests == []


def test_an_imported_release_is_here_by_any_of_its_names(
    cut_off: Repository, index: Index, upstream: Upstream
) -> None:
    first = cut_off.resolve("1.1.0")
    index.requests.clear()
    of = upstream.releases["1.1.0"]
    for name in ("v1.1.0", of, of[:7], first.commit, first.commit[:9]):
        assert cut_off.resolve(name) == first
    assert index.requests == []
    assert len(cut_off.lines) == 1


def test_main_is_always_asked_for(
    repository: Repository, index: Index, upstream: Upstream, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.git"
    shutil.copytree(upstream.repository, copy)
    git.run(repository.store, "config", "remote.origin.url", str(copy))
    assert repository.resolve("main").commit == upstream.main
    run_git(copy, "update-ref", "refs/heads/main", upstream.releases["1.2.0"])
    assert repository.resolve("main").commit == upstream.releases["1.2.0"]


def test_when_nothing_answers_the_newest_that_is_here_is_taken(
    cut_off: Repository, index: Index
) -> None:
    first = cut_off.resolve("1.2.0")
    index.status = 503
    assert cut_off.resolve("main") == first
    assert "taking 1.2.0, the newest that is here; upstream was never asked" in cut_off.lines[-1]


def test_it_is_told_since_when_nobody_was_asked(cut_off: Repository, index: Index) -> None:
    cut_off.resolve("main")
    index.status = 503
    cut_off.resolve("main")
    assert "; upstream was last asked just now, 20" in cut_off.lines[-1]


def test_the_later_of_a_fetched_branch_and_a_release_is_taken(
    repository: Repository,
    index: Index,
    upstream: Upstream,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = tmp_path / "server"
    run_git(tmp_path, "clone", "--quiet", str(upstream.repository), str(server))
    git.run(repository.store, "config", "remote.origin.url", str(server))
    repository.resolve("main", "git")
    release = repository.resolve("1.1.0", "pypi")
    git.run(repository.store, "config", "remote.origin.url", "/nowhere/acme.git")
    index.status = 503
    # The archive's files are a minute younger than upstream's commits.
    assert repository.resolve("main") == release
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-11-02T12:00:00+00:00")
    (server / "news.txt").write_text("later\n")
    tip = commit(server, "Tell news")
    git.run(repository.store, "config", "remote.origin.url", str(server))
    repository.resolve("main", "git")
    git.run(repository.store, "config", "remote.origin.url", "/nowhere/acme.git")
    assert repository.resolve("main").commit == tip


def test_upstreams_own_commit_is_preferred(
    repository: Repository, index: Index, upstream: Upstream
) -> None:
    imported = repository.resolve("1.1.0", "pypi")
    assert repository.resolve("1.1.0") == imported
    own = repository.resolve("1.1.0", "git")
    assert own.commit == upstream.releases["1.1.0"]
    assert repository.resolve("1.1.0") == own
    assert repository.resolve(upstream.releases["1.1.0"]) == own
    assert repository.resolve("1.1.0", "pypi") == imported
    assert behind(repository.store, imported.commit, own.commit) is None


def test_a_commit_whose_files_are_not_here_does_not_count(
    repository: Repository, index: Index, upstream: Upstream
) -> None:
    repository.resolve("main", "git")
    repository.lose_git()
    base = repository.resolve("1.0.0")
    assert base.source == "pypi"
    assert base.upstream == upstream.releases["1.0.0"]


def test_tags_of_the_users_own_clone_count(
    repository: Repository, no_index: None, upstream: Upstream
) -> None:
    run_git(repository.store, "fetch", "--quiet", "--tags", "origin")
    repository.lose_git()
    assert repository.resolve("1.3.0").commit == upstream.releases["1.3.0"]
    assert repository.resolve(upstream.releases["1.4.0"][:9]).source == "git"
    assert repository.lines == []


def test_when_nothing_answers_both_causes_are_named(cut_off: Repository, no_index: None) -> None:
    said = cut_off.fails("1.0.0")
    assert said.startswith("neither source can be reached: git: '")
    assert "; index: connection refused; no release is here yet; mend the network" in said


def test_when_nothing_answers_the_releases_that_are_here_are_named(
    cut_off: Repository, index: Index
) -> None:
    cut_off.resolve("1.2.0")
    index.status = 503
    said = cut_off.fails("1.3.0")
    assert "; index: it answers with HTTP status 503; name a release that is here: " in said
    assert said.endswith("1.0.0, 1.2.0")


def test_a_chosen_source_that_does_not_answer(cut_off: Repository, no_index: None) -> None:
    said = cut_off.fails("1.0.0", "git")
    assert said.startswith("git: '")
    assert said.endswith("; try again, or take a release with --source pypi")
    said = cut_off.fails("1.0.0", "pypi")
    assert said.startswith("index: connection refused; try again, or use --source git")


def test_what_upstream_does_not_have_is_named_with_what_it_has(
    repository: Repository, index: Index
) -> None:
    assert "upstream has no tag v1.9.0; the nearest are v1." in repository.fails("1.9.0")
    assert index.requests == []


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("1.9.0", "the Python index has no source archive of acme 1.9.0, and git is out of reach"),
        ("nightly", "tag nightly is neither here nor a release, and git is out of reach ("),
        ("f" * 40, f"commit {'f' * 40} is neither here nor a release, and git is out of reach ("),
    ],
)
def test_without_git_only_releases_can_be_had(
    cut_off: Repository, index: Index, wanted: str, said: str
) -> None:
    line = cut_off.fails(wanted)
    assert line.startswith(said)
    assert "; only releases can be had: " in line


def test_what_has_no_meaning_is_refused_before_anything_is_asked(
    repository: Repository, index: Index
) -> None:
    assert "names no release, tag or commit" in repository.fails("main..other")
    assert repository.lines == []


def test_trees_that_differ_are_reported(
    repository: Repository, index: Index, upstream: Upstream, tmp_path: Path
) -> None:
    changed = tmp_path / "changed"
    run_git(tmp_path, "clone", "--quiet", "--branch=v1.1.0", str(upstream.repository), "changed")
    for number in range(7):
        (changed / f"extra{number}").touch()
    run_git(changed, "add", "--all")
    tree = run_git(changed, "write-tree")
    sdist = write_sdist(changed, "1.1.0", tree, tmp_path)
    index.add(sdist)
    made_from = upstream.releases["1.1.0"]
    edit(repository.config.root / "releases.toml", (upstream.sha256("1.1.0"), ""))
    edit(
        repository.config.root / "pyproject.toml",
        ('version-file = "acme/_version.py"\n', ""),
    )
    repository.config = configuration.load(repository.config.root)
    repository.resolve("1.1.0", "git")
    repository.lines.clear()
    repository.resolve("1.1.0", "pypi")
    assert repository.lines[-1] == (
        f"warning: the archive of 1.1.0 differs from upstream's commit {made_from[:9]} in "
        "extra0, extra1, extra2, extra3, extra4 and 2 more"
    )


def test_trees_that_agree_are_not_mentioned(repository: Repository, index: Index) -> None:
    repository.resolve("1.1.0", "git")
    repository.resolve("1.1.0", "pypi")
    assert not [line for line in repository.lines if "warning" in line]


def test_both_histories_live_side_by_side(
    repository: Repository, index: Index, upstream: Upstream
) -> None:
    for choice in ("git", "pypi"):
        for wanted in ("1.0.0", "1.2.0"):
            repository.resolve(wanted, choice)
    imported = git.refs(repository.store, f"{RELEASES}/")
    assert len(imported) == 2
    assert not set(imported.values()) & set(upstream.releases.values())
