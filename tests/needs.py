"""Why a test is skipped, and the command that has it run: what `nox -s test` ends with."""

from __future__ import annotations

import importlib
import subprocess
from pathlib import Path
from types import ModuleType
from typing import NoReturn

import pytest

_COMMAND = "; to run it: "
#: For what the environments have that the sessions make.
ENVIRONMENT = "nox -s test"


def reason(lacking: str, command: str) -> str:
    """What is skipped for, in one line.

    Args:
        lacking: What is not there.
        command: What a user types to have it run.
    """
    return f"{lacking}{_COMMAND}{command}"


def package(lacking: str, names: str) -> str:
    """The same, for what Debian's packages bring."""
    return reason(lacking, f"apt-get install {names} && {ENVIRONMENT}")


def parts(text: str) -> tuple[str, str]:
    """What is lacking, and the command; that is empty where a reason names none."""
    lacking, _, command = text.partition(_COMMAND)
    return lacking, command


def skip(lacking: str, command: str) -> NoReturn:
    """Skip the test that runs."""
    pytest.skip(reason(lacking, command))


def module(name: str) -> ModuleType:
    """A module that not every environment has; without it the test is skipped."""
    try:
        return importlib.import_module(name)
    except ImportError:
        skip(f"no {name}", ENVIRONMENT)


def small_disk(folder: Path, size: str) -> None:
    """Mount a small file system on a folder; where that is not allowed the test is skipped."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        skip("this user may not mount a small disk", f"unshare -r --mount {ENVIRONMENT}")
