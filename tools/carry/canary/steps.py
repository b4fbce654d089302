"""The steps of a canary, each in the clone and each to its end, whatever became of the others."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from carry import checks, manifest, rebase, rebase_record, run_tests, sync
from carry.canary.findings import result_of
from carry.canary.report import Change, Conflict, Function, Outcome, Step
from carry.canary.words import Words
from carry.config import Config
from carry.console import say
from carry.errors import UserError
from carry.move import ConflictError, LandedError
from carry.sources import Base, resolve
from carry.upstream_hooks import command as upstream_hooks
from carry.upstream_hooks import record as hooks_record
from carry.workspace import ensure_submodule, locked


@dataclass(frozen=True)
class Options:
    """How a canary is run; `onto` is a release, tag or commit, "" for upstream's newest."""

    python: Path
    source: str = "auto"
    onto: str = ""


@dataclass
class Rebased:
    """What a rebase found out, as far as it came."""

    old: Base | None = None
    new: Base | None = None
    conflicts: tuple[Conflict, ...] = ()
    landed: tuple[str, ...] = ()
    functions: tuple[Function, ...] = ()
    range_diff: tuple[Change, ...] = ()
    checks: tuple[str, ...] = ()


def attempt(name: str, words: Words, work: Callable[[], str]) -> Step:
    """Do a step; what the user is to mend becomes its problem, and all else is a bug.

    Args:
        name: The step's name.
        words: Takes this machine out of the problem.
        work: The step; returns what came out.
    """
    say(f"canary: {name}", style="bold")
    started = time.monotonic()
    outcome, result, problem = Outcome.PASSED, "", ""
    try:
        result = work()
    except UserError as error:
        outcome = Outcome.CONFLICT if isinstance(error, ConflictError) else Outcome.FAILED
        # The hint is about a working tree that will be gone.
        problem = words.clean(error.problem)
        say(f"{name}: {problem}", style="red")
    return Step(name, outcome, result, problem, round(time.monotonic() - started, 1))


def move(clone: Config, options: Options, found: Rebased) -> str:
    """Rebase the series with its checks, and write down in `found` what comes out on the way.

    Raises:
        UserError: It cannot be moved, or a check fails on it.
    """
    entries = manifest.read(clone.patches_dir).patch
    ensure_submodule(clone)
    old = found.old = sync.present_base(clone, options.source)
    new = found.new = resolve(clone, clone.tree, options.onto, options.source, report=say)
    found.functions = tuple(
        Function(each.name, each.diff())
        for each in checks.changed_functions(clone.tree, entries, old.commit, new.commit)
    )
    how = rebase.Options(options.python, options.source)
    try:
        rebase.start(clone, new.version or new.commit, how)
        if not result_of(clone, rebase_record.KIND):
            with locked(clone, "canary"):
                rebase.check_in_place(clone, new, how)
    except ConflictError as error:
        found.conflicts = (Conflict(error.patch, error.files),)
        raise
    except LandedError as error:
        found.landed = error.patches
        raise
    return _moved(result_of(clone, rebase_record.KIND), found)


def _moved(result: dict[str, Any], found: Rebased) -> str:
    found.range_diff = tuple(Change(one["subject"], one["change"]) for one in result["range_diff"])
    found.checks = tuple(one["name"] for one in result["checks"])
    how = "moved" if result["moved"] else "already there"
    return f"{how}; {'; '.join(f'{name}: passed' for name in found.checks) or 'no checks'}"


def tests(clone: Config, options: Options) -> str:
    """Run upstream's tests without the series and with it.

    Raises:
        UserError: The series breaks some, or they cannot be run.
    """
    run_tests.run_tests(clone, options.source, options.python, ())
    result = result_of(clone, run_tests.KIND)
    counts = (
        f"{result['passed_before']} passed before the series, {result['passed_after']} after it"
    )
    return f"{counts}; {result['new']} new"


def hooks(clone: Config, options: Options) -> str:
    """Run upstream's hooks on the series.

    Raises:
        UserError: One fails, or cannot be run.
    """
    upstream_hooks.hooks(clone, options.source, fix=False)
    return str(result_of(clone, hooks_record.KIND)["total"])


def not_run(names: Sequence[str], why: str) -> tuple[Step, ...]:
    """Steps that another one stands in the way of."""
    return tuple(Step(name, Outcome.NOT_RUN, problem=why) for name in names)
