from __future__ import annotations

from datetime import UTC, datetime

import pytest

from carry import evidence
from carry.pull_request.filling import FillError, Filling

ON = evidence.Subject(series="0123", base="1.0.0", commit="abc", tree="def")
ROWS = [{"name": "a", "us": 4507.2}, {"name": "b", "us": 37.91}, {"name": "b", "us": 1.0}]


@pytest.fixture
def filling() -> Filling:
    """Knows two records."""
    results: dict[str, dict[str, object]] = {
        "bench": {"rows": ROWS, "items": 3, "none": 0},
        "tests": {"passed": 1234567},
    }
    return Filling(
        {
            kind: evidence.new(
                kind, result, command="nox", started=datetime.now(UTC), subject=ON, device="rocm"
            )
            for kind, result in results.items()
        }
    )


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("plain", "plain"),
        ("{{ tests.passed | n }}", "1,234,567"),
        ("{{ (row.us / 10) | sig }}", "451"),
        ("{{ row.us | sig }} {{ row.us | sig(2) }}", "4,510 4,500"),
        (
            "{{ 0.8902 | sig(2) }} {{ 37.91 | sig }} {{ 0 | sig }} {{ 9.996 | sig }}",
            "0.89 37.9 0 10.00",
        ),
        (
            "on {{ record[kind].machine.device }} with {{ record[kind].subject.base }}",
            "on rocm with 1.0.0",
        ),
        ("  {% if row.us > 9 %}slow{% endif %}\n", "slow"),
    ],
)
def test_a_passage_is_filled(filling: Filling, text: str, filled: str) -> None:
    kind = "tests" if "tests" in text else "bench"
    let = {"kind": f"'{kind}'"}
    if "row" in text:
        let["row"] = "bench.rows | one(name='a')"
    assert filling.text(text, kind, let) == filled


@pytest.mark.parametrize(
    ("text", "kind", "let", "says"),
    [
        ("{{ tests.passed }}", "bench", {}, "asks for tests, but it rests on bench"),
        ("{{ tests.passed }}", "", {}, "asks for tests, but it rests on no record"),
        ("{{ hooks.passed }}", "hooks", {}, "asks for hooks"),
        ("{{ bench.passed }}", "bench", {}, "no attribute 'passed'"),
        ("{{ bench.passed.more }}", "bench", {}, "no attribute 'passed'"),
        ("{{ bench.rows | one(name='b') }}", "bench", {}, "2 entries have {'name': 'b'}, not one"),
        ("", "bench", {"row": "bench.row"}, "nothing is known as bench.row"),
        ("", "bench", {"row": "bench.rows | one(name='z')"}, "0 entries"),
        ("", "bench", {"row": "bench +"}, "bench +: "),
        ("{{ bench", "bench", {}, "end of"),
        ("{{ 1 / bench.none }}", "bench", {}, "division by zero"),
        ("{{ bench.rows | n }}", "bench", {}, "type list"),
        ("{{ ''.__class__ }}", "bench", {}, "unsafe"),
    ],
)
def test_what_cannot_be_filled_is_told(
    filling: Filling, text: str, kind: str, let: dict[str, str], says: str
) -> None:
    with pytest.raises(FillError, match=says.replace("+", r"\+")):
        filling.text(text, kind, let)


def test_a_condition_holds_or_not(filling: Filling) -> None:
    assert filling.holds("", "bench", {})
    assert filling.holds("record.bench.machine.device == 'rocm'", "bench", {})
    assert not filling.holds("bench.none", "bench", {})
    with pytest.raises(FillError):
        filling.holds("bench.nothing", "bench", {})
