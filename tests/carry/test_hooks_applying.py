from __future__ import annotations

from pathlib import Path

from carry.upstream_hooks.applying import ask
from carry.upstream_hooks.preparing import prepare
from carry.upstream_hooks.table import Table

from .hooked import hook_repository, local, remote, tried

FILES = {"a.py": "", "deep/b.py": "", "run": "#!/bin/sh\n", "notes.md": "x\n"}
NOWHERE = {"language": "python", "additional_dependencies": ["a-package-that-is-not-there==1"]}


def test_files_are_those_that_pre_commit_chooses_and_nothing_is_installed(tmp_path: Path) -> None:
    where = tried(tmp_path, FILES, exclude="^deep/")
    hooks = [
        local(id="python", types=["python"], **NOWHERE),
        local(id="shell", types=["shell"], language="node", language_version="lts"),
        local(id="docs", files=r"\.md$", pass_filenames=False),
        local(id="yaml", types=["yaml"], **NOWHERE),
        local(id="always", types=["yaml"], always_run=True),
    ]
    answers = ask(where.program, hooks, where.files)
    assert [answer.fault for answer in answers] == [""] * 5
    # A shell script is told by its first line, where it is not executable.
    assert [answer.files for answer in answers] == [("a.py",), None, ("notes.md",), None, ()]


def test_stages_come_from_the_hook_or_from_the_settings(tmp_path: Path) -> None:
    where = tried(tmp_path, FILES, default_stages=["pre-commit", "manual"])
    hooks = [
        local(id="default"),
        local(id="message", stages=["commit-msg"]),
        local(id="manual", stages=["manual"], types=["python"]),
        local(id="push", stages=["pre-push"]),
    ]
    answers = ask(where.program, hooks, where.files)
    assert [answer.stages for answer in answers] == [["pre-commit"], ["commit-msg"], ["manual"], []]
    assert answers[2].files == ("a.py", "deep/b.py")


def test_hook_that_is_not_valid_is_named_and_the_others_are_asked(tmp_path: Path) -> None:
    where = tried(tmp_path, FILES)
    hooks = [local(id="k", language="klingon"), local(id="types", types=["x"]), local(id="good")]
    answers = ask(where.program, hooks, where.files)
    assert answers[0].fault.startswith("Expected one of ")
    assert answers[0].fault.endswith("but got: 'klingon'")
    assert "'x'" in answers[1].fault
    assert answers[2].fault == ""
    assert answers[2].files == where.files


def test_repository_has_its_manifests_files_and_a_missing_one_hides_no_other(
    tmp_path: Path,
) -> None:
    manifest = [{"id": "check", "name": "c", "entry": "true", "language": "system",
                 "types": ["python"]}]  # fmt: skip
    good = hook_repository(tmp_path / "hooks", manifest)
    where = tried(tmp_path / "tried", FILES)
    hooks = [
        prepare(hook, Table(), "1", from_packages=False)
        for hook in (
            remote(good, "v1", id="check"),
            remote(tmp_path / "nowhere", "v1", id="check"),
            remote(good, "v1", id="other"),
        )
    ]
    answers = ask(where.program, hooks, where.files)
    assert (answers[0].fault, answers[0].files) == ("", ("a.py", "deep/b.py"))
    assert "nowhere" in answers[1].fault
    assert "`other` is not present in repository" in answers[2].fault
