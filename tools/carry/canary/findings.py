"""What the records that a canary's steps have made say came out."""

from __future__ import annotations

from typing import Any

from carry import evidence, run_tests
from carry.canary.report import Hooks, Test, Tests
from carry.canary.words import Words
from carry.config import Config
from carry.upstream_hooks import record as hooks_record
from carry.upstream_hooks.outcomes import Verdict

_BAD = {str(verdict) for verdict in Verdict if verdict.is_bad}


def result_of(clone: Config, kind: str) -> dict[str, Any]:
    """What a record of the clone says came out; empty without one."""
    record = evidence.read(clone.root, kind)
    return record.result if record else {}


def tests(clone: Config, words: Words) -> Tests | None:
    """What they did, if they were run."""
    result = result_of(clone, run_tests.KIND)
    if not result:
        return None
    differ = tuple(
        Test(words.clean(one["test"]), one["before"] or "", one["after"] or "")
        for one in result["differing"]
    )
    broken = result["regressions"] + result["new_failures"]
    return Tests(result["passed_before"], result["passed_after"], broken, differ)


def hooks(clone: Config) -> Hooks | None:
    """What they did, if they were run."""
    result = result_of(clone, hooks_record.KIND)
    if not result:
        return None
    failed = [str(one["id"]) for one in result["hooks"] if one["result"] in _BAD]
    return Hooks(str(result["total"]), tuple(dict.fromkeys(failed)))
