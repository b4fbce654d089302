from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from carry import evidence
from carry.errors import UserError

from .repository import MakeRepository, Repository
from .small_index import Index

SUBJECT = evidence.Subject(series="0123", base="1.0.0", commit="abc", tree="def")


def record(**result: object) -> evidence.Record:
    started = datetime(2026, 11, 1, 12, tzinfo=UTC)
    return evidence.new("bench", result, command="nox", started=started, subject=SUBJECT)


def test_a_record_comes_back_as_it_was_written(tmp_path: Path) -> None:
    written = record(rows=[1, 2])
    file = evidence.write(tmp_path, written)
    assert file == tmp_path / "evidence" / "bench.json"
    assert evidence.read(tmp_path, "bench") == written
    assert [entry.name for entry in file.parent.iterdir()] == ["bench.json"]


def test_no_record_is_none(tmp_path: Path) -> None:
    assert evidence.read(tmp_path, "bench") is None


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("schema", 99, "schema 99"),
        ("kind", "proof", "a record of 'proof'"),
        ("subject", {}, "is no record"),
        ("subject", {"series": "../up", "base": "", "commit": "", "tree": ""}, "is no record"),
        ("digest", "", "was altered"),
        ("more", 1, "is no record"),
    ],
)
def test_what_is_no_record_of_this_kind_is_one_line(
    tmp_path: Path, key: str, value: object, says: str
) -> None:
    file = evidence.write(tmp_path, record())
    file.write_text(json.dumps(json.loads(file.read_text()) | {key: value}))
    with pytest.raises(UserError, match=says):
        evidence.read(tmp_path, "bench")


def test_what_was_altered_by_hand_is_told(tmp_path: Path) -> None:
    file = evidence.write(tmp_path, record(rows=[{"median": 3.5}]))
    file.write_text(file.read_text().replace("3.5", "3.4"))
    with pytest.raises(UserError, match="was altered since it was recorded; run its check again"):
        evidence.read(tmp_path, "bench")


def test_its_form_may_change_but_not_what_it_says(tmp_path: Path) -> None:
    written = record(rows=(1, 2.0, "ä"), more={"b": None, "a": True})
    file = evidence.write(tmp_path, written)
    content = json.loads(file.read_text())
    file.write_text(json.dumps(dict(reversed(content.items())), indent=4))
    assert evidence.read(tmp_path, "bench") == written


def of_series(series: str, value: int) -> evidence.Record:
    return evidence.new(
        "bench",
        {"value": value},
        command="nox",
        started=datetime(2026, 11, 1, 12, tzinfo=UTC),
        subject=msgspec.structs.replace(SUBJECT, series=series),
    )


def test_the_last_record_of_an_earlier_series_is_kept(tmp_path: Path) -> None:
    for number, series in enumerate(["0123", "0123", "0123+changes", "4567"]):
        evidence.write(tmp_path, of_series(series, number))
    kept = evidence.past_path(tmp_path, "bench", "0123")
    assert kept == tmp_path / "evidence" / "history" / "0123" / "bench.json"
    assert json.loads(kept.read_text())["result"] == {"value": 1}
    now = evidence.read(tmp_path, "bench")
    assert now and now.result == {"value": 3}
    assert [entry.name for entry in kept.parents[1].iterdir()] == ["0123"]
    assert not evidence.past_path(tmp_path, "bench", "4567").exists()


def test_what_is_no_record_is_not_kept(tmp_path: Path) -> None:
    file = evidence.write(tmp_path, of_series("0123", 1))
    file.write_text("{}")
    evidence.write(tmp_path, of_series("4567", 2))
    assert [entry.name for entry in file.parent.iterdir()] == ["bench.json"]


def test_run_says_what_a_command_runs_on(synced: Repository) -> None:
    code = (
        "import os, pathlib, sys;"
        "pathlib.Path(sys.argv[1]).write_text(os.environ['CARRY_SUBJECT']);"
        "print(pathlib.Path(sys.argv[2], 'acme/scan.py').read_text() "
        "!= pathlib.Path(sys.argv[3], 'acme/scan.py').read_text())"
    )
    out = synced.root / "subject"
    synced.done("run", "--", "{python}", "-c", code, str(out), "{base}", "{patched}")
    subject = msgspec.json.decode(out.read_bytes(), type=evidence.Subject)
    assert subject.base == "1.0.0"
    assert subject.tree == synced.tree_git("rev-parse", "HEAD~2^{tree}")
    assert synced.worktrees() == []
    synced.done("rebase", "--onto", "1.1.0")
    synced.done("run", "--", "{python}", "-c", code, str(out), "{base}", "{patched}")
    moved = msgspec.json.decode(out.read_bytes(), type=evidence.Subject)
    assert moved.base == "1.1.0"
    assert moved.series == subject.series


@pytest.mark.parametrize("commits", [False, True])
def test_a_record_of_more_than_the_series_is_bound_to_another(
    synced: Repository, *, commits: bool
) -> None:
    code = "import os, pathlib; pathlib.Path('subject').write_text(os.environ['CARRY_SUBJECT'])"
    synced.change("README.md", ("# acme\n", "# my acme\n"))
    if commits:
        synced.tree_git("commit", "--quiet", "--all", "-m", "Mine")
    said = synced.done("run", "--", "{python}", "-c", code)
    assert ("commits that patches/ has not" if commits else "1 uncommitted change(s)") in said
    assert json.loads((synced.root / "subject").read_text())["series"].endswith("+changes")


def test_a_command_that_fails_is_a_line(synced: Repository) -> None:
    assert "false ended with 1" in synced.refused("run", "--", "false")


def test_a_command_needs_the_series_in_place(repository: Repository) -> None:
    assert "acme/ does not stand on 1.0.0" in repository.refused("run", "--", "true")


@pytest.mark.parametrize("git_in_reach", [True, False])
def test_a_command_needs_the_series_on_the_base_that_the_manifest_names(
    make_repository: MakeRepository, index: Index, git_in_reach: bool
) -> None:
    """The submodule may stand on a later release, of which the base is an ancestor."""
    repository = make_repository(git_in_reach=git_in_reach)
    repository.done("rebase", "--onto", "1.1.0")
    repository.git("restore", "--staged", "--worktree", "patches")
    line = repository.refused("run", "--", "true")
    assert "acme/ does not stand on 1.0.0, the series' base; put it there: nox -s sync" in line
    assert "no longer stands on 1.0.0" in repository.refused("export")
    repository.done("sync")
    repository.done("run", "--", "true")


def test_a_command_is_told_that_the_patches_have_changed(synced: Repository) -> None:
    file = synced.root / "patches" / "series"
    file.write_text("# mine\n" + file.read_text())
    assert "note: patches/ has changed since acme/ was put" in synced.done("run", "--", "true")


def test_outside_of_run_the_subject_is_not_known() -> None:
    with pytest.raises(UserError, match="start it through its nox session"):
        evidence.subject_from_environment()
