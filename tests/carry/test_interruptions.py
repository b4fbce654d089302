"""A rebase that is killed leaves the old state or, after the next run, the new one."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from git import Git

from carry import swap as swapping
from carry.__main__ import main

from .repository import Place, Repository, State, carry
from .small_upstream import Upstream

TARGET = ("rebase", "--onto", "1.1.0")
SHARES = 4


class Killer:
    """Counts acts, and ends its process without a word before one of them.

    An act is a git command, or a file put in place or removed. For the phase "swap" those
    count that come after the result begins to be put in place, for "files" the one in which
    the patches are.
    """

    def __init__(self, phase: str, number: int) -> None:
        self.number = number
        self.count = 0
        self.counting = phase == "any" or phase == "files"
        if phase == "files":
            swapping.write_folder = self.counted(swapping.write_folder)
            return
        Git.execute = self.counted(Git.execute)  # type: ignore[method-assign]
        for name in ("replace", "unlink"):
            setattr(Path, name, self.counted(getattr(Path, name)))
        if phase == "swap":
            pytest.MonkeyPatch().setattr("carry.rebase.swap", self.begin(swapping.swap))

    def counted(self, act: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            self.count += self.counting
            if self.counting and self.count == self.number:
                os.kill(os.getpid(), signal.SIGKILL)
            return act(*args, **kwargs)

        return call

    def begin(self, act: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            self.counting = True
            return act(*args, **kwargs)

        return call


def killed(repository: Repository, phase: str, number: int) -> bool:
    """Run the rebase in a process of its own; whether it was killed before its n-th act."""
    return run_apart(repository, phase, number) is None


def acts(repository: Place, phase: str) -> int:
    """How many acts of a phase there are."""
    count = run_apart(repository, phase, -1)
    assert count is not None
    return count


def run_apart(repository: Place, phase: str, number: int) -> int | None:
    """Run the rebase in a fork; returns how many acts it had, None if it was killed."""
    answer = repository.root.parent / "acts"
    answer.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            killer = Killer(phase, number)
            code = main(["--root", str(repository.root), *TARGET])
            answer.write_text(str(killer.count))
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return None
    assert os.WEXITSTATUS(status) == 0
    return int(answer.read_text())


@dataclass(frozen=True)
class Moved:
    """A repository before a rebase onto 1.1.0, and what the rebase makes of it."""

    root: Path
    before: State
    after: State
    #: How many acts the rebase has, and how many of them put its result in place.
    acts: int
    swap: int


@pytest.fixture(scope="session")
def moved(in_place: Path, tmp_path_factory: pytest.TempPathFactory) -> Moved:
    """Not to be changed."""
    folder = tmp_path_factory.mktemp("moved")

    def copied(name: str) -> Place:
        return Place(shutil.copytree(in_place, folder / name / "carrying", symlinks=True))

    counted = {phase: acts(copied(phase), phase) for phase in ("any", "swap")}
    after = copied("after")
    before = after.state()
    assert carry(after.root, *TARGET) == 0
    return Moved(in_place, before, after.state(), counted["any"], counted["swap"])


def reset(repository: Repository, moved: Moved) -> None:
    shutil.rmtree(repository.root)
    shutil.copytree(moved.root, repository.root, symlinks=True)


#: The kills of a test are shared out, so that there is something for every worker.
shares = pytest.mark.parametrize("share", range(SHARES))


@shares
def test_a_kill_before_the_end_changes_nothing(
    synced: Repository, moved: Moved, share: int
) -> None:
    early = moved.acts - moved.swap
    for number in range(1, early, early // 10)[share::SHARES]:
        reset(synced, moved)
        assert killed(synced, "any", number), number
        assert synced.state() == moved.before, number
        synced.done(*TARGET)
        assert synced.state() == moved.after, number
        assert synced.worktrees() == []


@shares
def test_a_kill_while_the_result_is_put_in_place_is_made_good_by_the_next_run(
    synced: Repository, moved: Moved, share: int
) -> None:
    finished = 0
    for number in range(1, moved.swap + 1)[share::SHARES]:
        reset(synced, moved)
        assert killed(synced, "swap", number), number
        begun = (synced.root / ".carry" / "swap.json").exists()
        assert ("finishing it" in synced.done("sync")) == begun
        finished += begun
        assert synced.state() in (moved.before, moved.after), number
        assert not begun or synced.state() == moved.after, number
    assert finished * SHARES > 10


def killed_in_the_swap(synced: Repository) -> None:
    """Kill a rebase when the submodule is in its new place and the patches are not."""
    assert killed(synced, "files", 1)
    assert (synced.root / ".carry" / "swap.json").exists()


def test_status_tells_of_a_kill_in_the_middle(synced: Repository, moved: Moved) -> None:
    killed_in_the_swap(synced)
    out = " ".join(synced.done("status").split())
    assert "rebase onto 1.1.0 was stopped while it put its result in place" in out
    assert "any command finishes it" in out


def test_a_kill_in_the_middle_can_be_taken_back(synced: Repository, moved: Moved) -> None:
    killed_in_the_swap(synced)
    assert "the earlier state is back" in synced.done("rebase", "--abort")
    assert synced.state() == moved.before


def test_what_the_user_did_after_the_kill_is_kept(synced: Repository, moved: Moved) -> None:
    killed_in_the_swap(synced)
    (synced.tree / "README.md").write_text("mine\n")
    (synced.root / "patches" / "series").write_text("# mine\n")
    synced.tree_git("commit", "--quiet", "--allow-empty", "-m", "Mine")
    out = synced.done("sync")
    assert synced.state() == moved.after
    assert "1 commit(s) that were found in acme/ are kept in" in out
    kept = [line.split()[-1] for line in out.splitlines() if "are kept in" in line]
    assert "Mine" in synced.tree_git("log", "-1", "--format=%s", kept[0])
    assert synced.tree_git("show", f"{kept[1]}:README.md") == "mine"
    assert synced.tree_git("show", f"{kept[2]}:series") == "# mine"


def test_a_lock_that_a_killed_git_left_is_named(synced: Repository, moved: Moved) -> None:
    killed_in_the_swap(synced)
    lock = synced.root / ".git" / "modules" / "acme" / "index.lock"
    lock.touch()
    line = synced.refused("sync")
    assert f"git's index of acme/ is locked by {lock}" in line
    lock.unlink()
    synced.done("sync")
    assert synced.state() == moved.after


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_stop_leaves_the_old_state_and_no_trace(
    synced: Repository, upstream: Upstream, number: signal.Signals
) -> None:
    file = synced.root / "pyproject.toml"
    entry = (
        '\n[[tool.carry.checks]]\nname = "slow"\ncommand = ["sh", "-c", "touch begun; sleep 60"]\n'
    )
    file.write_text(file.read_text() + entry)
    before = synced.state()
    process = subprocess.Popen(
        [sys.executable, "-m", "carry", "--root", str(synced.root), "rebase", "--onto", "1.1.0"],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "tools")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not (synced.root / "begun").exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    assert "already under way: rebase, process" in synced.refused("sync")
    os.killpg(process.pid, number)
    _, err = process.communicate()
    assert process.returncode == 130
    assert err.strip() == "carry: stopped; `carry status` says where things stand"
    assert synced.state() == before
    assert synced.worktrees() == []
    assert "nothing" in synced.done("status").splitlines()[-1]
