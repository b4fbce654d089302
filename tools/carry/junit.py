"""The outcomes of a run of pytest, read from its JUnit XML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from carry.errors import UserError
from carry.outcomes import Outcome, worst

_TAGS = {"skipped": Outcome.SKIPPED, "failure": Outcome.FAILED, "error": Outcome.ERROR}


@dataclass(frozen=True)
class Run:
    """What the tests of a run did, and why what could not be loaded could not."""

    outcomes: Mapping[str, Outcome]
    #: By the name of the file; of the folder, if it is its conftest.py.
    unloadable: Mapping[str, str]
    #: Why a test was skipped, by its name.
    skipped: Mapping[str, str] = field(default_factory=dict)


def read(report: Path, tree: Path) -> Run:
    """Read a run in `tree` from its JUnit XML.

    Raises:
        UserError: The report is cut off.
    """
    outcomes: dict[str, Outcome] = {}
    unloadable: dict[str, str] = {}
    skipped: dict[str, str] = {}
    for case in _cases(report):
        name, outcome = _name(case, tree), _outcome(case)
        # A test whose teardown fails as well has two entries.
        outcomes[name] = worst((outcome, outcomes.get(name, outcome)))
        if any(child.get("message") == "collection failure" for child in case):
            unloadable[name] = _reason(case).replace(f"{tree}/", "")
        if (skip := case.find("skipped[@type='pytest.skip']")) is not None:
            skipped[name] = skip.get("message", "")
    return Run(outcomes, unloadable, skipped)


def _cases(report: Path) -> Iterator[ElementTree.Element]:
    try:
        # Written by pytest a moment ago, on this machine.
        return ElementTree.parse(report).getroot().iter("testcase")  # noqa: S314
    except ElementTree.ParseError as error:
        raise UserError(
            f"pytest's report is cut off: {error}", hint="run it again", log=report
        ) from error


def _outcome(case: ElementTree.Element) -> Outcome:
    return worst(_TAGS[child.tag] for child in case if child.tag in _TAGS)


def _name(case: ElementTree.Element, tree: Path) -> str:
    """The test's name; the dots of `classname` stand for folders, the file and classes.

    A file or folder that is skipped or cannot be loaded has no `classname`.
    """
    dotted, test = case.get("classname", ""), case.get("name", "")
    parts = (dotted or test).split(".")
    ends = (n for n in range(len(parts), 0, -1) if (tree / _python_file(parts[:n])).is_file())
    end = next(ends, len(parts))
    if dotted:
        return "::".join([_python_file(parts[:end]), *parts[end:], test])
    return _python_file(parts) if (tree / _python_file(parts)).is_file() else "/".join(parts)


def _python_file(parts: list[str]) -> str:
    return "/".join(parts) + ".py"


def _reason(case: ElementTree.Element) -> str:
    """The last line of the error itself, which pytest marks with an E."""
    text = "\n".join(child.text or "" for child in case)
    lines = re.findall(r"^E {3}(\S.*)$", text, re.MULTILINE)
    return str(lines[-1]) if lines else "pytest gives no reason"
