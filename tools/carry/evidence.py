"""Records of what was run and what came out, each bound to a series and a base.

A record is one JSON file, `evidence/<kind>.json`. `carry run` says through the environment
what a command runs on, so that whatever it starts can write a record.
"""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import msgspec

from carry.errors import UserError
from carry.swap import write_atomically

SCHEMA = 1
#: Where a started command finds what it runs on.
SUBJECT = "CARRY_SUBJECT"


class Subject(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a check ran on.

    Attributes:
        series: The series' id, see `stack.series_id`; it survives a move to another base.
        base: The base's name, a version where it is a release.
        commit: Upstream's commit id as far as it is known.
        tree: The id of the base's tree.
    """

    series: str
    base: str
    commit: str
    tree: str


class Machine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a check ran with; `memory` is in GiB, `torch` empty where there is none."""

    cpu: str
    cores: int
    memory: float
    system: str
    python: str
    torch: str
    device: str


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
        result: What came out; its form is the check's own.
    """

    schema: int
    kind: str
    subject: Subject
    command: str
    started: str
    seconds: float
    machine: Machine
    result: dict[str, Any]


def new(
    kind: str,
    result: dict[str, Any],
    *,
    command: str,
    started: datetime,
    subject: Subject,
    device: str = "cpu",
) -> Record:
    """A record of a check that has just ended on this machine."""
    return Record(
        schema=SCHEMA,
        kind=kind,
        subject=subject,
        command=command,
        started=started.astimezone(UTC).isoformat(timespec="seconds"),
        seconds=round((datetime.now(UTC) - started).total_seconds(), 1),
        machine=this_machine(device),
        result=result,
    )


def write(root: Path, record: Record) -> Path:
    """Put a record in place of the one of its kind, whole or not at all."""
    file = path(root, record.kind)
    file.parent.mkdir(exist_ok=True)
    write_atomically(file, msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n")
    return file


def path(root: Path, kind: str) -> Path:
    """The file of a kind of record."""
    return root / "evidence" / f"{kind}.json"


def read(root: Path, kind: str) -> Record | None:
    """The record of a kind; None when there is none.

    Raises:
        UserError: The file is no record of this schema.
    """
    file = path(root, kind)
    if not file.exists():
        return None
    try:
        record = msgspec.json.decode(file.read_bytes(), type=Record)
    except msgspec.MsgspecError as error:
        raise UserError(f"{file} is no record: {error}", hint="run its check again") from error
    if (record.schema, record.kind) != (SCHEMA, kind):
        raise UserError(
            f"{file} is a record of {record.kind!r}, schema {record.schema}",
            hint="run its check again",
        )
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


def this_machine(device: str) -> Machine:
    """What can be told of this machine."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / (1 << 30)
    return Machine(
        cpu=_cpu_model(),
        cores=len(os.sched_getaffinity(0)),
        memory=round(memory, 1),
        system=f"{platform.system()} {platform.release()}",
        python=platform.python_version(),
        torch=_version_of("torch"),
        device=device,
    )


def _cpu_model() -> str:
    file = Path("/proc/cpuinfo")
    lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    models = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.machine())


def _version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
