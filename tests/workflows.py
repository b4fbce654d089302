"""The workflows as their files have them, and their jobs run as the hosting service runs them.

A step's `run` is executed as it stands. An action does nothing here unless a stand-in is given.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".github" / "workflows"
FILES = sorted(FOLDER.iterdir())

#: What a job, a step or a whole workflow is in YAML.
Table = dict[str, Any]
#: An action's stand-in: its `with`, filled in, and the folder of the job. True if it went well.
Action = Callable[[Mapping[str, str], Path], bool]

_EXPRESSION = re.compile(r"\$\{\{ *(.*?) *\}\}")
_SHELLS = {
    None: ["bash", "-e"],
    "bash": ["bash", "--noprofile", "--norc", "-eo", "pipefail"],
}


def load(name: str) -> Table:
    """A workflow by its file's name; `on`, which YAML takes for true, is found under that name."""
    workflow = msgspec.yaml.decode((FOLDER / name).read_text("utf-8"), type=dict[Any, Any])
    return {"on" if key is True else key: value for key, value in workflow.items()}


def fill(text: str, known: Mapping[str, str]) -> str:
    """Put values for the expressions; one that is not known is an error."""
    return _EXPRESSION.sub(lambda found: known[found[1]], text)


@dataclass
class Outcome:
    """How a job ended."""

    result: str = "success"
    #: Each step that was run, by its name or its action, with how it ended.
    steps: dict[str, bool] = field(default_factory=dict)
    output: str = ""
    summary: str = ""


def run_job(
    workflow: Table,
    name: str,
    folder: Path,
    *,
    known: Mapping[str, str],
    actions: Mapping[str, Action] | None = None,
) -> Outcome:
    """Run the steps of a job in a folder, with values for the expressions."""
    job = workflow["jobs"][name]
    outcome = Outcome()
    summary = folder.parent / f"{folder.name}-{name}.summary"
    outside = {**os.environ, "CI": "true", "GITHUB_STEP_SUMMARY": str(summary)}
    for step in job["steps"]:
        if not _is_due(step, outcome):
            continue
        if "run" in step:
            env = outside | _filled([workflow, job, step], "env", known)
            good = _run(workflow, step, folder, env, outcome)
        else:
            action = step["uses"].partition("@")[0]
            stand_in = (actions or {}).get(action)
            good = stand_in is None or stand_in(_filled([step], "with", known), folder)
        outcome.steps[step.get("name", step.get("uses"))] = good
        if not good and not step.get("continue-on-error"):
            outcome.result = "failure"
    outcome.summary = summary.read_text("utf-8") if summary.exists() else ""
    return outcome


def _is_due(step: Table, outcome: Outcome) -> bool:
    match step.get("if"):
        case None:
            return outcome.result == "success"
        case "${{ !cancelled() }}":
            return True
    raise AssertionError(f"what is {step['if']}?")


def _filled(tables: list[Table], key: str, known: Mapping[str, str]) -> dict[str, str]:
    return {
        name: fill(str(value), known)
        for table in tables
        for name, value in table.get(key, {}).items()
    }


def _run(workflow: Table, step: Table, folder: Path, env: dict[str, str], to: Outcome) -> bool:
    shell = step.get("shell", workflow.get("defaults", {}).get("run", {}).get("shell"))
    script = folder.parent / "step.sh"
    script.write_text(step["run"], "utf-8")
    done = subprocess.run(
        [*_SHELLS[shell], str(script)],
        cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    to.output += done.stdout
    return done.returncode == 0
