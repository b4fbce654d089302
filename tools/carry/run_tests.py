"""Upstream's tests on what stands in the submodule, and on its base, in one table."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from carry import evidence, outcomes_report, subject, sync, upstream_tests
from carry.config import Config
from carry.console import say, show
from carry.errors import UserError
from carry.evidence import Subject
from carry.outcomes import Comparison
from carry.swap import finish_pending
from carry.workspace import ensure_submodule, locked

KIND = "tests"


def run_tests(config: Config, source: str, python: Path, files: Sequence[str]) -> None:
    """Compare upstream's tests before the series and after it, and keep a record.

    Args:
        config: The configuration.
        source: Where the base comes from if it is not here yet.
        python: The test environment's interpreter.
        files: Tests of upstream's besides the configured ones.

    Raises:
        UserError: A test that passed before does not now, or a new one fails.
    """
    with locked(config, "test"):
        ensure_submodule(config)
        finish_pending(config)
        base = sync.present_base(config, source)
        pure = sync.require_in_place(config, base)
        started = datetime.now(UTC)
        comparison = upstream_tests.compare(config, base.commit, python, files)
        ran_on = subject.on(config, base, changed=not pure)
        _keep(config, comparison, files, started, ran_on)
    show(outcomes_report.report(comparison))
    before, after = len(comparison.passed_before), len(comparison.passed_after)
    say(f"{base.name}: {before} passed before the series, {after} passed after it")
    if not comparison.ok:
        raise UserError(_problem(comparison), hint="mend it")


def _keep(
    config: Config, comparison: Comparison, files: Sequence[str], started: datetime, on: Subject
) -> None:
    outcome = {"outcome": "passed"}
    if not comparison.ok:
        outcome = {"outcome": "failed", "problem": _problem(comparison)}
    more = "".join(f" --upstream {file}" for file in files)
    record = evidence.new(
        KIND,
        outcome | outcomes_report.as_result(comparison),
        command=f"nox -s test{' --' if more else ''}{more}",
        started=started,
        subject=on,
    )
    evidence.write(config.root, record)


def _problem(comparison: Comparison) -> str:
    worse = [*comparison.regressions, *comparison.new_failures]
    return f"the series breaks {len(worse)} test(s): {comparison.described(worse[0])}"
