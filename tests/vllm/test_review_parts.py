"""Every part of the reviewer's page can be made of the committed record, fresh or not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from carry import config, evidence
from carry.config import ReviewPart
from carry.review.parts import environment, shown

from .. import needs

ROOT = Path(__file__).parents[2]
CONFIG = config.load(ROOT)
#: What nobody would miss in a part.
WORDS: dict[str, Callable[[dict[str, Any]], list[str]]] = {
    "engine.html.j2": lambda result: [f"{result['compared']:,} requests"],
    "exactness.html.j2": lambda result: [f"{result['cases']:,}", f"{result['lookups']:,}"],
    "proof.html.j2": lambda result: [one["name"] for one in result["proof"]["theorems"]],
    "scheduler.html.j2": lambda result: [one["what"] for one in result["scheduler"]],
    "search.html.j2": lambda result: [row["name"] for row in result["rows"]],
    "tests.html.j2": lambda result: [f"{result['passed_after']} after"],
}


@pytest.mark.parametrize("part", CONFIG.review.parts, ids=lambda part: part.title)
def test_a_part_shows_what_is_on_record(part: ReviewPart) -> None:
    record = evidence.read(ROOT, part.kind)
    if record is None:
        needs.skip(f"no evidence/{part.kind}.json yet", _command(part.kind))
    text = shown(environment(CONFIG), part, record)
    assert "Not shown" not in text
    for word in WORDS[Path(part.template).name](record.result):
        assert word in text


def _command(kind: str) -> str:
    return next(one.command for one in CONFIG.evidence if one.kind == kind)
