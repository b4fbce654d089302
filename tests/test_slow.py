"""The list of slow tests names tests that there are, and `--quick` leaves just these out."""

from __future__ import annotations

from pathlib import Path

import pytest

from . import slow

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", sorted(slow.listed()))
def test_a_slow_test_is_there(name: str) -> None:
    file, _, function = name.partition("::")
    assert f"def {function}(" in (ROOT / file).read_text("utf-8"), "python -m tests.slow writes it"


def test_what_takes_long_is_listed(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(
        '<testsuites><testsuite><testcase classname="tests.a.test_b" name="test_c[1]" time="9.5"/>'
        '<testcase classname="tests.a.test_b" name="test_d" time="0.01"/></testsuite></testsuites>'
    )
    assert slow.measured([report]) == ["tests/a/test_b.py::test_c"]


def test_the_mark_is_set(request: pytest.FixtureRequest) -> None:
    for item in request.session.items:
        assert bool(item.get_closest_marker("slow")) == (slow.name_of(item.nodeid) in slow.listed())
