"""Upstream's tests on what stands in the submodule, and on its base, in one table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from carry import outcomes_report, sync, upstream_tests
from carry.config import Config
from carry.console import say, show
from carry.errors import UserError
from carry.swap import finish_pending
from carry.workspace import ensure_submodule, locked


def run_tests(config: Config, source: str, python: Path, files: Sequence[str]) -> None:
    """Compare upstream's tests before the series and after it.

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
        sync.require_in_place(config, base)
        comparison = upstream_tests.compare(config, base.commit, python, files)
    show(outcomes_report.report(comparison))
    before, after = len(comparison.passed_before), len(comparison.passed_after)
    say(f"{base.name}: {before} passed before the series, {after} passed after it")
    if not comparison.ok:
        worse = [*comparison.regressions, *comparison.new_failures]
        first = comparison.described(worse[0])
        raise UserError(f"the series breaks {len(worse)} test(s): {first}", hint="mend it")
