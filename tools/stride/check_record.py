"""The record of a differential test: evidence/exactness.json."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from carry import evidence
from stride.check import Tally

KIND = "exactness"


def passed(tallies: Mapping[str, Tally]) -> dict[str, Any]:
    """What came of batches that all agreed, by their names."""
    total = sum(tallies.values(), Tally())
    return {
        "outcome": "passed",
        **_numbers(total),
        "batches": [{"name": name, **_numbers(tally)} for name, tally in tallies.items()],
    }


def failed(problem: str) -> dict[str, Any]:
    """What came of a test that found a difference."""
    return {"outcome": "failed", "problem": problem}


def keep(result: Mapping[str, Any], started: datetime) -> None:
    """Write the record, unless the test was started by hand: then it is bound to nothing."""
    if evidence.SUBJECT not in os.environ:
        return
    record = evidence.new(
        KIND,
        result,
        command="nox -s rebase",
        started=started,
        subject=evidence.subject_from_environment(),
    )
    evidence.write(evidence.root_from_environment(), record)


def _numbers(tally: Tally) -> dict[str, int]:
    return {
        "cases": tally.cases,
        "lookups": tally.patched_lookups,
        "upstream_lookups": tally.upstream_lookups,
    }
