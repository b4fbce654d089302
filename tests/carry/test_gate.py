from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from carry import evidence

from .opening import BO, Opening, record_tests
from .small_index import Index
from .small_upstream import Upstream, edit


def change(opening: Opening, *changes: tuple[str, str], file: str = "pyproject.toml") -> None:
    path = opening.root / file
    text = path.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)


def behind(opening: Opening) -> None:
    """Let the series be on the commit before upstream's last."""
    tip = opening.repository.tree_git("rev-parse", "HEAD~3")
    opening.repository.done("rebase", "--onto", tip)
    opening.repository.git("commit", "--quiet", "--all", "-m", "Rebase", who=BO)
    record_tests(opening.config)


def placeholder(opening: Opening) -> None:
    opening.repository.git("config", "user.email", "bo@example.net")
    opening.repository.done("adopt")
    for file in ("pyproject.toml", *(f"patches/{name}" for name in opening.repository.patches())):
        path = opening.root / file
        path.write_text(path.read_text().replace("bo@example.net", "bo@example.invalid"))
    opening.repository.done("sync")
    opening.repository.git("commit", "--quiet", "--all", "-m", "Adopt", who=BO)


def a_placeholder_beside(opening: Opening) -> None:
    text = opening.repository.tree_git("log", "-1", "--format=%B")
    more = f"{text}\nSigned-off-by: Nobody <nobody@carry.invalid>"
    opening.repository.tree_git("commit", "--quiet", "--amend", "-m", more, who=BO)
    opening.repository.done("export")


def another_author(opening: Opening) -> None:
    change(opening, (BO[1], "eve@example.org"))


def half_a_change(opening: Opening) -> None:
    opening.repository.change("README.md", ("# acme", "# mine"))


def a_commit_more(opening: Opening) -> None:
    half_a_change(opening)
    opening.repository.tree_git("commit", "--quiet", "--all", "-m", "Mine")


def another_branch(opening: Opening) -> None:
    opening.repository.tree_git("checkout", "--quiet", "-b", "other", "HEAD~1")


def a_changed_list(opening: Opening) -> None:
    change(opening, ("0001", "# mine\n0001"), file="patches/series")
    opening.repository.done("sync")


def no_tests(opening: Opening) -> None:
    (opening.root / "evidence/tests.json").unlink()


def old_tests(opening: Opening) -> None:
    record = evidence.read(opening.root, "tests")
    assert record is not None
    evidence.write(
        opening.root,
        evidence.new(
            "tests", {}, command="nox", subject=record.subject,
            started=datetime.now(UTC) - timedelta(days=40),
        ),
    )  # fmt: skip


def nothing_required(opening: Opening) -> None:
    change(opening, ('command = "nox -s test"', 'command = "nox -s test"\nrequired = false'))


def no_check(opening: Opening) -> None:
    (opening.root / "evidence/duplicates.json").unlink()


def an_edit(opening: Opening) -> None:
    opening.repository.done("pr")
    change(opening, ("Compares", "Contrasts"), file="build/pull_request.md")


def a_number_of_no_record(opening: Opening) -> None:
    change(opening, ("Compares", "Compares 17"), file="patches/pull_request.toml")


def a_box_that_is_not_ticked(opening: Opening) -> None:
    change(opening, ("I used a robot", "Nothing of it"), file="patches/pull_request.toml")


def no_answer(opening: Opening) -> None:
    change(opening, ("7 = ", "8 = "), file="patches/pull_request.toml")
    opening.repository.git("commit", "--quiet", "--all", "-m", "Forget", who=BO)
    opening.repository.done("sync")


def no_upstream(opening: Opening) -> None:
    opening.repository.tree_git("config", "remote.origin.url", "/nowhere/acme.git")


def no_login(opening: Opening) -> None:
    opening.hub.set(login=False)


def gh_fails(opening: Opening) -> None:
    opening.hub.set(fails=["pr list"])


Plant = Callable[[Opening], None]


@pytest.mark.parametrize(
    ("plant", "reason"),
    [
        (placeholder, "the series is signed off by a placeholder, Bo Öst <bo@example.invalid>; "
         "carry adopt"),
        (a_placeholder_beside, "a commit names the placeholder nobody@carry.invalid; carry adopt"),
        (another_author, "is not signed off by Bo Öst <eve@example.org>; mend it, then carry"),
        (half_a_change, "acme/ has uncommitted changes: README.md; commit them there"),
        (a_commit_more, "acme/ has 1 commit(s) that patches/ has not"),
        (another_branch, "acme/ does not have the series' branch perf/scan out; nox -s sync"),
        (a_changed_list, "patches/series has uncommitted changes; commit patches/ and the pin"),
        (behind, "is 1 commit(s) behind upstream's main; nox -s rebase"),
        (no_upstream, "upstream's main cannot be asked: git: '/nowhere/acme.git' does not appear"),
        (no_tests, "tests is missing (not run); nox -s test"),
        (old_tests, "tests is stale (40 days old); nox -s test"),
        (nothing_required, "no evidence is required; mark some in [[tool.carry.evidence]]"),
        (no_check, "no check for duplicates was made; nox -s pr -- --check-duplicates"),
        (no_answer, "#7 may do the same; write how it differs"),
        (an_edit, "build/pull_request.md was edited by hand, or by an earlier carry, and is kept"),
        (a_number_of_no_record, "overview: the number 17 is from no record"),
        (a_box_that_is_not_ticked, "the checklist's 'I used a robot.' is not ticked"),
        (no_login, "gh is not logged in; gh auth login"),
        (gh_fails, "gh pr list failed: HTTP 502: Bad Gateway for ***; mend that"),
    ],
)  # fmt: skip
def test_each_reason_is_named(opening: Opening, plant: Plant, reason: str) -> None:
    plant(opening)
    assert any(reason in each for each in opening.reasons()), opening.reasons()


def test_every_reason_is_named_at_once(opening: Opening) -> None:
    for plant in (no_tests, no_check, no_login, half_a_change):
        plant(opening)
    assert [each.split(" ")[0] for each in opening.reasons()] == [
        "acme/", "tests", "no", "the", "gh",
    ]  # fmt: skip


def test_a_dry_run_names_them_too(opening: Opening) -> None:
    no_tests(opening)
    said = opening.repository.carry(*opening.words())
    assert said.code == 1
    assert "not to be opened: tests is missing (not run); nox -s test" in said.out


def test_a_fresh_clone_is_told_to_sync(opening: Opening) -> None:
    shutil.rmtree(opening.repository.tree)
    shutil.rmtree(opening.root / ".git/modules")
    opening.repository.tree.mkdir()
    said = opening.repository.carry(*opening.words("--yes"))
    assert said.code == 1
    assert "not to be opened: acme/ does not hold the series as it is in patches/; nox -s sync" in (
        said.out
    )
    assert opening.published() == ""


def test_a_version_before_that_is_gone_is_told(opening: Opening) -> None:
    opening.repository.done(*opening.words("--yes"))
    record = evidence.read(opening.root, "published")
    assert record is not None
    evidence.write(
        opening.root,
        evidence.new(
            "published", record.result | {"commit": "f" * 40}, command="nox",
            subject=record.subject, started=datetime.now(UTC),
        ),
    )  # fmt: skip
    (reason,) = opening.reasons()
    assert reason.startswith(f"there is no range-diff: the fork {opening.fork} does not")


def test_a_rehearsal_is_never_opened(opening: Opening, index: Index, upstream: Upstream) -> None:
    opening.repository.done("rebase", "--onto", "1.0.0")
    opening.repository.done("rebase", "--onto", "1.2.0", "--source", "pypi")
    # As if git had never told the whole id.
    known = upstream.releases["1.2.0"]
    edit(opening.root / "releases.toml", (known, known[:9]))
    reasons = opening.reasons()
    assert "on 1.2.0 the series is a rehearsal; nox -s rebase with git in reach" in reasons
    assert not any("uncommitted" in each for each in reasons)


def test_an_imported_base_is_never_opened(opening: Opening, index: Index) -> None:
    opening.repository.done("rebase", "--onto", "1.0.0")
    opening.repository.done("rebase", "--onto", "1.1.0", "--source", "pypi")
    assert (
        "1.1.0 was made from the release's archive and shares no history with upstream; "
        "nox -s rebase with git in reach"
    ) in opening.reasons("--source", "pypi")
    # With git, upstream's own commit is found, which is not what the series stands on.
    assert "acme/ does not stand on 1.1.0, the series' base; nox -s sync" in opening.reasons()


def test_a_base_beside_the_branch_is_never_opened(opening: Opening) -> None:
    opening.repository.done("rebase", "--onto", "1.5.0")
    assert "1.5.0 is not on upstream's main; nox -s rebase" in opening.reasons()


def test_how_far_behind_it_may_be_is_configured(opening: Opening) -> None:
    behind(opening)
    change(opening, ("address = [7]", "address = [7]\nbehind = 9"))
    opening.repository.done(*opening.words())
    opening.repository.done("rebase", "--onto", "1.1.0")
    assert "upstream's main has changed acme/scan.py since 1.1.0; nox -s rebase" in (
        opening.reasons()
    )


@pytest.mark.parametrize(
    ("fork", "reason"),
    [
        ("/nowhere/ada/acme.git", "the fork /nowhere/ada/acme.git cannot be reached: "),
        ("", "no fork is named; give --fork URL"),
        ("https://ada:secret@hub.invalid/ada/acme", "the fork's address holds a name or a passw"),
        ("https://hub.invalid/acme/acme", "is upstream's own repository; name your fork of it"),
    ],
)
def test_a_fork_that_is_none_is_named(opening: Opening, fork: str, reason: str) -> None:
    said = opening.repository.carry("pr", "--open", "--yes", "--fork", fork)
    assert said.code == 1
    (line,) = [line for line in said.out.splitlines() if line.startswith("not to be opened: ")]
    assert reason in line
    assert "secret" not in said.out + said.err


def test_without_gh_it_says_so(opening: Opening, tmp_path: Path) -> None:
    (tmp_path / "gh" / "gh").unlink()
    assert opening.reasons() == ["cannot start gh; install it and run again"]
