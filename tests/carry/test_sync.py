from __future__ import annotations

from pathlib import Path

import pytest

from .repository import MakeRepository, Repository
from .small_index import Index
from .small_upstream import Upstream

SUBJECTS = ["Test how far Scanner.find looks", "Compare slices in Scanner.find"]


def test_the_series_is_put_on_the_pin(repository: Repository, upstream: Upstream) -> None:
    repository.done("sync")
    assert repository.log()[:2] == SUBJECTS
    assert repository.tree_git("rev-parse", "HEAD~2") == upstream.releases["1.0.0"]
    assert repository.tree_git("symbolic-ref", "--short", "HEAD") == "perf/scan"
    assert repository.tree_git("status", "--porcelain") == ""
    assert repository.git("status", "--porcelain") == ""
    assert repository.worktrees() == []


def test_the_same_from_the_index_when_git_is_out_of_reach(
    make_repository: MakeRepository, index: Index
) -> None:
    repository = make_repository(git_in_reach=False)
    assert "git is out of reach" in repository.done("sync")
    assert repository.log() == [*SUBJECTS, "acme 1.0.0"]
    downloads = len(index.downloads)
    repository.done("sync")
    assert len(index.downloads) == downloads == 1


def test_both_sources_give_the_same_tree(
    make_repository: MakeRepository, repository: Repository, index: Index, tmp_path: Path
) -> None:
    repository.done("sync", "--source", "git")
    from_git = repository.tree_git("rev-parse", "HEAD^{tree}")
    repository.root.rename(tmp_path / "other")
    again = make_repository()
    again.done("sync", "--source", "pypi")
    assert again.tree_git("rev-parse", "HEAD^{tree}") == from_git


def test_commits_are_the_same_on_every_machine(
    synced: Repository, make_repository: MakeRepository, tmp_path: Path
) -> None:
    tip = synced.tree_git("rev-parse", "HEAD")
    synced.root.rename(tmp_path / "other")
    again = make_repository()
    again.git("config", "user.name", "Somebody Else", who=("Somebody", "else@example.invalid"))
    again.done("sync")
    assert again.tree_git("rev-parse", "HEAD") == tip


def test_a_second_run_changes_nothing(synced: Repository) -> None:
    before = synced.state()
    assert "is there already" in synced.done("sync")
    assert synced.state() == before
    assert synced.backups() == []


def test_a_patch_that_changed_is_put_in_place(synced: Repository) -> None:
    name = synced.patches()["series"].split()[0]
    file = synced.root / "patches" / name
    file.write_text(file.read_text().replace("It is faster.", "It is much faster."))
    synced.done("sync")
    assert "It is much faster." in synced.tree_git("log", "-1", "--format=%b", "HEAD~1")
    assert "It is much faster." in file.read_text()


def test_uncommitted_changes_are_refused_and_stay(synced: Repository) -> None:
    (synced.root / "patches" / "series").write_text(synced.patches()["series"].split()[0] + "\n")
    synced.change("README.md", ("# acme", "# mine"))
    assert "acme/ has uncommitted changes: README.md; commit them" in synced.refused("sync")
    assert (synced.tree / "README.md").read_text().startswith("# mine")


def test_untracked_files_are_refused_and_stay(synced: Repository) -> None:
    (synced.root / "patches" / "series").write_text(synced.patches()["series"].split()[0] + "\n")
    (synced.tree / "notes.txt").write_text("mine")
    assert "acme/ has uncommitted changes: notes.txt" in synced.refused("sync")
    assert (synced.tree / "notes.txt").read_text() == "mine"


def test_commits_that_are_not_exported_are_refused_and_stay(synced: Repository) -> None:
    (synced.root / "patches" / "series").write_text(synced.patches()["series"].split()[0] + "\n")
    synced.tree_git("commit", "--quiet", "--allow-empty", "-m", "Mine")
    tip = synced.tree_git("rev-parse", "HEAD")
    assert "acme/ has 1 commit(s) that patches/ has not" in synced.refused("sync")
    assert synced.tree_git("rev-parse", "HEAD") == tip
    synced.tree_git("branch", "my-work")
    synced.done("sync")
    assert synced.log()[0] == "Compare slices in Scanner.find"
    assert synced.tree_git("rev-parse", "my-work") == tip


def test_an_unfinished_merge_is_refused(synced: Repository) -> None:
    (synced.root / "patches" / "series").write_text(synced.patches()["series"].split()[0] + "\n")
    synced.tree_git("commit", "--quiet", "--allow-empty", "-m", "Mine")
    synced.tree_git("branch", "mine")
    synced.tree_git("reset", "--quiet", "--hard", "HEAD~1")
    synced.tree_git("merge", "--quiet", "--no-commit", "--no-ff", "mine")
    assert "a merge is unfinished in acme/" in synced.refused("sync")


def test_a_patch_that_does_not_apply_is_named(repository: Repository) -> None:
    name = repository.patches()["series"].split()[0]
    file = repository.root / "patches" / name
    file.write_text(
        file.read_text().replace("-            matched = 0", "-            matched = 7")
    )
    line = repository.refused("sync")
    assert f"{name} does not apply to its base" in line
    assert repository.worktrees() == []


def test_a_series_that_names_a_missing_file_is_refused(repository: Repository) -> None:
    name = repository.patches()["series"].split()[1]
    (repository.root / "patches" / name).unlink()
    assert f"series names {name}, which is not there" in repository.refused("sync")


def test_files_in_the_way_are_not_overwritten(repository: Repository) -> None:
    (repository.tree / "notes.txt").write_text("mine")
    assert "acme/ holds files but is no git repository" in repository.refused("sync")
    assert (repository.tree / "notes.txt").read_text() == "mine"


def test_an_archive_instead_of_a_clone_is_refused(repository: Repository) -> None:
    (repository.root / ".git").rename(repository.root / ".gone")
    assert "is not the top of a git repository; clone it" in repository.refused("sync")


def test_a_lost_gitlink_is_named(repository: Repository) -> None:
    repository.git("rm", "--quiet", "--cached", "acme")
    assert "git restore --staged acme" in repository.refused("sync")


def test_adding_everything_does_not_move_the_pin(synced: Repository, upstream: Upstream) -> None:
    (synced.root / "new.txt").write_text("new")
    synced.git("add", "--all")
    synced.git("commit", "--quiet", "--all", "-m", "New")
    assert synced.pin() == upstream.releases["1.0.0"]


def test_nothing_in_reach_is_one_line(make_repository: MakeRepository, no_index: None) -> None:
    repository = make_repository(git_in_reach=False)
    line = repository.refused("sync")
    assert "git" in line
    assert "index" in line


def test_the_derived_folder_may_be_deleted(synced: Repository) -> None:
    import shutil

    before = synced.state()
    shutil.rmtree(synced.root / ".carry")
    assert "is there already" in synced.done("sync")
    assert synced.state() == before


def test_what_was_fetched_needs_no_network(
    make_repository: MakeRepository, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = make_repository(git_in_reach=False)
    out = repository.done("fetch", "1.0.0", "v1.1.0")
    assert "1.0.0 is here: " in out
    assert "1.1.0 is here: " in out
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple/")
    repository.done("rebase", "--onto", "1.1.0")
    assert len(index.downloads) == 2
