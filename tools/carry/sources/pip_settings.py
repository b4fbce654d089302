"""Where pip is told to find packages and whose certificates to trust."""

from __future__ import annotations

import ast
import os
import sys
from pathlib import Path

from carry import process

ADDRESS, CERTIFICATE = "global.index-url", "global.cert"
_VARIABLES = {ADDRESS: "PIP_INDEX_URL", CERTIFICATE: "PIP_CERT"}


def read() -> dict[str, str]:
    """What pip is told, by a variable or else in one of its files; only what is set."""
    told = {key: os.environ.get(variable, "") for key, variable in _VARIABLES.items()}
    if all(told.values()):
        return told
    # Not `get`, which looks at the user's file only.
    listed = process.run([sys.executable, "-m", "pip", "config", "list"], cwd=Path.cwd()).stdout
    lines = (line.partition("=") for line in listed.splitlines())
    files = {key: str(ast.literal_eval(value)) for key, _, value in lines if key in told}
    return files | {key: value for key, value in told.items() if value}
