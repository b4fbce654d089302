"""The end of `nox -s test`: what was skipped, why, and the command that would run it."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from carry import junit

from . import needs


def lines(runs: Iterable[tuple[Path, Path]]) -> list[str]:
    """A line for each reason that tests were skipped for.

    Args:
        runs: The tree that tests ran in, and pytest's report of them in JUnit's XML; one that
            is not there says nothing.
    """
    skipped: defaultdict[str, list[str]] = defaultdict(list)
    for tree, report in runs:
        if report.exists():
            for name, reason in junit.read(report, tree).skipped.items():
                skipped[reason].append(str(tree / name.partition("::")[0]))
    return [_line(reason, files) for reason, files in skipped.items()] or ["no test was skipped"]


def _line(reason: str, files: list[str]) -> str:
    lacking, command = needs.parts(reason)
    where = ", ".join(dict.fromkeys(files))
    what = "them" if len(files) > 1 else "it"
    advice = f"; to run {what}: {command}" if command else ""
    return f"skipped {len(files)}: {lacking} ({where}){advice}"


def main(words: list[str]) -> None:
    """Print the lines; each word is `TREE:REPORT`, both as seen from the current folder."""
    parts = (word.partition(":") for word in words)
    print("\n".join(lines((Path(tree), Path(report)) for tree, _, report in parts)))


if __name__ == "__main__":
    main(sys.argv[1:])
