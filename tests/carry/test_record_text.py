from __future__ import annotations

import json

import pytest

from carry import record_text


def lines(value: object) -> list[str]:
    return record_text.render(value).decode().splitlines()


@pytest.mark.parametrize(
    "value",
    [{}, [], {"a": {}}, {"a": []}, {"a": [[], {}]}, {"ä": 'a "b" \n, c', "n": None, "f": 0.1}],
)
def test_it_is_read_as_what_it_was_made_from(value: object) -> None:
    assert json.loads(record_text.render(value)) == value


def test_a_row_is_a_line_whatever_is_in_it() -> None:
    rows = [{"name": f"row {number}", "samples": [1, 2, {"deep": [3]}]} for number in range(3)]
    assert len(lines({"result": {"rows": rows, "plain": [1, 2, 3]}})) == 3 + 7
    changed = [dict(rows[0], name="other"), *rows[1:]]
    one, two = (lines({"result": {"rows": each}}) for each in (rows, changed))
    assert sum(a != b for a, b in zip(one, two, strict=True)) == 1
