"""Whether a run of upstream's tests says something about them."""

from __future__ import annotations

import re
import signal
from pathlib import Path

from carry.errors import UserError
from carry.junit import Run
from carry.outcomes import Outcome

ENVIRONMENT = "nox -s test makes an environment that has what upstream's tests import"
_MEANING = {
    2: "was interrupted",
    3: "failed inside",
    4: "could not start with these arguments",
    5: "found no test",
}


def check(code: int, run: Run, tree: Path, when: str, log: Path | None) -> None:
    """Refuse a run that cannot be relied on.

    Args:
        code: What pytest ended with.
        run: What its report says.
        tree: Where it ran.
        when: Before the series or after it.
        log: The report, if there is one.

    Raises:
        UserError: It was cut short, or no test of it gave a result.
    """
    if problem := _problem(code, run):
        raise UserError(
            f"pytest {problem}, {when} the series in {tree}",
            hint="what it says above names the cause",
            log=log,
        )
    if name := _obstacle(run, tree):
        reason = run.unloadable[name]
        raise UserError(
            f"{name} cannot be loaded {when} the series: {reason}",
            hint=_remedy(reason, tree, when),
            log=log,
        )


def _problem(code: int, run: Run) -> str | None:
    if code < 0:
        return f"was ended by {signal.Signals(-code).name}"
    if code not in (0, 1):
        return _MEANING.get(code, f"ended with {code}")
    if not run.outcomes:
        return "left no report"
    if all(outcome is Outcome.SKIPPED for outcome in run.outcomes.values()):
        return "skipped every test"
    if code and not any(outcome.is_bad for outcome in run.outcomes.values()):
        return f"ended with {code} although no test failed"
    return None


def _obstacle(run: Run, tree: Path) -> str | None:
    """What cannot be loaded and left no test a result, or hides a folder of unknown tests."""
    tests = run.outcomes.keys() - run.unloadable.keys()
    if all(run.outcomes[name] is Outcome.SKIPPED for name in tests):
        return next(iter(run.unloadable), None)
    return next((name for name in run.unloadable if not _is_in_file(name, tree)), None)


def _is_in_file(name: str, tree: Path) -> bool:
    return (tree / name.partition("::")[0]).is_file()


def _remedy(reason: str, tree: Path, when: str) -> str:
    lacking = re.search(r"No module named '(\w+)", reason)
    if lacking and not any(tree.glob(f"{lacking[1]}*")):
        return ENVIRONMENT
    return f"mend it in {tree}" if when == "after" else "name tests that upstream itself can load"
