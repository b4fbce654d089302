"""The committed series on real releases of vLLM, in a copy of this very repository.

Needs the releases in the mirror and the test environment's Python, as `nox -s test` has them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from carry import config, git, manifest
from carry.__main__ import main
from carry.workspace import ensure_submodule

ROOT = Path(__file__).parents[2]
FUNCTION = "SlidingWindowManager.find_longest_cache_hit"
MANAGER = "vllm/v1/core/single_type_kv_cache_manager.py"
TESTS = "tests/v1/core/test_single_type_kv_cache_manager.py"


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
        self._edit("pyproject.toml", lambda text: text.split("[[tool.carry.checks]]")[0])

    def with_the_function_alone(self) -> None:
        first, *others = self._lines("patches/series")
        self._edit("patches/series", lambda _: first + "\n")
        for name in others:
            (self.root / "patches" / name).unlink()
        self._edit("patches/manifest.toml", lambda text: text.rpartition("[[patch]]")[0])
        subprocess.run(["git", "-C", self.root, "add", "patches"], check=True)

    def commit(self) -> None:
        identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.invalid"]
        command = ["git", "-C", str(self.root), *identity, "commit", "--quiet", "--all", "-m", "x"]
        subprocess.run(command, check=True)

    def _lines(self, name: str) -> list[str]:
        lines = (self.root / name).read_text().splitlines()
        return [line for line in lines if line and not line.startswith("#")]

    def _edit(self, name: str, change: Callable[[str], str]) -> None:
        file = self.root / name
        file.write_text(change(file.read_text()))


@pytest.fixture
def copy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Copy:
    return Copy(tmp_path / "copy", capsys)


@pytest.mark.parametrize("version", ["0.28.0", "0.29.0", "0.31.0", "0.32.0", "0.33.0"])
def test_the_release_is_in_the_mirror(version: str) -> None:
    here = git.refs(ROOT / "vllm", "refs/carry/releases/")
    assert f"refs/carry/releases/{version}" in here, "run these tests through: nox -s test"


def test_the_series_moves_from_release_to_release_and_back(copy: Copy) -> None:
    copy.without_checks()
    copy.commit()
    at_the_pin = copy.patches()
    for version in ("0.32.0", "0.33.0"):
        assert "upstream's text of the touched functions is unchanged" in copy.rebase(version)
        assert manifest.read(copy.root / "patches").base.version == version
        assert copy.carry("verify")[0] == 0
    assert copy.patches() != at_the_pin
    copy.rebase("0.31.0")
    assert copy.patches() == at_the_pin


@pytest.mark.parametrize("version", ["0.28.0", "0.29.0"])
def test_where_the_tests_neighbour_is_missing_it_conflicts_and_can_be_left(
    copy: Copy, version: str
) -> None:
    copy.without_checks()
    copy.commit()
    before = copy.patches()
    code, _, err = copy.carry("rebase", "--source", "pypi", "--onto", version)
    assert code == 1
    second = copy._lines("patches/series")[1]
    assert f"{second} conflicts with {version} in {TESTS}" in err
    assert copy.carry("rebase", "--abort")[0] == 0
    assert copy.patches() == before


@pytest.mark.parametrize("version", ["0.28.0", "0.29.0"])
def test_the_function_merges_cleanly_where_an_assertion_differs_and_that_is_shown(
    copy: Copy, version: str
) -> None:
    copy.with_the_function_alone()
    copy.without_checks()
    copy.commit()
    out = copy.rebase(version)
    assert f"upstream changed {MANAGER}::{FUNCTION}, which the series touches:" in out
    shown = [line for line in out.splitlines() if line.startswith(("-  ", "+  "))]
    assert any("assert" in line for line in shown), out
    assert copy.carry("verify")[0] == 0
