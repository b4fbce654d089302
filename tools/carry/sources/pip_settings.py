"""Where pip is told to find packages and whose certificates to trust."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from carry import process

ADDRESS, CERTIFICATE = "global.index-url", "global.cert"
_VARIABLES = {ADDRESS: "PIP_INDEX_URL", CERTIFICATE: "PIP_CERT"}
#: The kinds of pip's files, the last of which counts.
_FILES = ("global", "user", "site", "env")


def read() -> dict[str, str]:
    """What pip is told, by a variable or else in one of its files; only what is set."""
    told = {key: os.environ.get(variable, "") for key, variable in _VARIABLES.items()}
    if all(told.values()):
        return told
    # Not `get` nor `list`: neither says which file of several counts.
    command = [sys.executable, "-m", "pip", "config", "debug"]
    found = _of_files(process.run(command, cwd=Path.cwd()).stdout)
    files = {key: value for key, value in found.items() if key in told}
    return files | {key: value for key, value in told.items() if value}


def _of_files(listed: str) -> dict[str, str]:
    """What pip's files say: `kind:`, then below each file's name its settings."""
    settings: dict[str, dict[str, str]] = {kind: {} for kind in _FILES}
    kind = ""
    for line in listed.splitlines():
        if not line.startswith(" "):
            kind = line.removesuffix(":")
        elif (found := re.fullmatch(r" {4}(\S+): (.*)", line)) and kind in settings:
            settings[kind][found[1]] = found[2]
    return {key: value for kind in _FILES for key, value in settings[kind].items()}
