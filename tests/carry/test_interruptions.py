"""A rebase that is killed leaves the old state or, after the next run, the new one."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .repository import Repository, State
from .small_upstream import Upstream

#: Runs carry, and kills itself before the n-th act: a git command, a file put in place or
#: removed. For "swap" those count that come after the result begins to be put in place, for
#: "files" those in which patches are put in place.
DRIVER = """
import os, pathlib, signal, sys
from carry import git, rebase
from carry.__main__ import main

phase, number, words = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
count, counting = 0, phase == "any"

def counted(act):
    def call(*args, **kwargs):
        global count
        count += counting
        if counting and count == number:
            os.kill(os.getpid(), signal.SIGKILL)
        return act(*args, **kwargs)
    return call

def begin(*args, **kwargs):
    global counting
    counting = True
    return swap(*args, **kwargs)

swap, rebase.swap = rebase.swap, begin
if phase == "files":
    git.blob = counted(git.blob)
else:
    git.run = counted(git.run)
    pathlib.Path.replace = counted(pathlib.Path.replace)
    pathlib.Path.unlink = counted(pathlib.Path.unlink)
code = main(words)
print("acts", count)
sys.exit(code)
"""


def run_driver(repository: Repository, phase: str, number: int, *words: str) -> tuple[int, str]:
    command = [sys.executable, "-c", DRIVER, phase, str(number), "--root", str(repository.root)]
    done = subprocess.run(
        [*command, *words],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "tools")},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def acts(out: str) -> int:
    return int(out.split("acts ")[1].split()[0])


@pytest.fixture
def states(synced: Repository, tmp_path: Path) -> tuple[State, State]:
    """The state before a rebase onto 1.1.0, and after it."""
    before = synced.state()
    shutil.copytree(synced.root, tmp_path / "kept", symlinks=True)
    synced.done("rebase", "--onto", "1.1.0")
    after = synced.state()
    reset(synced, tmp_path)
    assert synced.state() == before
    return before, after


def reset(repository: Repository, tmp_path: Path) -> None:
    shutil.rmtree(repository.root)
    shutil.copytree(tmp_path / "kept", repository.root, symlinks=True)


def test_a_kill_before_the_end_changes_nothing(
    synced: Repository, states: tuple[State, State], tmp_path: Path
) -> None:
    total = acts(run_driver(synced, "any", -1, "rebase", "--onto", "1.1.0")[1])
    in_the_swap = swap_acts(synced, tmp_path)
    for number in range(1, total - in_the_swap, 12):
        reset(synced, tmp_path)
        code, out = run_driver(synced, "any", number, "rebase", "--onto", "1.1.0")
        assert code == -signal.SIGKILL, f"{number}: {out}"
        assert synced.state() == states[0], number
        synced.done("rebase", "--onto", "1.1.0")
        assert synced.state() == states[1], number
        assert synced.worktrees() == []


def test_a_kill_while_the_result_is_put_in_place_is_made_good_by_the_next_run(
    synced: Repository, states: tuple[State, State], tmp_path: Path
) -> None:
    finished = 0
    for number in range(1, swap_acts(synced, tmp_path) + 1):
        reset(synced, tmp_path)
        code, out = run_driver(synced, "swap", number, "rebase", "--onto", "1.1.0")
        assert code == -signal.SIGKILL, f"{number}: {out}"
        begun = (synced.root / ".carry" / "swap.json").exists()
        out = synced.done("sync")
        assert ("finishing it" in out) == begun
        finished += begun
        assert synced.state() in states, number
        assert not begun or synced.state() == states[1], number
    assert finished > 10


def swap_acts(synced: Repository, tmp_path: Path) -> int:
    """How many acts there are from where the result begins to be put in place."""
    reset(synced, tmp_path)
    return acts(run_driver(synced, "swap", -1, "rebase", "--onto", "1.1.0")[1])


def killed_in_the_swap(synced: Repository) -> None:
    """Kill a rebase when the submodule is in its new place and the patches are not."""
    code, out = run_driver(synced, "files", 1, "rebase", "--onto", "1.1.0")
    assert code == -signal.SIGKILL, out
    assert (synced.root / ".carry" / "swap.json").exists()


def test_status_tells_of_a_kill_in_the_middle(
    synced: Repository, states: tuple[State, State]
) -> None:
    killed_in_the_swap(synced)
    out = " ".join(synced.done("status").split())
    assert "rebase onto 1.1.0 was stopped while it put its result in place" in out
    assert "any command finishes it" in out


def test_a_kill_in_the_middle_can_be_taken_back(
    synced: Repository, states: tuple[State, State]
) -> None:
    killed_in_the_swap(synced)
    assert "the earlier state is back" in synced.done("rebase", "--abort")
    assert synced.state() == states[0]


def test_what_the_user_did_after_the_kill_is_kept(
    synced: Repository, states: tuple[State, State]
) -> None:
    killed_in_the_swap(synced)
    (synced.tree / "README.md").write_text("mine\n")
    (synced.root / "patches" / "series").write_text("# mine\n")
    synced.tree_git("commit", "--quiet", "--allow-empty", "-m", "Mine")
    out = synced.done("sync")
    assert synced.state() == states[1]
    assert "1 commit(s) that were found in acme/ are kept in" in out
    kept = [line.split()[-1] for line in out.splitlines() if "are kept in" in line]
    assert "Mine" in synced.tree_git("log", "-1", "--format=%s", kept[0])
    assert synced.tree_git("show", f"{kept[1]}:README.md") == "mine"
    assert synced.tree_git("show", f"{kept[2]}:series") == "# mine"


def test_a_lock_that_a_killed_git_left_is_named(
    synced: Repository, states: tuple[State, State]
) -> None:
    killed_in_the_swap(synced)
    lock = synced.root / ".git" / "modules" / "acme" / "index.lock"
    lock.touch()
    line = synced.refused("sync")
    assert f"git's index of acme/ is locked by {lock}" in line
    lock.unlink()
    synced.done("sync")
    assert synced.state() == states[1]


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
