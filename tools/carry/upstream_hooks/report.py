"""What a user sees of a run of upstream's hooks: a line each, then the total."""

from __future__ import annotations

from carry.console import say
from carry.upstream_hooks.applying import COMMIT, MANUAL, MESSAGE
from carry.upstream_hooks.outcomes import Outcome, Run, Verdict, count

_STYLES = {Verdict.PASSED: "green", Verdict.FAILED: "red", Verdict.NOT_RUN: "red"}
_WHERE = {COMMIT: "", MESSAGE: " on the messages", MANUAL: " (manual)"}


def line(outcome: Outcome) -> None:
    """Say what became of a hook, as soon as it is known; hooks without files come later."""
    if outcome.verdict is Verdict.WITHOUT_FILES:
        return
    reason = f": {outcome.reason}" if outcome.reason else ""
    ran = outcome.verdict in (Verdict.PASSED, Verdict.FAILED)
    seconds = f" in {outcome.seconds:.1f} s" if ran else ""
    hook = outcome.hook
    text = f"{hook.hook.id}{_WHERE[outcome.stage]}: {outcome.verdict}{seconds}{reason}"
    say(text, style=_STYLES.get(outcome.verdict, ""))
    for part in (outcome.output, outcome.diff):
        if part:
            say(part)


def end(run: Run, base: str) -> None:
    """Name what had no files, and count."""
    for stage in (COMMIT, MANUAL):
        idle = [o.hook.hook.id for o in run.of(stage) if o.verdict is Verdict.WITHOUT_FILES]
        if idle:
            say(f"without files{_WHERE[stage]}: {', '.join(idle)}")
    if run.notes:
        say(f"a note, no check: {', '.join(run.notes)}")
    for stage in (MESSAGE, MANUAL):
        if part := run.of(stage):
            say(f"at the stage {stage}: {count(part)}")
    say(f"upstream's hooks at {base}: {run.total}", style="bold")
