from __future__ import annotations

import pytest

from carry.review.numbers import duration, figures, microseconds, moment, percent, thousands, times


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (thousands(8192), "8,192"),
        (percent(0.024), "2%"),
        (microseconds(17_949), "17.9"),
        (microseconds(1_140_000), "1,140"),
        (times(63.94), "63.9×"),  # noqa: RUF001
        (times(1234.5), "1,234×"),  # noqa: RUF001
        (times(0.8944), "0.894×"),  # noqa: RUF001
        (duration(7.8), "7.8 s"),
        (duration(230.4), "3 min 50 s"),
        (moment("2026-11-03T00:22:42+00:00"), "3 November 2026, 00:22 UTC"),
    ],
)
def test_a_number_is_readable(text: str, wanted: str) -> None:
    assert text == wanted


def test_a_result_is_told_by_its_single_values() -> None:
    result = {
        "outcome": "passed",
        "problem": "",
        "quick": False,
        "rows": [{"a": 1}] * 20,
        "landed": [],
        "patches": ["0001", "0002"],
        "bridge": {"random_inputs": 1000},
    }
    assert list(figures(result)) == [
        ("outcome", "passed"),
        ("quick", "no"),
        ("rows", "20 entries"),
        ("landed", "none"),
        ("patches", "0001, 0002"),
        ("bridge: random inputs", "1,000"),
    ]
