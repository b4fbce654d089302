"""Move the series to a new base, as one transaction.

Everything is made and checked in throwaway worktrees; `swap` puts the result in place at
the end. Until then a stop, a kill or a full disk changes nothing that the user sees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from carry import (
    checkout,
    checks,
    evidence,
    git,
    rebase_record,
    rebase_report,
    replay,
    stack,
    subject,
    sync,
)
from carry.config import Config
from carry.console import say
from carry.errors import UserError
from carry.evidence import Subject
from carry.move import (
    ConflictError,
    LandedError,
    Move,
    forget,
    plan,
    wait,
    waiting,
    ways_out,
    worktree_path,
)
from carry.rebase_record import Facts
from carry.sources import Base, lookup, resolve, table
from carry.swap import finish_pending, swap
from carry.workspace import discard_worktree, ensure_submodule, locked


@dataclass(frozen=True)
class Options:
    """How a rebase is done.

    `python` is the test environment's interpreter; `pre` lets a pre-release stand for upstream's
    branch where git is out of reach.
    """

    python: Path
    source: str = "auto"
    dry_run: bool = False
    drop_landed: bool = False
    pre: bool = False


@dataclass(frozen=True)
class Moved:
    """The moved series: its snapshot, and what records of it are bound to."""

    snapshot: str
    subject: Subject


def start(config: Config, onto: str, options: Options) -> None:
    """Move the series onto another upstream version.

    Args:
        config: The configuration.
        onto: A release, tag, commit id or upstream's branch; "" is the branch.
        options: How.

    Raises:
        UserError: Nothing was changed, or the rebase waits for the user: the line says which.
    """
    with locked(config, "rebase"):
        _preflight(config)
        old = sync.present_base(config, options.source)
        new = resolve(config, config.tree, onto, options.source, pre=options.pre, report=say)
        snapshot = sync.build(config, old)
        if new.commit == old.commit:
            say(f"already there: the series is based on {old.name}")
            if not options.dry_run:
                sync.put_in_place(config, old, snapshot)
                _renew_records(config, old, options)
            return
        _begin(config, plan(config, old, new, snapshot=snapshot, dry_run=options.dry_run), options)


def _preflight(config: Config) -> None:
    ensure_submodule(config)
    finish_pending(config)
    worktree = worktree_path(config)
    if move := waiting(config):
        raise UserError(
            f"a rebase onto {move.new.name} waits for you in {worktree}", hint=ways_out(config)
        )
    forget(config)
    if worktree.exists():
        say("an earlier rebase was stopped before it changed anything: starting over")
        discard_worktree(config, worktree)
    checkout.require_untouched(config)
    checkout.require_own_patches(config)


def _renew_records(config: Config, base: Base, options: Options) -> None:
    """Check a series that need not move, if a record of its checks is not fresh."""
    if rebase_record.is_wanting(config, subject.on(config, base)):
        say("there is no fresh record of its checks: running them")
        check_in_place(config, base, options)


def check_in_place(config: Config, base: Base, options: Options) -> None:
    """Run the checks on the series where it stands, and keep their records and the rebase's."""
    started, on = datetime.now(UTC), subject.on(config, base)
    with rebase_record.waiting_room(config) as room:
        passed = checks.run_all(
            config, base.commit, patched=config.tree, python=options.python,
            env=evidence.environment(on, room),
        )  # fmt: skip
        rebase_record.keep(config, room, Facts(base, base, started, passed), on)


def _begin(config: Config, move: Move, options: Options) -> None:
    say(f"rebasing {len(move.patches)} patch(es) from {move.old.name} onto {move.new.name}")
    worktree = worktree_path(config)
    try:
        git.add_worktree(config.tree, worktree, [move.old.commit, *move.commits][-1])
        conflict = replay.start(worktree, move.old.commit, move.new.commit, config.identity)
        _conclude(config, move, conflict, options)
    finally:
        if not waiting(config):
            discard_worktree(config, worktree)


def resume(config: Config, options: Options) -> None:
    """Go on with the rebase that waits, after the user has resolved what stopped it.

    Raises:
        UserError: There is none, or it cannot go on yet.
    """
    with locked(config, "rebase --continue"):
        ensure_submodule(config)
        if finish_pending(config):
            return
        move = waiting(config)
        if move is None:
            raise UserError("no rebase waits", hint="start one: nox -s rebase")
        _conclude(config, move, _resolved(config, move), options)
        discard_worktree(config, worktree_path(config))


def _resolved(config: Config, move: Move) -> replay.Conflict | None:
    worktree = worktree_path(config)
    if not git.is_repository(worktree):
        raise UserError(f"the worktree {worktree} is gone", hint=ways_out(config))
    if replay.under_way(worktree):
        return replay.go_on(worktree, config.identity)
    if changed := git.changes(worktree):
        raise UserError(
            f"{changed[0]} in {worktree} is changed but not committed",
            hint="amend the commit it belongs to, then run the same again",
        )
    if not git.is_ancestor(worktree, move.new.commit, "HEAD"):
        raise UserError(
            f"{worktree} no longer stands on {move.new.name}: was its rebase aborted by hand?",
            hint=f"leave it and start over: {ways_out(config)}",
        )
    return None


def abort(config: Config) -> None:
    """Leave the rebase that waits, or take back one that was killed while it ended.

    Raises:
        UserError: There is none.
    """
    with locked(config, "rebase --abort"):
        ensure_submodule(config)
        finished = finish_pending(config)
        move = waiting(config)
        forget(config)
        discard_worktree(config, worktree_path(config))
        if finished and finished.old:
            swap(config, f"taking back {finished.command}", finished.old, pin=finished.old_pin)
            say("the earlier state is back")
        elif move:
            say(f"left the rebase onto {move.new.name}; the series is on {move.old.name} as before")
        elif not finished:
            raise UserError("no rebase waits", hint="there is nothing to abort")


def _conclude(
    config: Config, move: Move, conflict: replay.Conflict | None, options: Options
) -> None:
    if conflict:
        patch, files = move.patch_of(conflict.commit), ", ".join(conflict.paths)
        problem = f"{patch} conflicts with {move.new.name} in {files}"
        hint = "nothing was changed; without --dry-run it can be resolved"
        if not move.dry_run:
            wait(config, move)
            hint = f"resolve it in {worktree_path(config)}, then {ways_out(config)}"
        raise ConflictError(problem, hint=hint, patch=patch, files=conflict.paths)
    started = datetime.now(UTC)
    landed = _settle_landed(config, move, options)
    functions = rebase_report.changed_functions(config, move)
    moved = _export(config, move)
    with rebase_record.waiting_room(config) as room:
        passed = _check(config, move, options, evidence.environment(moved.subject, room))
        text = rebase_report.range_diff(config, move, f"{moved.snapshot}^")
        if move.dry_run:
            forget(config)
            say(f"dry run: the series can move to {move.new.name}; nothing was changed")
            return
        swap(config, f"rebase onto {move.new.name}", moved.snapshot, pin=move.new.upstream)
        forget(config)
        facts = Facts(move.old, move.new, started, passed, functions, landed, text)
        rebase_record.keep(config, room, facts, moved.subject)
        _learn_releases(config)
        rebase_report.end(config, move)


def _learn_releases(config: Config) -> None:
    """Let the table of releases grow by what upstream's repository has just told."""
    told = lookup.last(config, "git")
    if told and (grown := table.learn(config, told, say)):
        say(f"{config.upstream.release_table} has {len(grown)} more: {', '.join(grown)}")


def _settle_landed(config: Config, move: Move, options: Options) -> list[str]:
    landed = rebase_report.landed(config, move)
    if not landed:
        return []
    if options.drop_landed:
        replay.without_empty(worktree_path(config), move.new.commit, config.identity)
        return landed
    # What was resolved by hand is kept; a rebase that never waited is soon done again.
    again = "--continue --drop-landed" if waiting(config) else "--drop-landed"
    raise LandedError(
        f"{', '.join(landed)} landed upstream; nothing was changed",
        hint=f"nox -s rebase again with {again} takes it out of the series",
        patches=tuple(landed),
    )


def _check(config: Config, move: Move, options: Options, env: Mapping[str, str]) -> list[str]:
    """Run the checks on the moved series; returns their names."""
    worktree = worktree_path(config)
    try:
        return checks.run_all(
            config, move.new.commit, patched=worktree, python=options.python, env=env
        )
    except UserError as error:
        if move.dry_run:
            raise
        wait(config, move)
        raise UserError(
            error.problem, hint=f"mend it in {worktree}, then {ways_out(config)}"
        ) from error


def _export(config: Config, move: Move) -> Moved:
    """Store the moved series, as the commits that its files make."""
    base, tip = move.new.commit, git.run(worktree_path(config), "rev-parse", "HEAD")
    files = stack.exported(config, base, tip, entry=move.base_entry, present={})
    with files as (folder, made):
        return Moved(stack.snapshot(config, folder, made), subject.of(config, folder, move.new))
