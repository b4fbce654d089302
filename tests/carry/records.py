"""Records in a carrying repository, made up, and what it asks for."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

from carry import config, evidence, subject

from .repository import Repository

KINDS = {
    "rebase": "nox -s rebase",
    "tests": "nox -s test",
    "exactness": "nox -s rebase",
    "bench": "nox -s bench",
}


def ask_for_records(repository: Repository, *, max_age_days: int = 30) -> None:
    """Configure the kinds of records that the series is to have."""
    tables = (
        f'\n[[tool.carry.evidence]]\nkind = "{kind}"\ntitle = "about {kind}"\n'
        f'command = "{command}"\nmax-age-days = {max_age_days}\n'
        for kind, command in KINDS.items()
    )
    with (repository.root / "pyproject.toml").open("a") as file:
        file.writelines(tables)


def record(
    repository: Repository, kind: str, *, days: float = 0, **result: object
) -> evidence.Record:
    """Write a record of now, or of so many days ago, for the series as it stands."""
    written = evidence.new(
        kind,
        result,
        command=KINDS[kind],
        started=datetime.now(UTC) - timedelta(days=days),
        subject=subject.present(config.load(repository.root)),
    )
    evidence.write(repository.root, written)
    return written


def alter(repository: Repository, kind: str, **result: object) -> None:
    """Change what a record says, by hand."""
    file = evidence.path(repository.root, kind)
    content = json.loads(file.read_text())
    content["result"] |= result
    file.write_text(json.dumps(content))


def result(repository: Repository, kind: str) -> dict[str, object]:
    """What the record of a kind says came out."""
    found = evidence.read(repository.root, kind)
    assert found
    return found.result
