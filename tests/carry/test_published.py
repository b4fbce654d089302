from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from carry import config as configuration
from carry import evidence, git, published, subject, sync
from carry import fork as forks
from carry.config import Config
from carry.errors import UserError
from carry.published import Published, Version

from .carrying import AUTHOR
from .repository import Repository
from .small_upstream import Upstream

BRANCH = "perf/scan"


@pytest.fixture
def config(synced: Repository) -> Config:
    return configuration.load(synced.root)


def publish(config: Config, fork: Path) -> Published:
    """Push what is in the submodule, and write it down."""
    tip = git.run(config.tree, "rev-parse", "HEAD")
    forks.push(config.tree, forks.at(str(fork)), BRANCH, tip, "")
    base = git.run(config.tree, "rev-parse", "HEAD~2")
    version = Published(
        fork=str(fork), branch=BRANCH, commit=tip, base=base, repository="acme/acme"
    )
    published.record(config, subject.present(config), version)
    return version


def amend(repository: Repository) -> None:
    repository.change("tests/test_scan.py", ("scanner.looks == 3", "scanner.looks <= 3"))
    repository.tree_git("commit", "--quiet", "--all", "--amend", "--no-edit", who=AUTHOR)
    repository.done("export")


def range_diff(config: Config) -> str:
    return published.present_range_diff(config, sync.present_base(config, "auto"))


def test_what_was_published_is_read_back(config: Config, fork: Path) -> None:
    assert published.last(config) is None
    version = publish(config, fork)
    assert published.last(config) == version
    assert git.resolve(config.tree, f"{published.HELD}/{version.commit}") == version.commit


def test_a_record_that_cannot_be_read_is_a_line(config: Config, fork: Path) -> None:
    publish(config, fork)
    file = config.root / "evidence/published.json"
    file.write_text(file.read_text().replace('"branch": "perf/scan"', '"branch": "main"'))
    with pytest.raises(evidence.BrokenError, match="was altered"):
        published.last(config)
    evidence.write(
        config.root,
        evidence.new(
            "published", {"branch": 1}, command="x", subject=subject.present(config),
            started=datetime.now(UTC),
        ),
    )  # fmt: skip
    with pytest.raises(UserError, match=r"git checkout -- evidence/published\.json"):
        published.last(config)


def test_nothing_published_has_no_range_diff(synced: Repository, config: Config) -> None:
    assert range_diff(config) == ""


def test_an_amended_series_is_compared(synced: Repository, config: Config, fork: Path) -> None:
    publish(config, fork)
    amend(synced)
    text = range_diff(config)
    assert "1:  " in text
    assert " = 1:  " in text
    assert " ! 2:  " in text
    assert "looks <= 3" in text


def test_a_moved_series_is_compared(
    synced: Repository, config: Config, fork: Path, upstream: Upstream
) -> None:
    publish(config, fork)
    synced.done("rebase", "--onto", "1.1.0")
    text = range_diff(config)
    assert text.count("\n") == 1
    assert text.count(" = ") == 2


@pytest.mark.parametrize("in_reach", [True, False])
def test_a_fresh_clone_asks_the_fork(
    synced: Repository, config: Config, fork: Path, in_reach: bool
) -> None:
    publish(config, fork)
    amend(synced)
    shutil.rmtree(synced.tree)
    shutil.rmtree(synced.root / ".git/modules")
    synced.tree.mkdir()
    synced.done("sync")
    if not in_reach:
        shutil.rmtree(fork)
        with pytest.raises(UserError, match=r"^there is no range-diff: the fork .* does not give"):
            range_diff(config)
        base, tip = synced.tree_git("rev-parse", "HEAD~2", "HEAD").split()
        said = published.range_diff(config, base, tip)
        assert said.startswith(f"there is no range-diff: the fork {fork} does not give out ")
        assert f"note: there is no range-diff: the fork {fork} " in synced.carry("pr").out
    else:
        assert " ! 2:  " in range_diff(config)


def test_a_published_version_is_compared_with_the_one_it_replaced(
    synced: Repository, config: Config, fork: Path
) -> None:
    first = publish(config, fork)
    amend(synced)
    before = range_diff(config)
    tip = synced.tree_git("rev-parse", "HEAD")
    forks.push(config.tree, forks.at(str(fork)), BRANCH, tip, first.commit)
    second = msgspec.structs.replace(first, commit=tip, before=Version(first.commit, first.base))
    published.record(config, subject.present(config), second)
    assert range_diff(config) == before != ""


def test_a_published_commit_that_is_gone_is_told(
    synced: Repository, config: Config, fork: Path
) -> None:
    version = msgspec.structs.replace(publish(config, fork), commit="f" * 40)
    evidence.write(
        config.root,
        evidence.new(
            "published", msgspec.to_builtins(version), command="x",
            subject=subject.present(config), started=datetime.now(UTC),
        ),
    )  # fmt: skip
    with pytest.raises(
        UserError, match=r"^there is no range-diff: the fork .* does not give out f"
    ):
        range_diff(config)
