from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import certifi
import pytest

from .carrying import Carrying, Series, carrying_repository, make_series
from .opening import Opening, make_ready
from .repository import Repository, carry
from .small_index import Index, serve
from .small_upstream import Upstream, build, run_git
from .stand_in_gh import Hub
from .stand_in_gh import install as install_gh


@pytest.fixture(scope="session")
def upstream(tmp_path_factory: pytest.TempPathFactory) -> Upstream:
    """The upstream repository and its sdists; not to be changed."""
    return build(tmp_path_factory.mktemp("upstream") / "acme")


@pytest.fixture(scope="session")
def acme_series(upstream: Upstream, tmp_path_factory: pytest.TempPathFactory) -> Series:
    """The files of a series of two patches on 1.0.0."""
    return make_series(upstream, tmp_path_factory.mktemp("series"))


@pytest.fixture
def carrying(tmp_path: Path, upstream: Upstream, acme_series: Series) -> Carrying:
    """Makes a repository that carries the series, below `tmp_path`."""

    def make(*, git_in_reach: bool = True) -> Path:
        return carrying_repository(tmp_path, upstream, acme_series, git_in_reach=git_in_reach)

    return make


@pytest.fixture
def index(upstream: Upstream, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    """A package index with the upstream's sdists, the one that pip is told to use.

    The releases that are not of upstream's branch are withdrawn, so that 1.2.0 is the newest.
    """
    with serve({path.name: path.read_bytes() for path in upstream.sdists.values()}) as index:
        index.yanked = {"1.3.0", "1.4.0", "1.5.0"}
        tell_pip(monkeypatch, index.url)
        yield index


@pytest.fixture
def no_index(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pip be told of an index where nobody answers."""
    # Nothing listens on the discard port.
    tell_pip(monkeypatch, "http://127.0.0.1:9/simple/")


def tell_pip(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    # Where both are given, pip itself need not be asked.
    monkeypatch.setenv("PIP_INDEX_URL", url)
    monkeypatch.setenv("PIP_CERT", certifi.where())


@pytest.fixture
def make_repository(
    carrying: Carrying, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Repository]:
    """Makes the repository with its command line."""

    def make(*, git_in_reach: bool = True) -> Repository:
        return Repository(carrying(git_in_reach=git_in_reach), capsys)

    return make


@pytest.fixture
def repository(make_repository: Callable[..., Repository]) -> Repository:
    """A repository whose upstream is in reach by git."""
    return make_repository()


@pytest.fixture(scope="session")
def in_place(
    upstream: Upstream, acme_series: Series, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A repository with the series in place; not to be changed."""
    root = carrying_repository(tmp_path_factory.mktemp("in-place"), upstream, acme_series)
    assert carry(root, "sync") == 0
    return root


@pytest.fixture
def synced(in_place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Repository:
    """A copy of it, with its command line."""
    root = shutil.copytree(in_place, tmp_path / "carrying", symlinks=True)
    return Repository(root, capsys)


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hub:
    """A hosting service without a pull request, to which gh is logged in."""
    return install_gh(tmp_path / "gh", monkeypatch)


@pytest.fixture
def fork(tmp_path: Path) -> Path:
    """Ada's fork of acme, still empty."""
    folder = tmp_path / "ada" / "acme.git"
    folder.mkdir(parents=True)
    run_git(folder, "init", "--quiet", "--bare", "--initial-branch=main")
    return folder


@pytest.fixture(scope="session")
def ready(
    upstream: Upstream, acme_series: Series, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A repository from which nothing bars the pull request; not to be changed."""
    return make_ready(tmp_path_factory.mktemp("ready"), upstream, acme_series)


@pytest.fixture
def opening(
    ready: Path, tmp_path: Path, hub: Hub, fork: Path, capsys: pytest.CaptureFixture[str]
) -> Opening:
    """A copy of it, a hosting service and a fork."""
    root = shutil.copytree(ready, tmp_path / "carrying", symlinks=True)
    return Opening(Repository(root, capsys), hub, fork)
