"""The record of a run of upstream's hooks, and what has changed since the one before."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from carry import evidence, machine_paths
from carry.errors import UserError
from carry.upstream_hooks.applying import COMMIT, STAGES
from carry.upstream_hooks.outcomes import Outcome, Run, count

KIND = "hooks"


def write(root: Path, run: Run, subject: evidence.Subject, started: datetime) -> Path:
    """Put the record of a run in its place."""
    further = {stage: count(part) for stage in STAGES if stage != COMMIT if (part := run.of(stage))}
    result = {
        "total": run.total,
        "outcome": "failed" if run.bad else "passed",
        "problem": ", ".join(dict.fromkeys(outcome.hook.hook.id for outcome in run.bad)),
        "further stages": further,
        "from": "packages" if run.from_packages else "repositories",
        "files": list(run.files),
        "notes": list(run.notes),
        "hooks": [_entry(outcome) for outcome in run.outcomes],
    }
    made = evidence.new(KIND, result, command="nox -s lint", started=started, subject=subject)
    return evidence.write(root, made)


def _entry(outcome: Outcome) -> dict[str, Any]:
    entry = {
        "id": outcome.hook.hook.id,
        "name": outcome.hook.hook.name,
        "stage": outcome.stage,
        "version": outcome.hook.version,
        "source": outcome.hook.source,
        "result": str(outcome.verdict),
        "seconds": outcome.seconds,
        "files": list(outcome.files),
    }
    reason = machine_paths.without(outcome.reason)  # a log is this machine's own
    return entry | ({"reason": reason} if reason else {})


def since_the_last(root: Path, run: Run) -> list[str]:
    """What has come and gone since the record that is there was made, in words."""
    try:
        last = evidence.read(root, KIND)
    except UserError:
        return []
    if last is None:
        return []
    before = [str(entry["id"]) for entry in last.result.get("hooks", ())]
    now = [outcome.hook.hook.id for outcome in run.outcomes]
    changed = {
        "new": [name for name in now if name not in before],
        "gone": [name for name in before if name not in now],
    }
    return [
        f"{what} since the record on {last.subject.base}: {', '.join(dict.fromkeys(names))}"
        for what, names in changed.items()
        if names
    ]
