"""Try the committed series on upstream as it is today, in a clone, and report."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from carry import git, manifest, series
from carry.canary import findings, nearby, report, steps, writing
from carry.canary.clone import throwaway
from carry.canary.report import End, Outcome, Report, Step
from carry.canary.steps import Options, Rebased
from carry.canary.words import Words
from carry.config import Config
from carry.console import say
from carry.errors import UserError
from carry.sources import Base
from carry.workspace import locked

_REBASE, _TESTS, _HOOKS = "rebase", "upstream's tests", "upstream's hooks"
_STYLES = {Outcome.PASSED: "green", Outcome.NOT_RUN: "yellow"}


def canary(config: Config, options: Options, folder: Path) -> None:
    """Rebase the committed series, run its checks, upstream's tests and hooks, and report.

    Nothing that the user sees changes but the report.

    Args:
        config: The configuration.
        options: How.
        folder: Where the report goes.

    Raises:
        UserError: Something did not pass, or no report could be made.
    """
    with locked(config, "canary"):
        writing.forget(folder)
        if changed := git.changes(config.root):
            say(f"note: {len(changed)} uncommitted change(s), {changed[0]} first: a canary tries "
                "the series as it is committed", style="yellow")  # fmt: skip
        say("a canary works in a clone: what is said below of files and commits is about that one")
        with throwaway(config) as clone:
            made = _run(config, clone, options)
            file = writing.write(folder, made)
    _tell(config, made, file)


def _run(config: Config, clone: Config, options: Options) -> Report:
    started = datetime.now(UTC)
    words = Words((clone.root, config.root))
    about, patches = manifest.read(clone.patches_dir), series.read(clone.patches_dir)
    found = Rebased()
    taken = _steps(clone, options, found, words)
    say("canary: upstream's commits nearby", style="bold")
    files = sorted({path for patch in patches for path in patch.paths})
    near = nearby.find(clone, about.base.wanted, files, options.source)
    return Report(
        outcome=report.worst(taken),
        started=started.isoformat(timespec="seconds"),
        seconds=round((datetime.now(UTC) - started).total_seconds(), 1),
        checked=git.head(clone.root) or "",
        origin=_end(found.old) or End(about.base.wanted, about.base.commit),
        onto=_end(found.new) or End(options.onto or "upstream's newest"),
        patches=len(patches),
        steps=taken,
        checks=found.checks,
        conflicts=found.conflicts,
        landed=found.landed,
        range_diff=found.range_diff,
        changed_functions=found.functions,
        tests=findings.tests(clone, words),
        hooks=findings.hooks(clone),
        nearby=replace(near, why=words.clean(near.why)),
    )


def _steps(clone: Config, options: Options, found: Rebased, words: Words) -> tuple[Step, ...]:
    """All that are to pass; a series that did not get over the rebase is tried no further."""
    moved = steps.attempt(_REBASE, words, partial(steps.move, clone, options, found))
    if moved.outcome is not Outcome.PASSED:
        return moved, *steps.not_run((_TESTS, _HOOKS), "the rebase did not pass")
    return (
        moved,
        steps.attempt(_TESTS, words, partial(steps.tests, clone, options)),
        steps.attempt(_HOOKS, words, partial(steps.hooks, clone, options)),
    )


def _end(base: Base | None) -> End | None:
    return End(base.name, base.known_as) if base else None


def _tell(config: Config, made: Report, file: Path) -> None:
    """One line for each step, and where the report is."""
    say(f"the canary on {made.onto.base}: {made.outcome}", style="bold")
    for step in made.steps:
        words = f"{step.outcome}: {step.problem or step.result}"
        say(f"  {step.name}: {words}", style=_STYLES.get(step.outcome, "red"))
    where = file.relative_to(config.root) if file.is_relative_to(config.root) else file
    if made.outcome is Outcome.PASSED:
        say(f"the report is {where}")
        return
    worst = made.worst
    raise UserError(
        f"the canary's {worst.name} ended with {worst.outcome}: {worst.problem}",
        hint=f"the report is {where}",
    )
