"""The outcomes of a run of pytest, read from its JUnit XML."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from carry.errors import UserError
from carry.outcomes import Outcome, worst

_TAGS = {"skipped": Outcome.SKIPPED, "failure": Outcome.FAILED, "error": Outcome.ERROR}


class UncollectedError(Exception):
    """A test module could not be loaded: which, and the error's own line."""

    def __init__(self, file: str, reason: str) -> None:
        self.file = file
        self.reason = reason
        super().__init__(f"{file}: {reason}")


def read(report: Path, tree: Path) -> dict[str, Outcome]:
    """Read the outcomes of a run in `tree` from its JUnit XML.

    Raises:
        UncollectedError: A test module could not be loaded.
        UserError: The report is cut off.
    """
    outcomes: dict[str, Outcome] = {}
    try:
        # Written by pytest a moment ago, on this machine.
        root = ElementTree.parse(report).getroot()  # noqa: S314
    except ElementTree.ParseError as error:
        raise UserError(
            f"pytest's report is cut off: {error}", hint="run it again", log=report
        ) from error
    for case in root.iter("testcase"):
        name, outcome = _name(case, tree), _outcome(case)
        if not case.get("classname") and outcome.is_bad:
            raise UncollectedError(name, _reason(case))
        # A test whose teardown fails as well has two entries.
        outcomes[name] = worst((outcome, outcomes.get(name, outcome)))
    return outcomes


def _outcome(case: ElementTree.Element) -> Outcome:
    return worst(_TAGS[child.tag] for child in case if child.tag in _TAGS)


def _name(case: ElementTree.Element, tree: Path) -> str:
    """The test's name; the dots of `classname` stand for folders, the file and classes."""
    dotted, test = case.get("classname", ""), case.get("name", "")
    parts = (dotted or test).split(".")
    ends = (n for n in range(len(parts), 0, -1) if (tree / _python_file(parts[:n])).is_file())
    end = next(ends, len(parts))
    return "::".join(
        [_python_file(parts[:end]), *parts[end:], test] if dotted else [_python_file(parts)]
    )


def _python_file(parts: list[str]) -> str:
    return "/".join(parts) + ".py"


def _reason(case: ElementTree.Element) -> str:
    """The last line of the error itself, which pytest marks with an E."""
    text = "\n".join(child.text or "" for child in case)
    lines = re.findall(r"^E {3}(\S.*)$", text, re.MULTILINE)
    return str(lines[-1]) if lines else "pytest gives no reason"
