from __future__ import annotations

import sys
from pathlib import Path

import pytest

from carry import git
from carry.upstream_hooks.messages import Messages
from carry.upstream_hooks.outcomes import Outcome, Verdict
from carry.upstream_hooks.preparing import Prepared, prepare
from carry.upstream_hooks.running import Runner, has_python
from carry.upstream_hooks.table import Interpreter, Table

from .hooked import Tried, hook_repository, local, remote, tried

FILES = {"a.py": "x = 1 \n", "b.py": "y = 2\n"}


def run(where: Tried, *hooks: Prepared, files: tuple[str, ...] = ()) -> dict[str, Outcome]:
    commit = git.run(where.tree, "rev-parse", "HEAD")
    told: list[Outcome] = []
    runner = Runner(where.program, where.program.home / "logs", told.append)
    messages = Messages(where.tree, [commit], ["0001-begin.patch"])
    found = runner.run_all(hooks, files or where.files, messages)
    assert list(found) == told
    return {outcome.hook.hook.id: outcome for outcome in found}


def test_each_hook_is_judged_by_its_own_exit_code(tmp_path: Path) -> None:
    where = tried(tmp_path, FILES, fail_fast=True)
    found = run(
        where,
        local(id="bad", entry="sh -c 'echo the reason; exit 7'"),
        local(id="good"),
        local(id="good", alias="good-too", types=["yaml"]),
    )
    assert {name: outcome.verdict for name, outcome in found.items()} == {
        "bad": Verdict.FAILED, "good": Verdict.PASSED, "good-too": Verdict.WITHOUT_FILES,
    }  # fmt: skip
    assert "the reason" in found["bad"].output
    assert found["good"].files == ("a.py", "b.py")


def test_hook_that_changes_a_file_fails_with_its_own_diff(tmp_path: Path) -> None:
    where = tried(tmp_path, FILES)
    found = run(
        where,
        local(id="trim", entry="sed -i 's/ *$//'"),
        local(id="trim", alias="again", entry="sed -i 's/ *$//'"),
        local(id="count", entry="sed -i 's/2/3/'", files="^b"),
    )
    assert [outcome.verdict for outcome in found.values()] == [
        Verdict.FAILED, Verdict.PASSED, Verdict.FAILED,
    ]  # fmt: skip
    assert "-x = 1 \n+x = 1" in found["trim"].diff
    assert "a.py" not in found["count"].diff


def test_hook_that_cannot_be_installed_is_named_and_the_others_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    where = tried(tmp_path, FILES)
    found = run(
        where,
        local(id="k", language="klingon"),
        local(id="absent", language="python", additional_dependencies=["absent==1"]),
        local(id="good"),
    )
    assert found["good"].verdict is Verdict.PASSED
    assert found["k"].verdict is found["absent"].verdict is Verdict.NOT_RUN
    assert "klingon" in found["k"].reason
    assert found["absent"].reason.startswith("it cannot be installed: ")
    assert "\n" not in found["absent"].reason
    assert "CalledProcessError" in (where.program.home / "logs" / "absent.log").read_text()


def test_hook_without_a_package_counts_only_where_it_has_files(tmp_path: Path) -> None:
    where = tried(tmp_path, FILES)
    address = "https://example.invalid/x"
    hooks = [
        prepare(remote(address, "v1", **keys), Table(), "1", from_packages=True)
        for keys in ({"id": "has"}, {"id": "has-not", "types": ["yaml"]})
    ]
    found = run(where, *hooks)
    assert found["has"].verdict is Verdict.NOT_RUN
    assert found["has"].reason == f"no package for has of {address}"
    assert found["has-not"].verdict is Verdict.WITHOUT_FILES


def test_hook_of_a_repository_in_reach_is_run_as_it_is(tmp_path: Path) -> None:
    manifest = [{"id": "check", "name": "c", "entry": "check.sh", "language": "script",
                 "types": ["python"]}]  # fmt: skip
    script = "#!/bin/sh\necho looked at $*\nexit 1\n"
    hooks = hook_repository(tmp_path / "hooks", manifest, **{"check.sh": script})
    where = tried(tmp_path / "tried", FILES)
    hook = prepare(remote(hooks, "v1", id="check"), Table(), "1", from_packages=False)
    outcome = run(where, hook)["check"]
    assert outcome.verdict is Verdict.FAILED
    assert "looked at a.py b.py" in outcome.output


def test_manual_stage_adds_what_was_not_run_before_a_commit(tmp_path: Path) -> None:
    where = tried(tmp_path, FILES, default_stages=["pre-commit", "manual"])
    table = Table(interpreters=(Interpreter("types.*", r"--python (\S+)"),))
    ours = f"{sys.version_info.major}.{sys.version_info.minor}"

    def types(name: str, version: str, *stages: str) -> Prepared:
        every = local(id=name, entry=f"true --python {version}", **dict(_stages(stages))).hook
        return prepare(every, table, "1", from_packages=True)

    found = run(
        where, types("types", "2.99"), types("types-a", ours, "manual"),
        types("types-b", "2.98", "manual"), local(id="push", stages=["pre-push"]),
    )  # fmt: skip
    assert {name: (o.stage, o.verdict) for name, o in found.items()} == {
        "types": ("pre-commit", Verdict.PASSED),
        "types-a": ("manual", Verdict.PASSED),
        "types-b": ("manual", Verdict.NOT_HERE),
    }
    assert found["types-b"].reason == "there is no Python 2.98"


def _stages(stages: tuple[str, ...]) -> list[tuple[str, object]]:
    return [("stages", list(stages))] if stages else []


def test_program_that_does_not_start_is_no_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for version, code in (("2.98", 0), ("2.97", 127)):
        (tmp_path / f"python{version}").write_text(f"#!/bin/sh\nexit {code}\n")
        (tmp_path / f"python{version}").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert [has_python(version) for version in ("2.98", "2.97", "2.96")] == [True, False, False]


def test_message_that_a_hook_would_change_fails_with_its_diff(tmp_path: Path) -> None:
    where = tried(tmp_path, FILES)
    entry = """sh -c 'echo "By: $(git config user.name)" >> "$1"' -"""
    outcome = run(where, local(id="sign", entry=entry, stages=["commit-msg"]))["sign"]
    assert outcome.verdict is Verdict.FAILED
    assert outcome.reason == "0001-begin.patch"
    assert "+By: Mae Maintainer" in outcome.diff
