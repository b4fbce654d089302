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


def test_the_machine_is_described() -> None:
    machine = evidence.this_machine("cpu")
    assert machine.cores >= 1
    assert machine.memory > 0
    assert machine.cpu


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
