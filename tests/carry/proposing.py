"""What is to be said of a pull request in a carrying repository."""

from __future__ import annotations

from typing import Any

from . import records
from .repository import Repository

WORDS = """\
title = "[Scan] Compare slices in Scanner.find"
overview = "Compares slices, see #3."
assistance = "A robot helped."
repeat = "Run `pytest -n 2`."
distinct = "#7 is something else."

[sections]
What = ["overview", "assistance"]
"Shown by" = ["claims", "validation", "repeat"]
More = ["details", "differences", "records", "range-diff"]

[[claim]]
kind = "tests"
text = "{{ tests.passed }} tests pass."

[[claim]]
kind = "bench"
let.row = "bench.rows | one(name='long')"
text = "{{ row.before | n }} looks become {{ row.after | sig }}."

[[row]]
kind = "bench"
let.row = "bench.rows | one(name='long')"
configuration = "a {{ row.name }} row"
baseline = "{{ row.before | n }}"
changed = "{{ row.after }}"
runs = "{{ bench.rounds }}"

[[row]]
kind = "bench"
when = "record.bench.machine.device == 'rocm'"
configuration = "on ROCm"
baseline = "{{ bench.nothing }}"
changed = ""

[[detail]]
text = "It is simple."

[[detail]]
kind = "bench"
summary = "How often"
text = "{{ bench.rounds }} times."

[[tick]]
begins = "I used a robot"

[[tick]]
begins = "Tests"
kinds = ["tests"]

[differences]
7 = "It needs threads."
"""
TITLE_PATTERN = r"\[\w+\] .+"
ROWS = [{"name": "short", "before": 2, "after": 2}, {"name": "long", "before": 2048, "after": 24.5}]
#: What the records say.
RESULTS: dict[str, dict[str, Any]] = {
    "tests": {"passed": 11},
    "bench": {"rounds": 61, "rows": ROWS},
}


def propose(repository: Repository) -> None:
    """Write the words, ask for records and make two of them."""
    (repository.root / "patches" / "pull_request.toml").write_text(WORDS)
    with (repository.root / "pyproject.toml").open("a") as file:
        file.write(f"\n[tool.carry.pull-request]\ntitle-pattern = '{TITLE_PATTERN}'\n")
    records.ask_for_records(repository)
    for kind, result in RESULTS.items():
        records.record(repository, kind, **result)


def reword(repository: Repository, old: str, new: str) -> None:
    """Change the words."""
    file = repository.root / "patches" / "pull_request.toml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def body(repository: Repository) -> str:
    """Write the text by command, which must pass its lint, and return it."""
    assert "the text passes its lint" in repository.done("pr")
    return (repository.root / "build" / "pull_request.md").read_text()
