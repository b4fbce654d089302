"""Which records show something of the series as it stands, and why the others do not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from carry import config as configuration
from carry import evidence
from carry.config import Config
from carry.evidence import Record, Subject

_CLOCKS_DIFFER = timedelta(days=1)


class State(StrEnum):
    """What a record is good for; only a fresh one shows anything."""

    FRESH = "fresh"
    STALE = "stale"
    MISSING = "missing"
    BROKEN = "broken"


@dataclass(frozen=True)
class Evidence:
    """One kind of record, as it is now.

    Attributes:
        kind: The record's kind.
        title: What it is about.
        command: What makes it.
        state: Fresh only if its check passed on this very series and base. One that was
            altered or whose check failed is broken, one whose check was skipped missing.
        why: Why it is not fresh; empty where it is.
        record: The record, where there is one that can be read.
    """

    kind: str
    title: str
    command: str
    state: State
    why: str = ""
    record: Record | None = None


def survey(config: Config, subject: Subject) -> tuple[Evidence, ...]:
    """Every kind of record that the configuration names, in its order.

    Args:
        config: The configuration.
        subject: What the records should be bound to, see `carry.subject`.
    """
    return tuple(_look(config, wanted, subject) for wanted in config.evidence)


def _look(config: Config, wanted: configuration.Evidence, subject: Subject) -> Evidence:
    try:
        record = evidence.read(config.root, wanted.kind)
    except evidence.BrokenError as error:
        return _evidence(wanted, State.BROKEN, error.why)
    if record is None:
        return _evidence(wanted, State.MISSING, "not run")
    reasons = [*_differences(record.subject, subject), *_age(record, wanted.max_age_days)]
    if reasons:
        return _evidence(wanted, State.STALE, "; ".join(reasons), record)
    outcome, problem = record.result.get("outcome", "passed"), record.result.get("problem", "")
    if outcome == "passed":
        return _evidence(wanted, State.FRESH, "", record)
    state = State.MISSING if outcome == "skipped" else State.BROKEN
    return _evidence(wanted, state, f"{outcome}: {problem}".removesuffix(": "), record)


def _evidence(
    wanted: configuration.Evidence, state: State, why: str, record: Record | None = None
) -> Evidence:
    return Evidence(wanted.kind, wanted.title, wanted.command, state, why, record)


def _differences(was: Subject, now: Subject) -> list[str]:
    """Which of series and base is not what it was."""
    found = []
    if was.series != now.series:
        found.append(f"series changed: {was.series} → {now.series}")
    if now.tree and was.tree == now.tree:
        return found
    if (was.base, was.commit) != (now.base, now.commit):
        found.append(f"base changed: {was.base} → {now.base}")
    elif now.tree:
        found.append(f"base changed: another tree of {now.base}")
    return found


def _age(record: Record, most: int) -> list[str]:
    age = datetime.now(UTC) - datetime.fromisoformat(record.started)
    if age < -_CLOCKS_DIFFER:
        return [f"of a time to come, {record.started}"]
    return [f"{age.days} days old"] if most and age.days > most else []
