"""docs/search.md has the figures of the committed record, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from carry import evidence
from carry.errors import UserError
from stride.bench.page import NOT_RUN, PAGE, filled, refresh
from stride.bench.record import from_result

from .made_up_bench import bench

ROOT = Path(__file__).parents[2]
TEXT = "before\n<!-- bench: targets -->\nold\n<!-- end -->\nafter\n"


def test_the_page_agrees_with_the_record() -> None:
    record = evidence.read(ROOT, "bench")
    result = from_result(record.result) if record else None
    assert result is None or not result.quick
    text = (ROOT / PAGE).read_text("utf-8")
    assert filled(text, result) == text, "nox -s bench writes both"


def test_the_page_has_a_place_for_every_table() -> None:
    text = filled((ROOT / PAGE).read_text("utf-8"), bench())
    assert NOT_RUN not in text
    for part in ("| met |", "Qwen3.8", "runs of 512", "room for all", "windows only", "growing"):
        assert part in text


def test_only_what_is_between_the_markers_changes() -> None:
    text = filled(TEXT, bench())
    assert text.startswith("before\n<!-- bench: targets -->\n\n| ")
    assert text.endswith(" |\n\n<!-- end -->\nafter\n")
    assert "old" not in text
    assert filled(text, bench()) == text
    assert filled(text, None) == filled(TEXT, None)


def test_a_table_that_nobody_makes_is_one_line() -> None:
    with pytest.raises(UserError, match="asks for a table nonsense; there are targets, "):
        filled("<!-- bench: nonsense -->\n<!-- end -->", bench())


def test_a_folder_without_the_page_is_left_alone(tmp_path: Path) -> None:
    refresh(tmp_path, bench())
    assert not list(tmp_path.iterdir())
    (tmp_path / PAGE).parent.mkdir()
    (tmp_path / PAGE).write_text(TEXT)
    refresh(tmp_path, bench())
    assert (tmp_path / PAGE).read_text("utf-8") == filled(TEXT, bench())
