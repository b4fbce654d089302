"""A copy of this very repository, with the releases of its mirror."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from packaging.version import Version

from carry import config, git
from carry.__main__ import main
from carry.sources import stored
from carry.workspace import ensure_submodule

ROOT = Path(__file__).parents[2]
_CONFIG = config.load(ROOT)
#: The releases from which on every patch of the series applies: from here on vLLM has the test
#: beside which the series puts its own.
_CLEAN_FROM = Version("0.30.0")
#: All releases that the series is tried on, oldest first, as `nox -s test` has fetched them.
SUPPORTED = stored.supported(_CONFIG, _CONFIG.tree) if git.is_repository(_CONFIG.tree) else []
CLEAN = [version for version in SUPPORTED if Version(version) >= _CLEAN_FROM]
CONFLICTING = [version for version in SUPPORTED if version not in CLEAN]


class Copy:
    """A clone of this repository as it is committed, with the releases of its mirror."""

    def __init__(self, root: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.root = root
        self.capture = capture
        subprocess.run(["git", "clone", "--quiet", "--no-local", ROOT, root], check=True)
        store = ensure_submodule(config.load(root))
        objects = git.git_path(ROOT / "vllm", "objects")
        git.git_path(store, "objects/info/alternates").write_text(f"{objects}\n")
        for name, commit in git.refs(ROOT / "vllm", "refs/carry/releases/").items():
            git.set_ref(store, name, commit, "as in the original")

    def carry(self, *words: str) -> tuple[int, str, str]:
        before = dict(os.environ)
        self.capture.readouterr()
        try:
            code = main(["--root", str(self.root), *words])
        finally:
            os.environ.clear()
            os.environ.update(before)
        return code, *self.capture.readouterr()

    def rebase(self, version: str) -> str:
        code, out, err = self.carry("rebase", "--source", "pypi", "--onto", version)
        assert (code, err) == (0, "")
        return out

    def patches(self) -> dict[str, bytes]:
        return {file.name: file.read_bytes() for file in (self.root / "patches").iterdir()}

    def without_checks(self) -> None:
        """The differential test has a test of its own."""
        self.edit("pyproject.toml", lambda text: text.split("[[tool.carry.checks]]")[0])

    def with_the_function_alone(self) -> None:
        first, *others = self.lines("patches/series")
        self.edit("patches/series", lambda _: first + "\n")
        for name in others:
            (self.root / "patches" / name).unlink()
        self.edit("patches/manifest.toml", lambda text: text.rpartition("[[patch]]")[0])
        subprocess.run(["git", "-C", self.root, "add", "patches"], check=True)

    def commit(self) -> None:
        identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.invalid"]
        command = ["git", "-C", str(self.root), *identity, "commit", "--quiet", "--all", "-m", "x"]
        subprocess.run(command, check=True)

    def lines(self, name: str) -> list[str]:
        lines = (self.root / name).read_text().splitlines()
        return [line for line in lines if line and not line.startswith("#")]

    def edit(self, name: str, change: Callable[[str], str]) -> None:
        file = self.root / name
        file.write_text(change(file.read_text()))
