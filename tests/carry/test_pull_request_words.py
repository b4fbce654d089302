from __future__ import annotations

from pathlib import Path

import pytest

from carry.errors import UserError
from carry.pull_request import words

from .proposing import WORDS


def test_the_file_is_read(tmp_path: Path) -> None:
    (tmp_path / words.FILE).write_text(WORDS)
    read = words.read(tmp_path)
    assert read.differences == {"7": "It needs threads."}
    assert [claim.kind for claim in read.claim] == ["tests", "bench"]
    told = dict(read.passages())
    assert told["claim 1"] == "{{ tests.passed }} tests pass."
    assert told["differences 7"] == "It needs threads."


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "is missing; write there what is to be said"),
        ("title = ", "is no valid TOML"),
        ("tittle = 'x'", "unknown field `tittle`"),
        ("claim = [{text = 'x'}]", "missing required field `kind`"),
        ("[differences]\n7 = 1", "Expected `str`"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_line(tmp_path: Path, text: str | None, says: str) -> None:
    if text is not None:
        (tmp_path / words.FILE).write_text(text)
    with pytest.raises(UserError, match=says):
        words.read(tmp_path)


def test_a_passage_without_its_record_has_no_numbers() -> None:
    assert words.without_numbers("{{ a.b | n }} of {% if a %}{{ c }}{% endif %} ") == "… of ………"
