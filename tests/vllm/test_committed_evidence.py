"""The committed records go to others, whom the folders of a machine do not concern."""

from __future__ import annotations

from pathlib import Path

import pytest

from carry import machine_paths

ROOT = Path(__file__).parents[2]
RECORDS = sorted((ROOT / "evidence").glob("**/*.json"))


def test_there_are_records() -> None:
    assert RECORDS


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: str(file.relative_to(ROOT)))
def test_a_record_names_no_folder_of_a_machine(file: Path) -> None:
    assert machine_paths.found(file.read_text("utf-8")) == []
