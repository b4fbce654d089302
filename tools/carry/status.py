"""Where things stand, as values; asks upstream what is newest, and changes nothing else."""

from __future__ import annotations

import msgspec

from carry import (
    checkout,
    duplicates,
    freshness,
    git,
    manifest,
    move,
    newest_status,
    published,
    series,
    status_report,
    subject,
    swap,
)
from carry.config import Config
from carry.console import print_json
from carry.errors import UserError
from carry.newest_status import Newest

#: The version of what `carry status --json` prints, described in docs/status.md.
SCHEMA = 1


class Pin(msgspec.Struct, frozen=True):
    """The commit that git records for the submodule; empty where it records none."""

    commit: str
    version: str


class BaseOfSeries(msgspec.Struct, frozen=True):
    """What the series applies to; a rehearsal has just the beginning of the commit id."""

    version: str
    commit: str
    rehearsal: bool


class RecordState(msgspec.Struct, frozen=True):
    """One kind of record: what it is good for now, and on which base it was made."""

    kind: str
    title: str
    state: str
    why: str
    base: str
    recorded: str
    command: str


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """All that `carry status` tells.

    Attributes:
        schema: The version of this form.
        pin: What git records.
        base: What the series is based on.
        upstream: The newest there is, see `newest_status.Newest`.
        series: The patches in order.
        submodule: What is in the submodule, one statement each.
        under_way: The operation that waits, empty if there is none.
        evidence: Every kind of record.
        evidence_problem: Why the records cannot be judged, empty if they can.
        duplicates: What is to be done about other pull requests; None if none is planned.
        published: What was published last; None if nothing is to be.
    """

    schema: int = SCHEMA
    pin: Pin
    base: BaseOfSeries
    upstream: Newest
    series: tuple[str, ...]
    submodule: tuple[str, ...]
    under_way: str
    evidence: tuple[RecordState, ...]
    evidence_problem: str = ""
    duplicates: str | None = None
    published: str | None = None


def status(config: Config, source: str, *, offline: bool, as_json: bool) -> None:
    """Print where things stand, for people or for programs.

    Args:
        config: The configuration.
        source: Whom to ask what is newest.
        offline: Ask nobody.
        as_json: Print JSON.
    """
    standing = look(config, source, offline=offline)
    if as_json:
        print_json(msgspec.json.encode(standing))
    else:
        status_report.show(config, standing)


def look(config: Config, source: str, *, offline: bool) -> Standing:
    """Find out where things stand."""
    base = manifest.read(config.patches_dir).base
    records, problem = _evidence(config)
    proposes = bool(config.pull_request.repository)
    return Standing(
        pin=_pin(config),
        base=BaseOfSeries(base.version, base.commit, base.rehearsal),
        upstream=newest_status.look(config, base, source, offline=offline),
        series=tuple(series.names(config.patches_dir)),
        submodule=tuple(_submodule(config)),
        under_way=_under_way(config),
        evidence=records,
        evidence_problem=problem,
        duplicates=_duplicates(config) if proposes else None,
        published=_published(config) if proposes else None,
    )


def _pin(config: Config) -> Pin:
    pin = git.gitlink(config.root, config.submodule) or ""
    known = {release.commit: release.version for release in config.upstream.releases}
    return Pin(pin, known.get(pin, ""))


def _submodule(config: Config) -> list[str]:
    sync = config.front_door("sync")
    if not git.is_repository(config.tree):
        return [f"not there yet: {sync}"]
    tip = git.head(config.tree)
    if tip is None:
        return [f"empty: {sync}"]
    notes = [f"branch {git.branch(config.tree) or 'none (detached)'} at {tip[:12]}"]
    carried = checkout.Carried.read(config.tree)
    if carried is None:
        notes.append(f"the series is not applied: {sync}")
    elif carried.patches != git.write_tree(config.tree, config.patches_dir):
        notes.append(f"{config.patches}/ has changed since: {sync}")
    if commits := checkout.unexported(config):
        notes.append(f"{len(commits)} commit(s) not exported: carry export")
    if changed := git.changes(config.tree):
        notes.append(f"{len(changed)} uncommitted change(s), {changed[0]} first")
    return notes


def _under_way(config: Config) -> str:
    try:
        if plan := swap.pending(config):
            return f"{plan.command} was stopped while it put its result in place: any command "\
                "finishes it, carry rebase --abort takes it back"  # fmt: skip
        if waiting := move.waiting(config):
            where = move.worktree_path(config)
            return f"rebase onto {waiting.new.name}, waiting in {where}: {move.ways_out(config)}"
    except UserError as error:
        return error.line()
    if git.is_repository(config.tree) and (words := checkout.operation_under_way(config.tree)):
        return f"{words} in {config.submodule}/: finish or abort it there"
    return ""


def _evidence(config: Config) -> tuple[tuple[RecordState, ...], str]:
    """The state of each kind of record, and why that cannot be told."""
    if not config.evidence:
        return (), ""
    try:
        now = subject.present(config)
    except UserError as error:
        return (), error.line()
    return tuple(_record(one) for one in freshness.survey(config, now)), ""


def _record(one: freshness.Evidence) -> RecordState:
    was = one.record
    return RecordState(
        kind=one.kind,
        title=one.title,
        state=str(one.state),
        why=one.why,
        base=was.subject.base if was else "",
        recorded=was.started if was else "",
        command=one.command,
    )


def _duplicates(config: Config) -> str:
    """What is to be done about other pull requests, as far as the last check knows."""
    try:
        reasons = duplicates.reasons(config, subject.present(config), None)
    except UserError as error:
        return error.line()
    return "; ".join(reasons) or "fresh, and every difference is written"


def _published(config: Config) -> str:
    try:
        last = published.last(config)
    except UserError as error:
        return error.line()
    if last is None:
        return "nothing yet"
    return f"{last.commit[:12]} on {last.fork}, {last.url or 'no pull request yet'}"
