"""Records of what was run and what came out, each bound to a series and a base.

A record is one JSON file, `evidence/<kind>.json`. `carry run` says through the environment
what a command runs on, so that whatever it starts can write a record. A record of an earlier
version of the series is kept in `evidence/history/<series id>/` when a newer one replaces it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import msgspec

from carry import record_text
from carry.errors import UserError
from carry.files import write_atomically
from carry.machine import Machine, this_machine

SCHEMA = 2
#: Stands behind the id of a series with which something else was run, too.
CHANGED = "+changes"
#: Where a started command finds what it runs on.
SUBJECT = "CARRY_SUBJECT"
#: Where a check of a rebase finds the folder to write to, as its record waits for the end.
ROOT = "CARRY_EVIDENCE_ROOT"


class Subject(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a check ran on.

    Attributes:
        series: The series' id, see `stack.series_id`; it survives a move to another base.
        base: The base's name, a version where it is a release.
        commit: Upstream's commit id as far as it is known.
        tree: The id of the base's tree.
    """

    series: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-z+]+$")]
    base: str
    commit: str
    tree: str


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One result.

    Attributes:
        schema: The version of this format.
        kind: The check's name, and the file's.
        subject: What it ran on.
        command: What repeats it.
        started: When, in UTC, ISO 8601.
        seconds: How long it took.
        machine: With what.
        result: What came out; its form is the check's own, but for two keys. `outcome` is
            passed (as where it is absent), failed or skipped, `problem` says why.
        digest: The SHA-256 of all the rest, so that a change by hand shows.
    """

    schema: int
    kind: str
    subject: Subject
    command: str
    started: str
    seconds: float
    machine: Machine
    result: dict[str, Any]
    digest: str = ""


class BrokenError(UserError):
    """A file that should be a record and is none; `why` is the reason without its path."""

    def __init__(self, file: Path, why: str) -> None:
        self.why = why
        super().__init__(f"{file} {why}", hint="run its check again")


def new(
    kind: str,
    result: Mapping[str, Any],
    *,
    command: str,
    started: datetime,
    subject: Subject,
    device: str = "cpu",
) -> Record:
    """A record of a check that has just ended on this machine."""
    return _sealed(
        Record(
            schema=SCHEMA,
            kind=kind,
            subject=subject,
            command=command,
            started=started.astimezone(UTC).isoformat(timespec="seconds"),
            seconds=round((datetime.now(UTC) - started).total_seconds(), 1),
            machine=this_machine(device),
            # As it will be read: lists for tuples, text for keys.
            result=msgspec.json.decode(msgspec.json.encode(result)),
        )
    )


def _sealed(record: Record) -> Record:
    return msgspec.structs.replace(record, digest=_digest(record))


def _digest(record: Record) -> str:
    rest = msgspec.structs.replace(record, digest="")
    return sha256(msgspec.json.encode(rest, order="sorted")).hexdigest()


def result_id(result: Mapping[str, Any]) -> str:
    """The name of what came out, the same for the same values: what is drawn from it bears it."""
    return sha256(msgspec.json.encode(result, order="sorted")).hexdigest()[:16]


def write(root: Path, record: Record) -> Path:
    """Put a record in place of the one of its kind, whole or not at all.

    One of another series id is kept, see `past_path`.
    """
    file = path(root, record.kind)
    file.parent.mkdir(parents=True, exist_ok=True)
    _keep_other_series(root, file, record)
    write_atomically(file, record_text.render(msgspec.to_builtins(record)))
    return file


def _keep_other_series(root: Path, file: Path, record: Record) -> None:
    try:
        old = read(root, record.kind)
    except BrokenError:
        return
    if old is None or old.subject.series.endswith(CHANGED):
        return
    if old.subject.series != record.subject.series:
        kept = past_path(root, record.kind, old.subject.series)
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(kept, file.read_bytes())


def path(root: Path, kind: str) -> Path:
    """The file of a kind of record."""
    return root / "evidence" / f"{kind}.json"


def past_path(root: Path, kind: str, series: str) -> Path:
    """Where the last record of an earlier version of the series is kept."""
    return root / "evidence" / "history" / series / f"{kind}.json"


def read(root: Path, kind: str) -> Record | None:
    """The record of a kind; None when there is none.

    Raises:
        BrokenError: The file is no record of this schema, or was altered.
    """
    file = path(root, kind)
    if not file.exists():
        return None
    try:
        record = msgspec.json.decode(file.read_bytes(), type=Record)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BrokenError(file, f"is no record: {error}") from error
    if (record.schema, record.kind) != (SCHEMA, kind):
        raise BrokenError(file, f"is a record of {record.kind!r}, schema {record.schema}")
    if record.digest != _digest(record):
        raise BrokenError(file, "was altered since it was recorded")
    return record


def subject_from_environment() -> Subject:
    """What `carry run` says that this process runs on.

    Raises:
        UserError: It was not started by `carry run`.
    """
    try:
        return msgspec.json.decode(os.environ[SUBJECT], type=Subject)
    except (KeyError, msgspec.MsgspecError) as error:
        raise UserError(
            "it is not known which series and base this runs on",
            hint="start it through its nox session, or carry run",
        ) from error


def root_from_environment() -> Path:
    """Where a check that a rebase may have started writes its record: there, or here."""
    return Path(os.environ.get(ROOT) or ".")


def environment(subject: Subject, root: Path | None = None) -> dict[str, str]:
    """What a started command is told, for the two functions above."""
    told = {SUBJECT: msgspec.json.encode(subject).decode()}
    return told | ({ROOT: str(root)} if root else {})
