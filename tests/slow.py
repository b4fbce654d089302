"""The tests that `nox -s test -- --quick` leaves out, as they were measured.

`python -m tests.slow .carry/reports/carry.xml .carry/reports/stride.xml` writes the list anew from
the reports of `nox -s test`.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from pathlib import Path

LIST = Path(__file__).with_name("slow.txt")
#: Seconds from which on a test is slow.
LIMIT = 0.35


def listed() -> frozenset[str]:
    """The names of the slow tests, `file::function` below the root."""
    return frozenset(LIST.read_text("utf-8").split())


def name_of(nodeid: str) -> str:
    """A test's name without its parameters: all of them are slow, or none."""
    return nodeid.partition("[")[0]


def measured(reports: Iterable[Path]) -> list[str]:
    """The slow tests of some reports of pytest's."""
    cases = [case for report in reports for case in ET.parse(report).iter("testcase")]  # noqa: S314 (pytest wrote it)
    return sorted(
        {
            f"{str(case.get('classname')).replace('.', '/')}.py::{name_of(str(case.get('name')))}"
            for case in cases
            if float(case.get("time", "0")) >= LIMIT
        }
    )


if __name__ == "__main__":
    LIST.write_text("".join(f"{name}\n" for name in measured(map(Path, sys.argv[1:]))), "utf-8")
