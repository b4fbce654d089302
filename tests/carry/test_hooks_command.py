from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from carry.evidence import Subject
from carry.upstream_hooks import record
from carry.upstream_hooks.outcomes import Outcome, Run, Verdict

from .carrying import AUTHOR, carrying_repository, make_series
from .hooked import FILES, local, recorded, with_table
from .repository import Repository, carry
from .small_upstream import FIRST_HALF, build

SIGN_OFF = "Signed-off-by: {} <{}>".format(*AUTHOR)
FIRST, SECOND = (
    "0001-Compare-slices-in-Scanner.find.patch",
    "0002-Test-how-far-Scanner.find-looks.patch",
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose upstream has hooks, with its series in place; not to be changed."""
    folder = tmp_path_factory.mktemp("hooked")
    upstream = build(folder / "acme", FILES)
    series = make_series(upstream, tmp_path_factory.mktemp("series"))
    root = carrying_repository(folder, upstream, series)
    with_table(root)
    assert carry(root, "sync") == 0
    return root


@pytest.fixture
def hooked(made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Repository:
    """A copy of it, with its command line."""
    return Repository(shutil.copytree(made, tmp_path / "carrying", symlinks=True), capsys)


def replant(
    repository: Repository,
    *,
    first: Callable[[str], str] = str,
    second: Callable[[str], str] = str,
    message: str = f"Compare slices in Scanner.find\n\n{SIGN_OFF}",
) -> None:
    """Make both commits anew, their files changed by a function each, and export them."""
    one, two = repository.tree_git("rev-list", "--reverse", "-2", "HEAD").split()
    repository.tree_git("reset", "--quiet", "--hard", f"{one}^")
    for commit, name, change in ((one, "acme/scan.py", first), (two, "tests/test_scan.py", second)):
        repository.tree_git("cherry-pick", commit)
        file = repository.tree / name
        file.write_text(change(file.read_text()))
        said = message if commit == one else f"Test how far Scanner.find looks\n\n{SIGN_OFF}"
        repository.tree_git("commit", "--quiet", "--all", "--amend", "-m", said)
    repository.done("export")


def with_spaces(line: str) -> Callable[[str], str]:
    return lambda text: text.replace(f"{line}\n", f"{line}  \n")


def test_hooks_pass_and_are_recorded_and_new_ones_are_told(hooked: Repository) -> None:
    # The record of a time when upstream had other hooks.
    old = Run((Outcome(local(id="tidy"), "pre-commit", Verdict.PASSED),), (), ())
    subject = Subject(series="0123", base="0.9.0", commit="abc", tree="def")
    record.write(hooked.root, old, subject, datetime.now(UTC))
    before = hooked.state()
    out = hooked.done("hooks")
    assert "new since the record on 0.9.0: no-todo, trim, shell, always, signed, thorough" in out
    assert "gone since the record on 0.9.0: tidy" in out
    assert "upstream's hooks at 1.0.0: 3 passed, 0 failed, 1 without files" in out
    assert "without files: shell" in out
    assert "a note, no check: hint" in out
    assert "signed on the messages: passed" in out
    assert "thorough (manual): passed" in out
    result = recorded(hooked)
    assert result["total"] == "3 passed, 0 failed, 1 without files"
    assert result["outcome"] == "passed"
    assert result["files"] == ["acme/scan.py", "tests/test_scan.py"]
    assert hooked.state() == before
    assert hooked.worktrees() == []
    assert not [file for file in (hooked.root / ".carry").iterdir() if "hooks-" in file.name]


def test_failing_hook_is_named_and_the_others_run(hooked: Repository) -> None:
    replant(hooked, first=lambda text: text.replace("wanted = ", "# TODO\n        wanted = "))
    said = hooked.carry("hooks")
    assert said.code == 1
    assert said.err.strip() == (
        "carry: upstream's hooks do not all pass: no-todo; what each says stands above"
    )
    assert "acme/scan.py" in said.out
    assert "# TODO" in said.out
    assert "2 passed, 1 failed, 1 without files" in said.out
    results = {entry["id"]: entry["result"] for entry in recorded(hooked)["hooks"]}
    assert (results["no-todo"], results["trim"]) == ("failed", "passed")


def test_changes_of_hooks_are_shown_and_put_into_their_own_patches_if_asked(
    hooked: Repository,
) -> None:
    """Both patches have a space too many, and the first one's message is not signed."""
    clean = hooked.patches()
    replant(
        hooked,
        first=with_spaces(FIRST_HALF[1].rstrip("\n")),
        second=with_spaces('    assert scanner.find("dx") == -1'),
        message="Compare slices in Scanner.find",
    )
    before = hooked.state()
    said = hooked.carry("hooks")
    assert said.code == 1
    assert "do not all pass: trim, signed;" in said.err
    assert "signed on the messages: failed in" in said.out
    assert f"s: {FIRST}\n" in said.out
    assert f"+{SIGN_OFF}\n" in said.out
    assert "nox -s lint -- --fix" in said.err
    assert (
        '-    assert scanner.find("dx") == -1  \n+    assert scanner.find("dx") == -1\n' in said.out
    )
    assert f"belongs to {FIRST}" in said.out
    assert f"belongs to {SECOND}" in said.out
    assert hooked.state() == before

    out = hooked.done("hooks", "--fix")
    assert f"patches/{FIRST}\npatches/{SECOND}\n" in out
    assert "upstream's hooks at 1.0.0: 3 passed, 0 failed, 1 without files" in out
    for name in (FIRST, SECOND):
        diff, wanted = (
            text[name].split("\ndiff --git", 1)[1] for text in (hooked.patches(), clean)
        )
        assert diff == wanted
        assert hooked.patches()[name].count(SIGN_OFF) == 1
    assert hooked.patches()["manifest.toml"] == clean["manifest.toml"]
    assert hooked.log()[:2] == ["Test how far Scanner.find looks", "Compare slices in Scanner.find"]
    assert hooked.worktrees() == []
    assert "is there already" in hooked.done("sync")


def test_work_that_is_saved_nowhere_is_left_alone(hooked: Repository) -> None:
    hooked.change("acme/scan.py", ("last = ", "end = "))
    assert "acme/ has uncommitted changes: acme/scan.py" in hooked.refused("hooks", "--fix")
    hooked.tree_git("checkout", "--quiet", "acme/scan.py")
    (hooked.root / "patches" / "series").write_text("# mine\n" + hooked.patches()["series"])
    assert "patches/ has uncommitted changes" in hooked.refused("hooks", "--fix")
    assert hooked.patches()["series"].startswith("# mine\n")


def test_upstream_without_hooks(synced: Repository) -> None:
    assert "1.0.0 has no .pre-commit-config.yaml" in synced.refused("hooks")


def test_table_that_is_not_there(hooked: Repository) -> None:
    (hooked.root / "hooks.toml").unlink()
    assert "there is no" in hooked.refused("hooks")
