"""The committed records go to others, whom the folders of a machine do not concern."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RECORDS = sorted((ROOT / "evidence").glob("**/*.json"))
A_FOLDER = re.compile(r"(?<![\w.}/:])/(?:home|root|tmp|usr|var|opt|mnt|Users)/[^\s\"]*")


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: str(file.relative_to(ROOT)))
def test_a_record_names_no_folder_of_a_machine(file: Path) -> None:
    assert A_FOLDER.findall(file.read_text("utf-8")) == []


def test_a_folder_is_told_from_what_looks_like_one() -> None:
    assert A_FOLDER.search('"folder": "/tmp/here/vllm"')
    assert not A_FOLDER.search("https://example.org/home/x and tests/v1/core and {base}/usr/x")
