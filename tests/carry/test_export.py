from __future__ import annotations

import pytest

from .repository import Repository

SIGN_OFF = "Signed-off-by: Ada Carrier <ada@carrier.invalid>"


def test_a_further_commit_becomes_a_patch(synced: Repository) -> None:
    first, second = synced.patches()["series"].split()
    old = synced.patches()
    synced.change("README.md", ("# acme", "# acme, fast"))
    synced.tree_git("commit", "--quiet", "--all", "-m", f"Say that it is fast\n\n{SIGN_OFF}")
    out = synced.done("export")
    third = "0003-Say-that-it-is-fast.patch"
    assert synced.patches()["series"].split() == [first, second, third]
    assert f"patches/{third}" in out
    assert f"to do: manifest.toml: drop-when of {third} is empty" in out
    assert {name: synced.patches()[name] for name in (first, second)} == {
        name: old[name] for name in (first, second)
    }
    assert "find compares cell by cell" in synced.patches()["manifest.toml"]


def test_an_amended_commit_changes_its_own_patch_alone(synced: Repository) -> None:
    first, second = synced.patches()["series"].split()
    old = synced.patches()
    file = synced.tree / "tests" / "test_scan.py"
    file.write_text(file.read_text() + "\n\nAMENDED = True\n")
    synced.tree_git("commit", "--quiet", "--all", "--amend", "--no-edit")
    synced.done("export")
    assert "+AMENDED = True" in synced.patches()[second]
    assert synced.patches()[first] == old[first]
    assert synced.patches()["manifest.toml"] == old["manifest.toml"]


def test_a_removed_commit_takes_its_patch_and_entry_along(synced: Repository) -> None:
    first, second = synced.patches()["series"].split()
    synced.tree_git("reset", "--quiet", "--hard", "HEAD~1")
    synced.done("export")
    assert synced.patches()["series"].split() == [first]
    assert second not in synced.patches()
    assert "nothing tests how far find looks" not in synced.patches()["manifest.toml"]
    assert second in synced.tree_git("ls-tree", "--name-only", synced.backups()[0])


def test_reordered_commits_keep_their_entries(synced: Repository) -> None:
    base = synced.tree_git("rev-parse", "HEAD~2")
    first, second = synced.tree_git("rev-list", "--reverse", f"{base}..HEAD").split()
    synced.tree_git("reset", "--quiet", "--hard", base)
    synced.tree_git("cherry-pick", second, first)
    synced.done("export")
    assert synced.patches()["series"].split() == [
        "0001-Test-how-far-Scanner.find-looks.patch",
        "0002-Compare-slices-in-Scanner.find.patch",
    ]
    assert synced.done("verify")
    text = synced.patches()["manifest.toml"]
    assert text.index("nothing tests how far") < text.index("find compares cell by cell")


def test_nothing_to_export(synced: Repository) -> None:
    before = synced.state()
    assert synced.done("export") == "nothing to export: patches/ has what acme/ has\n"
    assert synced.state() == before


def test_export_then_sync_gives_the_same_series(synced: Repository) -> None:
    file = synced.tree / "tests" / "test_scan.py"
    file.write_text(file.read_text() + "\n\nAMENDED = True\n")
    synced.tree_git("commit", "--quiet", "--all", "--amend", "--no-edit", who=("Bo", "b@x.invalid"))
    synced.done("export")
    patches = synced.patches()
    synced.tree_git("update-ref", "-d", "refs/carry/carried")
    synced.tree_git("branch", "kept")
    synced.done("sync")
    assert synced.patches() == patches
    assert synced.done("export") == "nothing to export: patches/ has what acme/ has\n"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("diff.noprefix", "true"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.context", "9"),
        ("diff.algorithm", "patience"),
        ("diff.renames", "copies"),
        ("diff.orderFile", "no-such-file"),
        ("format.signature", "mine"),
        ("format.subjectPrefix", "MINE"),
        ("format.numbered", "true"),
        ("format.signOff", "true"),
        ("format.attach", "true"),
        ("format.useAutoBase", "true"),
        ("format.from", "true"),
        ("format.headers", "X-Mine: yes"),
        ("format.to", "mine@example.invalid"),
        ("core.abbrev", "7"),
        ("core.quotePath", "true"),
        ("color.ui", "always"),
    ],
)
def test_the_users_git_configuration_does_not_show(
    synced: Repository, key: str, value: str
) -> None:
    old = synced.patches()
    synced.tree_git("config", key, value)
    synced.tree_git("config", "--global", key, value)
    # Other commits of the same changes: nothing is taken over from the present files.
    base = synced.tree_git("rev-parse", "HEAD~2")
    synced.tree_git("rebase", "--quiet", "--force-rebase", base, who=("Bo", "bo@x.invalid"))
    synced.done("export")
    assert synced.patches() == old


def test_another_branch_is_refused(synced: Repository) -> None:
    synced.tree_git("switch", "--quiet", "--create", "other")
    assert "acme/ is not on the series' branch perf/scan" in synced.refused("export")


def test_uncommitted_changes_are_refused_and_stay(synced: Repository) -> None:
    synced.change("README.md", ("# acme", "# mine"))
    assert "acme/ has uncommitted changes: README.md" in synced.refused("export")
    assert (synced.tree / "README.md").read_text().startswith("# mine")


def test_changes_in_patches_that_nobody_committed_are_refused_and_stay(synced: Repository) -> None:
    file = synced.root / "patches" / "series"
    file.write_text("# mine\n" + file.read_text())
    synced.tree_git("reset", "--quiet", "--hard", "HEAD~1")
    assert "patches/ has uncommitted changes: patches/series" in synced.refused("export")
    assert file.read_text().startswith("# mine\n")


def test_merges_are_refused(synced: Repository) -> None:
    synced.tree_git("switch", "--quiet", "--create", "side", "HEAD~1")
    synced.tree_git("commit", "--quiet", "--allow-empty", "-m", "Side")
    synced.tree_git("switch", "--quiet", "perf/scan")
    synced.tree_git("merge", "--quiet", "--no-ff", "-m", "Merge", "side")
    assert "has a merge commit" in synced.refused("export")


def test_a_branch_on_another_base_is_refused(synced: Repository) -> None:
    synced.tree_git("checkout", "--quiet", "--orphan", "x")
    synced.tree_git("commit", "--quiet", "-m", "Root")
    synced.tree_git("branch", "--force", "perf/scan")
    synced.tree_git("checkout", "--quiet", "perf/scan")
    assert "no longer stands on 1.0.0, the series' base" in synced.refused("export")


def test_a_series_without_a_commit_is_refused(synced: Repository) -> None:
    synced.tree_git("reset", "--quiet", "--hard", "HEAD~2")
    assert "acme/ has no commit on 1.0.0" in synced.refused("export")


def test_the_series_makes_the_commits_that_git_am_makes(synced: Repository) -> None:
    names = synced.patches()["series"].split()
    tip = synced.tree_git("rev-parse", "HEAD")
    synced.tree_git("checkout", "--quiet", "--detach", "HEAD~2")
    files = [str(synced.root / "patches" / name) for name in names]
    synced.tree_git("am", "--keep-non-patch", "--committer-date-is-author-date", *files)
    assert synced.tree_git("rev-parse", "HEAD") == tip


@pytest.mark.parametrize(
    ("message", "subject", "words"),
    [
        ("[Core][Perf] Keep", "[Core][Perf] Keep", ""),
        (
            "A title\nthat runs on\n\n\nA  body\n\n- a list",
            "A title that runs on",
            "A body - a list",
        ),
        ("Grüße aus Übersee " + "und mehr " * 9, "Grüße aus Übersee " + "und mehr " * 9, ""),
    ],
)
def test_any_message_survives_there_and_back(
    synced: Repository, message: str, subject: str, words: str
) -> None:
    synced.tree_git("commit", "--quiet", "--amend", "-m", f"{message}\n\n{SIGN_OFF}")
    synced.done("export")
    synced.tree_git("update-ref", "-d", "refs/carry/carried")
    synced.tree_git("branch", "kept")
    synced.done("sync")
    assert synced.tree_git("log", "-1", "--format=%s") == subject.strip()
    body = synced.tree_git("log", "-1", "--format=%b").split()
    assert body == [*words.split(), *SIGN_OFF.split()]
