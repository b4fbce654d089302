"""A repository from which nothing bars the pull request, and what is looked at when it opens."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from carry import config as configuration
from carry import evidence, subject
from carry.config import Config
from carry.sources import resolve

from .carrying import Series, carrying_repository
from .repository import Repository, carry
from .small_upstream import Upstream, run_git
from .stand_in_gh import Hub, install

BO = ("Bo Öst", "bo@example.org")
BRANCH = "perf/scan"
TABLES = """\
[tool.carry.pull-request]
repository = "acme/acme"
searches = ["scanner in:title"]
address = [7]

[[tool.carry.evidence]]
kind = "tests"
title = "tests"
command = "nox -s test"

[[tool.carry.evidence]]
kind = "rocm"
title = "the engine on ROCm"
command = "nox -s smoke"
required = false
"""
WORDS = """\
title = "[Scan] Compare slices"
overview = "Compares slices."
assistance = "A robot helped."
distinct = "Nobody else does it."

[sections]
What = ["overview", "claims"]
"Shown by" = ["validation", "records"]
More = ["differences", "range-diff", "assistance"]

[[claim]]
kind = "tests"
text = "The tests pass."

[[tick]]
begins = "I used a robot"

[[tick]]
begins = "Tests:"
kinds = ["tests"]

[differences]
7 = "It needs threads."
"""


@dataclass(frozen=True)
class Opening:
    """The repository, the hosting service and the fork."""

    repository: Repository
    hub: Hub
    fork: Path

    @property
    def root(self) -> Path:
        return self.repository.root

    @property
    def config(self) -> Config:
        return configuration.load(self.root)

    def words(self, *more: str) -> tuple[str, ...]:
        return ("pr", "--open", "--fork", str(self.fork), *more)

    def tip(self) -> str:
        """The last commit of the series."""
        return self.repository.tree_git("rev-parse", "HEAD")

    def published(self) -> str:
        """The fork's branch; empty where there is none."""
        return run_git(self.fork, "for-each-ref", "--format=%(objectname)", f"refs/heads/{BRANCH}")

    def reasons(self, *more: str) -> list[str]:
        """What bars the pull request; the run must say so and change nothing."""
        before = (self.published(), self.hub.calls("pr create"), self.repository.state())
        said = self.repository.carry(*self.words("--yes", *more))
        assert said.code == 1, said
        mark = "not to be opened: "
        reasons = [
            line.removeprefix(mark) for line in said.out.splitlines() if line.startswith(mark)
        ]
        assert f"carry: {len(reasons)} reason(s) speak against" in said.err
        assert said.err.count("\n") == 1
        assert (self.published(), self.hub.calls("pr create"), self.repository.state()) == before
        return reasons

    def amend(self) -> None:
        """Change the series, and record again what must be fresh."""
        self.repository.change("tests/test_scan.py", ("looks == 3", "looks <= 3"))
        self.repository.tree_git("commit", "--quiet", "--all", "--amend", "--no-edit", who=BO)
        self.repository.done("export")
        self.repository.git("commit", "--quiet", "--all", "-m", "Amend", who=BO)
        record_tests(self.config)
        self.repository.done("pr", "--check-duplicates")


def record_tests(config: Config) -> None:
    """Let the tests have run on the series as it stands."""
    started = datetime.now(UTC)
    now = subject.on(config, resolve(config, config.tree, _base(config)))
    evidence.write(
        config.root, evidence.new("tests", {}, command="nox", started=started, subject=now)
    )


def _base(config: Config) -> str:
    return run_git(config.tree, "rev-parse", "HEAD~2")


def make_ready(folder: Path, upstream: Upstream, series: Series) -> Path:
    """Make the repository: adopted, on upstream's branch, tested and checked for duplicates."""
    folder.mkdir(exist_ok=True)
    root = carrying_repository(folder, upstream, series)
    run_git(root, "config", "user.name", BO[0])
    run_git(root, "config", "user.email", BO[1])
    file = root / "pyproject.toml"
    file.write_text(f"{file.read_text()}\n{TABLES}")
    (root / "patches/pull_request.toml").write_text(WORDS)
    run_git(root, "add", "--all", "--", "patches", "pyproject.toml")
    run_git(root, "commit", "--quiet", "-m", "Configure", who=BO)
    with pytest.MonkeyPatch.context() as patch:
        install(folder / "gh", patch)
        for words in (["sync"], ["adopt"]):
            assert carry(root, *words) == 0
        run_git(root, "commit", "--quiet", "--all", "-m", "Adopt", who=BO)
        assert carry(root, "rebase") == 0
        run_git(root, "commit", "--quiet", "--all", "-m", "Rebase", who=BO)
        assert carry(root, "pr", "--check-duplicates") == 0
    record_tests(configuration.load(root))
    return root
