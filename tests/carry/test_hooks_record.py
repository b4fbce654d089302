from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from carry import evidence
from carry.evidence import Subject
from carry.upstream_hooks import record
from carry.upstream_hooks.outcomes import Outcome, Run, Verdict

from .hooked import local

SUBJECT = Subject(series="0123", base="1.0.0", commit="abc", tree="def")


def outcome(name: str, verdict: Verdict, *, stage: str = "pre-commit", reason: str = "") -> Outcome:
    return Outcome(local(id=name), stage, verdict, reason, 0.5, ("a.py",))


def run(*outcomes: Outcome) -> Run:
    return Run(outcomes, ("hint",), ("a.py",), from_packages=True)


def test_record_has_every_hook_and_the_total(tmp_path: Path) -> None:
    whole = run(
        outcome("a", Verdict.PASSED),
        outcome("b", Verdict.WITHOUT_FILES),
        outcome("c", Verdict.NOT_RUN, reason="npm is not installed (log: /tmp/x)"),
        outcome("s", Verdict.PASSED, stage="commit-msg"),
        outcome("m", Verdict.NOT_HERE, stage="manual", reason="there is no Python 2.9"),
    )
    record.write(tmp_path, whole, SUBJECT, datetime.now(UTC))
    read = evidence.read(tmp_path, "hooks")
    assert read is not None
    assert read.subject == SUBJECT
    assert read.result["total"] == "1 passed, 0 failed, 1 without files, 1 not run"
    assert (read.result["outcome"], read.result["problem"]) == ("failed", "c")
    assert read.result["further stages"] == {
        "commit-msg": "1 passed, 0 failed, 0 without files",
        "manual": "0 passed, 0 failed, 0 without files, 1 not run here",
    }
    assert read.result["notes"] == ["hint"]
    assert [entry["id"] for entry in read.result["hooks"]] == ["a", "b", "c", "s", "m"]
    assert read.result["hooks"][0] == {
        "id": "a", "name": "a", "stage": "pre-commit", "version": "1.0.0",
        "source": "upstream's tree", "result": "passed", "seconds": 0.5, "files": ["a.py"],
    }  # fmt: skip
    assert read.result["hooks"][2]["reason"] == "npm is not installed (log: …)"


def test_what_has_come_and_gone_since_the_last_record_is_said(tmp_path: Path) -> None:
    first = run(outcome("a", Verdict.PASSED), outcome("b", Verdict.PASSED))
    assert record.since_the_last(tmp_path, first) == []
    record.write(tmp_path, first, SUBJECT, datetime.now(UTC))
    assert record.since_the_last(tmp_path, first) == []
    second = run(outcome("b", Verdict.PASSED), outcome("c", Verdict.WITHOUT_FILES))
    assert record.since_the_last(tmp_path, second) == [
        "new since the record on 1.0.0: c",
        "gone since the record on 1.0.0: a",
    ]


def test_record_that_cannot_be_read_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "evidence").mkdir()
    (tmp_path / "evidence/hooks.json").write_text("{")
    assert record.since_the_last(tmp_path, run(outcome("a", Verdict.PASSED))) == []
