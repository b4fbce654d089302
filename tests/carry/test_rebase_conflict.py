from __future__ import annotations

import os
from pathlib import Path

import pytest

from .repository import Repository
from .small_upstream import Upstream

OLD = "                if cell.lower() != wanted[matched].lower():"


@pytest.fixture
def stopped(synced: Repository) -> Repository:
    """A rebase onto 1.3.0 that waits, since that release changed the lines of patch 1."""
    assert synced.carry("rebase", "--onto", "1.3.0").code == 1
    return synced


def worktree(repository: Repository) -> Path:
    return repository.root / ".carry" / "worktrees" / "rebase"


def resolve(repository: Repository) -> None:
    """Take the series' side, as an editor would leave it: nothing is staged."""
    file = worktree(repository) / "acme" / "scan.py"
    kept, side = [], "both"
    for line in file.read_text().splitlines(keepends=True):
        if line.startswith("<<<<<<< "):
            side = "upstream"
        elif line.startswith("======="):
            side = "series"
        elif line.startswith(">>>>>>> "):
            side = "both"
        elif side != "upstream":
            kept.append(line)
    file.write_text("".join(kept))


def test_the_message_names_file_patch_worktree_and_both_ways_out(synced: Repository) -> None:
    before = synced.state()
    line = synced.refused("rebase", "--onto", "1.3.0")
    name = synced.patches()["series"].split()[0]
    assert f"{name} conflicts with 1.3.0 in acme/scan.py" in line
    assert f"resolve it in {worktree(synced)}" in line
    noxfile = synced.root / "noxfile.py"
    assert f"`nox -f {noxfile} -s rebase -- --continue`" in line
    assert f"`nox -f {noxfile} -s rebase -- --abort`" in line
    assert synced.state() == before
    assert "<<<<<<< " in (worktree(synced) / "acme" / "scan.py").read_text()


def test_abort_leaves_no_trace(stopped: Repository) -> None:
    before = stopped.state()
    assert "the series is on 1.0.0 as before" in stopped.done("rebase", "--abort")
    assert stopped.state() == before
    assert stopped.worktrees() == []
    assert "no rebase waits" in stopped.refused("rebase", "--abort")


def test_continue_moves_the_resolved_series(stopped: Repository, upstream: Upstream) -> None:
    resolve(stopped)
    out = stopped.done("rebase", "--continue")
    assert "1:  " in out
    assert stopped.pin() == upstream.releases["1.3.0"]
    assert OLD not in (stopped.tree / "acme" / "scan.py").read_text()
    assert stopped.worktrees() == []
    assert stopped.done("verify")


def test_continue_before_everything_is_resolved_is_refused(stopped: Repository) -> None:
    line = stopped.refused("rebase", "--continue")
    assert "acme/scan.py still has conflict markers" in line
    resolve(stopped)
    stopped.done("rebase", "--continue")


def test_continue_and_abort_work_from_any_folder(
    stopped: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(worktree(stopped) / "tests")
    stopped.done("rebase", "--abort")
    os.chdir(tmp_path)


def test_another_rebase_is_refused_while_one_waits(stopped: Repository) -> None:
    line = stopped.refused("rebase", "--onto", "1.1.0")
    assert "a rebase onto 1.3.0 waits for you in" in line
    assert "--continue" in line
    assert "--abort" in line


def test_status_says_how_to_go_on(stopped: Repository) -> None:
    out = " ".join(stopped.done("status").split())
    assert "rebase onto 1.3.0, waiting in" in out
    assert "--continue" in out


def test_work_in_the_submodule_meanwhile_is_not_overwritten(stopped: Repository) -> None:
    resolve(stopped)
    stopped.change("README.md", ("# acme", "# mine"))
    assert "acme/ has uncommitted changes" in stopped.refused("rebase", "--continue")
    assert (stopped.tree / "README.md").read_text().startswith("# mine")
    stopped.tree_git("checkout", "--quiet", "README.md")
    stopped.done("rebase", "--continue")


def test_a_worktree_that_is_gone_can_be_left(stopped: Repository) -> None:
    import shutil

    shutil.rmtree(worktree(stopped))
    assert "is gone" in stopped.refused("rebase", "--continue")
    stopped.done("rebase", "--abort")
    stopped.done("rebase", "--onto", "1.1.0")


def test_a_rebase_that_was_aborted_by_hand_is_noticed(stopped: Repository) -> None:
    before = stopped.state()
    stopped.git("-C", str(worktree(stopped)), "rebase", "--abort")
    assert "was its rebase aborted by hand?" in stopped.refused("rebase", "--continue")
    assert stopped.state() == before
    stopped.done("rebase", "--abort")


def test_a_rebase_that_was_ended_by_hand_is_taken(stopped: Repository, upstream: Upstream) -> None:
    resolve(stopped)
    where = str(worktree(stopped))
    stopped.git("-C", where, "add", "--all")
    stopped.git("-C", where, "-c", "core.editor=true", "rebase", "--continue")
    stopped.done("rebase", "--continue")
    assert stopped.pin() == upstream.releases["1.3.0"]


def test_a_resolution_that_leaves_nothing_is_reported_as_landed(
    stopped: Repository, upstream: Upstream
) -> None:
    stopped.git("-C", str(worktree(stopped)), "checkout", "--ours", "acme/scan.py")
    first, second = stopped.patches()["series"].split()
    before = stopped.state()
    said = stopped.carry("rebase", "--continue")
    assert said.code == 1
    assert f"{first} landed upstream; nothing was changed" in said.err
    assert "--continue --drop-landed" in said.err
    assert stopped.state() == before
    stopped.done("rebase", "--continue", "--drop-landed")
    assert stopped.patches()["series"].split() == [second.replace("0002", "0001")]
    assert stopped.tree_git("rev-parse", "HEAD~1") == upstream.releases["1.3.0"]
    assert stopped.worktrees() == []
