"""The report as two files, for people and for programs."""

from __future__ import annotations

from pathlib import Path

import msgspec

from carry import console
from carry.canary import markdown
from carry.canary.report import Report
from carry.files import write_atomically

_NAMES = ("report.md", "report.json")


def forget(folder: Path) -> None:
    """Remove an earlier report, so that it cannot be taken for that of this run."""
    for name in _NAMES:
        (folder / name).unlink(missing_ok=True)


def write(folder: Path, report: Report) -> Path:
    """Write both forms, each whole or not at all; returns the one for people."""
    encoded = msgspec.json.format(msgspec.json.encode(report), indent=1).decode() + "\n"
    texts = (markdown.render(msgspec.to_builtins(report)), encoded)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in zip(_NAMES, texts, strict=True):
        write_atomically(folder / name, console.without_secrets(text).encode())
    return folder / _NAMES[0]
