"""docs/engine.md has the figures of the committed record, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from carry import evidence
from carry.errors import UserError
from stride.engine.page import NOT_RUN, PAGE, filled, refresh
from stride.engine.record import from_result

from .made_up_engine import result

ROOT = Path(__file__).parents[2]


def test_the_page_agrees_with_the_record() -> None:
    record = evidence.read(ROOT, "engine")
    found = from_result(record.result) if record else None
    assert found is None or (found.outcome, found.quick) == ("passed", False)
    text = (ROOT / PAGE).read_text("utf-8")
    assert filled(text, found) == text, "nox -s smoke writes both"


def test_the_page_has_a_place_for_every_table() -> None:
    text = filled((ROOT / PAGE).read_text("utf-8"), result())
    assert NOT_RUN not in text
    for part in ("- on CPU; torch 1", "| 128, 4 |", "wall ratio", "`" + "5" * 16 + "`"):
        assert part in text


def test_a_session_without_figures_fills_nothing_in() -> None:
    text = "<!-- engine: summary -->\nold\n<!-- end -->"
    assert NOT_RUN in filled(text, None)
    assert NOT_RUN in filled(text, replace(result(), outcome="failed", rows=()))


def test_a_table_that_nobody_makes_is_one_line() -> None:
    with pytest.raises(UserError, match="asks for a table nonsense; there are summary, "):
        filled("<!-- engine: nonsense -->\n<!-- end -->", result())


def test_the_record_can_be_read_back() -> None:
    assert from_result(result().as_result()) == result()


def test_a_folder_without_the_page_is_left_alone(tmp_path: Path) -> None:
    refresh(tmp_path, result())
    assert not list(tmp_path.iterdir())
