from __future__ import annotations

import pytest

from carry import manifest

from .repository import MakeRepository, Repository
from .small_index import Index
from .small_upstream import Upstream, edit


def base(repository: Repository) -> tuple[str, str]:
    entry = manifest.parse(repository.patches()["manifest.toml"]).base
    return entry.version, entry.commit


def test_a_clean_rebase_moves_patches_tree_and_pin(synced: Repository, upstream: Upstream) -> None:
    out = synced.done("rebase", "--onto", "1.1.0")
    assert "upstream's text of the touched functions is unchanged" in out
    assert "1:  " in out  # the range-diff
    assert synced.tree_git("rev-parse", "HEAD~2") == upstream.releases["1.1.0"]
    assert synced.log()[0] == "Test how far Scanner.find looks"
    assert synced.pin() == upstream.releases["1.1.0"]
    assert base(synced) == ("1.1.0", upstream.releases["1.1.0"])
    assert synced.worktrees() == []
    assert (synced.root / ".carry" / "range-diff.txt").read_text() in out
    assert synced.done("verify") == "2 patch(es): files agree and every patch applies strictly\n"


def test_it_works_from_a_fresh_clone_too(repository: Repository, upstream: Upstream) -> None:
    repository.done("rebase", "--onto", "v1.1.0")
    assert repository.pin() == upstream.releases["1.1.0"]


def test_there_and_back_gives_the_same_bytes(synced: Repository) -> None:
    before = synced.state()
    synced.done("rebase", "--onto", "1.1.0")
    assert synced.state() != before
    synced.done("rebase", "--onto", "1.0.0")
    assert synced.state() == before


def test_the_moved_files_make_the_commits_that_are_in_place(synced: Repository) -> None:
    synced.done("rebase", "--onto", "1.1.0")
    state = synced.state()
    synced.tree_git("update-ref", "-d", "refs/carry/carried")
    synced.done("sync")
    assert synced.state() == state


def test_without_onto_it_goes_to_upstreams_branch(synced: Repository, upstream: Upstream) -> None:
    synced.done("rebase")
    assert synced.pin() == upstream.main
    assert base(synced) == ("", upstream.main)
    assert "already there" in synced.done("rebase")


@pytest.mark.parametrize("length", [40, 12])
def test_a_commit_id_is_a_target(synced: Repository, upstream: Upstream, length: int) -> None:
    synced.done("rebase", "--onto", upstream.releases["1.1.0"][:length])
    assert synced.pin() == upstream.releases["1.1.0"]


def test_already_there(synced: Repository) -> None:
    before = synced.state()
    out = synced.done("rebase", "--onto", "1.0.0")
    assert "already there: the series is based on 1.0.0" in out
    assert synced.state() == before
    assert synced.backups() == []


def test_a_dry_run_changes_nothing(synced: Repository) -> None:
    before = synced.state()
    out = synced.done("rebase", "--onto", "1.1.0", "--dry-run")
    assert "dry run: the series can move to 1.1.0; nothing was changed" in out
    assert "1:  " in out
    assert synced.state() == before
    assert synced.worktrees() == []


def test_a_dry_run_onto_the_present_base_changes_nothing(repository: Repository) -> None:
    assert "already there" in repository.done("rebase", "--onto", "1.0.0", "--dry-run")
    assert [entry.name for entry in repository.tree.iterdir()] == [".git"]


def test_a_dry_run_that_conflicts_does_not_wait(synced: Repository) -> None:
    before = synced.state()
    assert "conflicts with 1.3.0" in synced.refused("rebase", "--onto", "1.3.0", "--dry-run")
    assert synced.state() == before
    assert synced.worktrees() == []
    assert "no rebase waits" in synced.refused("rebase", "--continue")


def test_a_release_known_by_its_archive_alone_is_a_rehearsal(
    make_repository: MakeRepository, index: Index, upstream: Upstream
) -> None:
    repository = make_repository(git_in_reach=False)
    out = repository.done("rebase")
    assert "a rehearsal: of 1.2.0 only" in out
    assert "the pin stays where it was" in out
    assert repository.pin() == upstream.releases["1.0.0"]
    assert base(repository) == ("1.2.0", upstream.releases["1.2.0"][:9])
    assert "rehearsal: the series is on 1.2.0" in repository.done("verify")
    repository.done("rebase", "--onto", "1.0.0")
    assert repository.git("status", "--porcelain", "patches", "acme", "pyproject.toml") == ""


def test_a_rehearsal_may_be_committed_but_not_against_what_is_known(
    make_repository: MakeRepository, index: Index, upstream: Upstream
) -> None:
    repository = make_repository(git_in_reach=False)
    repository.done("rebase")
    repository.git("add", "--all")
    repository.git("commit", "--quiet", "-m", "Move the series onto 1.2.0")
    assert "rehearsal: the series is on 1.2.0" in repository.done("verify")
    edit(repository.root / "releases.toml", (upstream.releases["1.2.0"][:9], "f" * 9))
    said = repository.carry("verify", "--static")
    assert f"says that 1.2.0 is commit {upstream.releases['1.2.0'][:9]}, releases.toml" in said.out
    assert said.code == 1


def test_a_function_that_upstream_changed_is_shown(synced: Repository) -> None:
    out = synced.done("rebase", "--onto", "1.2.0")
    assert "upstream changed acme/scan.py::Scanner.find, which the series touches:" in out
    assert '-            raise ValueError("start is negative")' in out
    assert '+            raise ValueError(f"start is negative: {start}")' in out
    assert synced.done("verify")


def test_a_landed_patch_is_reported_and_not_dropped(synced: Repository) -> None:
    before = synced.state()
    name = synced.patches()["series"].split()[0]
    said = synced.carry("rebase", "--onto", "1.4.0")
    assert said.code == 1
    assert f"{name}: landed, 1.4.0 has all of it" in said.out
    assert f"{name} landed upstream; nothing was changed" in said.err
    assert "--drop-landed" in said.err
    assert synced.state() == before
    assert synced.worktrees() == []


def test_a_landed_patch_is_dropped_on_demand(synced: Repository, upstream: Upstream) -> None:
    first, second = synced.patches()["series"].split()
    synced.done("rebase", "--onto", "1.4.0", "--drop-landed")
    renumbered = second.replace("0002", "0001")
    assert synced.patches()["series"].split() == [renumbered]
    assert first not in synced.patches()
    assert "nothing tests how far find looks" in synced.patches()["manifest.toml"]
    assert "find compares cell by cell" not in synced.patches()["manifest.toml"]
    assert synced.tree_git("rev-parse", "HEAD~1") == upstream.releases["1.4.0"]
    assert synced.done("verify")


def test_a_partly_landed_patch_is_reported(synced: Repository) -> None:
    name = synced.patches()["series"].split()[0]
    out = synced.done("rebase", "--onto", "1.5.0")
    assert f"{name}: partly landed, 7 of 9 changed lines are left" in out


def test_comments_and_files_beside_the_patches_stay(synced: Repository) -> None:
    folder = synced.root / "patches"
    (folder / "series").write_text("# in this order\n" + (folder / "series").read_text())
    (folder / "notes.md").write_text("mine")
    (folder / "idea.patch").write_text("not in the series")
    text = (folder / "manifest.toml").read_text()
    (folder / "manifest.toml").write_text("# about\n" + text)
    synced.git("add", "--all")
    synced.git("commit", "--quiet", "-m", "Comment")
    synced.done("rebase", "--onto", "1.1.0")
    assert synced.patches()["series"].startswith("# in this order\n0001")
    assert synced.patches()["manifest.toml"].startswith("# about\n")
    assert synced.patches()["notes.md"] == "mine"
    assert synced.patches()["idea.patch"] == "not in the series"


def test_every_earlier_state_is_kept(synced: Repository) -> None:
    patches, tip = synced.patches(), synced.tree_git("rev-parse", "HEAD")
    synced.done("rebase", "--onto", "1.1.0")
    (backup,) = synced.backups()
    assert synced.tree_git("rev-parse", f"{backup}^") == tip
    for name, text in patches.items():
        assert synced.tree_git("show", f"{backup}:{name}") == text.strip()


def test_uncommitted_changes_of_patches_are_refused_and_stay(synced: Repository) -> None:
    file = synced.root / "patches" / "series"
    file.write_text("# mine\n" + file.read_text())
    line = synced.refused("rebase", "--onto", "1.1.0")
    assert line == (
        "carry: patches/ has uncommitted changes: patches/series; "
        "commit them, or put them away with git stash"
    )
    assert file.read_text().startswith("# mine")


def test_what_carry_wrote_itself_is_no_uncommitted_change(synced: Repository) -> None:
    synced.done("rebase", "--onto", "1.1.0")
    assert "patches/manifest.toml" in synced.git("status", "--porcelain")
    synced.done("rebase", "--onto", "1.2.0")
    file = synced.root / "patches" / "series"
    file.write_text("# mine\n" + file.read_text())
    assert "uncommitted changes" in synced.refused("rebase", "--onto", "1.1.0")


def test_a_dirty_submodule_is_refused(synced: Repository) -> None:
    synced.change("README.md", ("# acme", "# mine"))
    before = synced.state()
    assert "acme/ has uncommitted changes: README.md" in synced.refused("rebase")
    assert synced.state() == before


def test_a_half_rebased_submodule_is_refused(synced: Repository) -> None:
    from subprocess import run

    command = ["git", "-C", str(synced.tree), "rebase", "--quiet", "--exec=false", "HEAD~1"]
    assert run(command, capture_output=True, check=False).returncode != 0
    assert "a rebase is unfinished in acme/" in synced.refused("rebase", "--onto", "1.1.0")


@pytest.mark.parametrize("target", ["9.9.9", "no-such-tag", "0123456789ab"])
def test_an_unknown_target_is_one_line(synced: Repository, target: str) -> None:
    before = synced.state()
    assert target in synced.refused("rebase", "--onto", target)
    assert synced.state() == before


def test_a_failed_check_waits_and_can_be_left(synced: Repository) -> None:
    add_check(synced, "import sys; sys.exit(3)")
    before = synced.state()
    said = synced.carry("rebase", "--onto", "1.1.0")
    assert said.code == 1
    assert "the check failed on the moved series: it holds (exit 3)" in said.err
    assert "--continue" in said.err
    assert synced.state() == before
    synced.done("rebase", "--abort")
    assert synced.state() == before
    assert synced.worktrees() == []


def test_a_check_sees_both_trees(synced: Repository) -> None:
    code = (
        "import pathlib, sys; base, patched = (pathlib.Path(p, 'acme/scan.py').read_text() "
        "for p in sys.argv[1:]); sys.exit('matched = 0' not in base or 'matched = 0' in patched)"
    )
    add_check(synced, code, "{base}", "{patched}")
    assert "check: it holds" in synced.done("rebase", "--onto", "1.1.0")


def test_a_failed_check_can_be_mended(synced: Repository) -> None:
    code = (
        "import pathlib, sys; sys.exit('mended' not in "
        "pathlib.Path(sys.argv[1], 'acme/scan.py').read_text())"
    )
    add_check(synced, code, "{patched}")
    assert synced.carry("rebase", "--onto", "1.1.0").code == 1
    worktree = synced.root / ".carry" / "worktrees" / "rebase"
    file = worktree / "tests" / "test_scan.py"
    file.write_text(file.read_text() + "# changed\n")
    assert "is changed but not committed" in synced.refused("rebase", "--continue")
    file = worktree / "acme" / "scan.py"
    file.write_text(file.read_text() + "# mended\n")
    synced.git("-C", str(worktree), "commit", "--quiet", "--all", "--amend", "--no-edit")
    synced.done("rebase", "--continue")
    assert (synced.tree / "acme" / "scan.py").read_text().endswith("# mended\n")
    assert synced.worktrees() == []


def add_check(repository: Repository, code: str, *arguments: str) -> None:
    """Configure a check, and commit the configuration."""
    import json

    words = json.dumps(["{python}", "-c", code, *arguments])
    file = repository.root / "pyproject.toml"
    entry = f'\n[[tool.carry.checks]]\nname = "it holds"\ncommand = {words}\n'
    file.write_text(file.read_text() + entry)
    repository.git("commit", "--quiet", "--all", "-m", "Check")
