"""The record of a rebase. It and those of its checks wait in a folder until the swap is done."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from carry import evidence, freshness, series
from carry.config import Config
from carry.evidence import Subject
from carry.freshness import State
from carry.sources import Base, described

KIND = "rebase"
_PAIR = re.compile(r"^ *(?:\d+|-): +\S+ ([=!<>]) +(?:\d+|-): +\S+ (.*)$", re.MULTILINE)
_CHANGES = {"=": "unchanged", "!": "changed", "<": "dropped", ">": "added"}


@dataclass(frozen=True)
class Facts:
    """What a rebase found out.

    `checks` are the names of those that passed, `functions` the touched ones that upstream
    has rewritten, `landed` the patches that upstream has whole.
    """

    old: Base
    new: Base
    started: datetime
    checks: Sequence[str]
    functions: Sequence[str] = ()
    landed: Sequence[str] = ()
    range_diff: str = ""


@contextmanager
def waiting_room(config: Config) -> Iterator[Path]:
    """A folder for records that `keep` puts in place; without it they are gone at the end."""
    config.state_dir.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=config.state_dir, prefix="evidence-") as name:
        yield Path(name)


def keep(config: Config, room: Path, facts: Facts, subject: Subject) -> None:
    """Put the records that wait in place, and the rebase's own beside them."""
    for file in sorted((room / "evidence").glob("*.json")):
        if record := evidence.read(room, file.stem):
            evidence.write(config.root, record)
    own = evidence.new(
        KIND,
        _result(config, facts),
        command=f"nox -s rebase -- --onto {facts.new.version or facts.new.commit}",
        started=facts.started,
        subject=subject,
    )
    evidence.write(config.root, own)


def _result(config: Config, facts: Facts) -> dict[str, object]:
    return {
        "outcome": "passed",
        "from": {"base": facts.old.name, "commit": facts.old.known_as},
        "onto": {"base": facts.new.name, "commit": facts.new.known_as},
        "found": described(config, config.tree, facts.new),
        "moved": facts.old != facts.new,
        "patches": series.names(config.patches_dir),
        "conflicts": [],
        "landed": list(facts.landed),
        "range_diff": [
            {"change": _CHANGES[sign], "subject": subject}
            for sign, subject in _PAIR.findall(facts.range_diff)
        ],
        "changed_functions": list(facts.functions),
        "checks": [{"name": name, "outcome": "passed"} for name in facts.checks],
    }


def is_wanting(config: Config, subject: Subject) -> bool:
    """Whether a record that a rebase makes is asked for and not fresh."""
    found = freshness.survey(config, subject)
    own = next((one for one in found if one.kind == KIND), None)
    return own is not None and any(
        one.command == own.command and one.state is not State.FRESH for one in found
    )
