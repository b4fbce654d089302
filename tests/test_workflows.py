"""What the workflows may do, and that they say what the rest of the repository says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import msgspec
import pytest

from .workflows import FILES, ROOT, Table, fill, load

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
NAMES = [file.name for file in FILES]
PINNED = re.compile(r"uses: (actions/[\w-]+)@([0-9a-f]{40}) # v\d+\.\d+\.\d+$")


def jobs(name: str) -> dict[str, Table]:
    return dict(load(name)["jobs"])


def pythons() -> list[str]:
    return list(jobs("ci.yml")["check"]["strategy"]["matrix"]["python"])


def as_numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def test_there_are_two() -> None:
    assert NAMES == ["canary.yml", "ci.yml"]


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_every_action_is_pinned_and_says_its_version(file: Path) -> None:
    lines = [line for line in file.read_text("utf-8").splitlines() if "uses:" in line]
    assert lines
    for line in lines:
        assert PINNED.search(line), line


def test_an_action_is_pinned_to_one_commit() -> None:
    found = [PINNED.search(line) for file in FILES for line in file.read_text().splitlines()]
    pins = {hit.groups() for hit in found if hit}
    assert len(pins) == len({action for action, _ in pins}) > 3


def test_permissions_are_the_least() -> None:
    for name in NAMES:
        assert load(name)["permissions"] == {}
    assert {job: of["permissions"] for name in NAMES for job, of in jobs(name).items()} == {
        "check": {"contents": "read"},
        "canary": {"contents": "read"},
        "issue": {"issues": "write"},
    }


def test_the_default_token_is_all_that_is_needed_and_one_step_has_it() -> None:
    for file in FILES:
        assert "secrets" not in file.read_text("utf-8")
    given = [
        (job, step["name"])
        for name in NAMES
        for job, of in jobs(name).items()
        for step in of["steps"]
        if "token" in str(step)
    ]
    assert given == [("issue", "Open, update or close the issue")]


@pytest.mark.parametrize("name", NAMES)
def test_no_expression_gets_into_a_script(name: str) -> None:
    for job in jobs(name).values():
        for step in job["steps"]:
            assert "${{" not in step.get("run", "")


@pytest.mark.parametrize("name", NAMES)
def test_a_checkout_keeps_no_credentials_and_leaves_the_submodule(name: str) -> None:
    steps = [step for job in jobs(name).values() for step in job["steps"]]
    (checkout,) = [step for step in steps if "actions/checkout" in step.get("uses", "")]
    assert checkout["with"]["persist-credentials"] is False
    assert "submodules" not in checkout["with"]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_runs_for_ever_or_twice(name: str) -> None:
    assert load(name)["concurrency"]["group"]
    for job in jobs(name).values():
        assert 0 < job["timeout-minutes"] <= 90
        inner = [step.get("timeout-minutes", 0) for step in job["steps"]]
        assert max(inner) < job["timeout-minutes"]


def test_ci_is_for_pushes_and_pull_requests() -> None:
    assert load("ci.yml")["on"] == {"push": {"branches": ["main"]}, "pull_request": None}


def test_the_canary_is_for_the_night_and_for_asking() -> None:
    on = load("canary.yml")["on"]
    assert on.keys() == {"schedule", "workflow_dispatch"}
    (schedule,) = on["schedule"]
    assert re.fullmatch(r"\d{1,2} \d{1,2} \* \* \*", schedule["cron"])


def test_the_issue_is_of_the_main_branch_whatever_became_of_the_canary() -> None:
    issue = jobs("canary.yml")["issue"]
    assert issue["needs"] == "canary"
    assert issue["if"] == "${{ !cancelled() && github.ref == 'refs/heads/main' }}"


def test_the_oldest_python_is_the_one_that_is_promised() -> None:
    promised = re.fullmatch(r">=(\d+\.\d+)(\.\d+)?", PROJECT["project"]["requires-python"])
    assert promised
    assert pythons()[0] == promised[1]


def test_no_python_in_between_is_left_out() -> None:
    numbers = [as_numbers(version) for version in pythons()]
    first, last = numbers[0][1], numbers[-1][1]
    assert numbers == [(3, minor) for minor in range(first, last + 1)]
    assert last > first


def test_the_canary_is_on_a_python_that_ci_has() -> None:
    steps = jobs("canary.yml")["canary"]["steps"]
    (python,) = [s["with"]["python-version"] for s in steps if "python" in s.get("uses", "")]
    assert python in pythons()


@pytest.mark.parametrize("version", pythons())
def test_each_python_of_the_matrix_is_set_up(version: str) -> None:
    job = jobs("ci.yml")["check"]
    (setup,) = [step for step in job["steps"] if "setup-python" in step.get("uses", "")]
    known = {"matrix.python": version}
    assert fill(setup["with"]["python-version"], known) == version
    assert fill(job["name"], known) == f"Python {version}"


def test_what_ci_runs_is_there() -> None:
    runs = [step["run"] for step in jobs("ci.yml")["check"]["steps"] if "run" in step]
    assert runs == [".ci/run"]
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111


@pytest.mark.parametrize("hook", ["actionlint", "check-jsonschema"])
def test_a_hook_checks_every_workflow(hook: str) -> None:
    file = ROOT / ".pre-commit-config.yaml"
    whole = msgspec.yaml.decode(file.read_text("utf-8"), type=Table)
    (found,) = [h for repo in whole["repos"] for h in repo["hooks"] if h["id"] == hook]
    for workflow in FILES:
        assert re.search(found["files"], workflow.relative_to(ROOT).as_posix())
