"""What is skipped is named at the end, whether pytest runs by itself or with workers."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from . import skipped

ROOT = Path(__file__).parents[1]
TESTS = """
import pytest
from tests import needs

lacking = needs.reason("no chromium", "apt-get install chromium && nox -s test")

@pytest.mark.skipif(True, reason=lacking)
@pytest.mark.parametrize("number", range(4))
def test_page(number): pass

class TestEngine:
    def test_it(self): needs.skip("no engine", "nox -s smoke")

def test_module(): needs.module("torch_of_another_world")
def test_other(): pytest.skip("why not: a reason of upstream's")
def test_good(): needs.module("json")
@pytest.mark.xfail(reason="known")
def test_bad(): assert False
"""


@pytest.mark.parametrize("workers", ["0", "2"])
def test_each_reason_is_one_line_with_its_command(tmp_path: Path, workers: str) -> None:
    (tmp_path / "test_it.py").write_text(TESTS)
    (tmp_path / "test_more.py").write_text(TESTS.partition("class")[0])
    report = tmp_path / "report.xml"
    command: list[str | Path] = [
        sys.executable, "-m", "pytest", "-p", "xdist", "-n", workers, "--rootdir", ".",
        "--junitxml", report,
        "-p", "no:cacheprovider", "-c", "/dev/null", "-o", f"pythonpath={ROOT}", "test_it.py",
        "test_more.py",
    ]  # fmt: skip
    env = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    files = f"{tmp_path}/test_it.py, {tmp_path}/test_more.py"
    found = skipped.lines([(tmp_path, report), (tmp_path, tmp_path / "none.xml")])
    assert sorted(line.replace(", ".join(files.split(", ")[::-1]), files) for line in found) == [
        f"skipped 1: no engine ({tmp_path}/test_it.py); to run it: nox -s smoke",
        f"skipped 1: no torch_of_another_world ({tmp_path}/test_it.py); to run it: nox -s test",
        f"skipped 1: why not: a reason of upstream's ({tmp_path}/test_it.py)",
        f"skipped 8: no chromium ({files}); to run them: apt-get install chromium && nox -s test",
    ]


def test_it_is_said_where_nothing_was_skipped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    skipped.main([f"{tmp_path}:{tmp_path}/none.xml"])
    assert capsys.readouterr().out == "no test was skipped\n"


def test_every_skip_of_ours_names_a_command() -> None:
    """By asking `needs`; a constant of another module's does so there."""
    for file in (ROOT / "tests").rglob("*.py"):
        for call in calls(file):
            name = ast.unparse(call.func)
            assert file.name == "needs.py" or name not in ("pytest.skip", "pytest.importorskip")
            if name == "pytest.mark.skipif":
                (reason,) = (word.value for word in call.keywords if word.arg == "reason")
                constant = isinstance(reason, ast.Name)
                assert constant or ast.unparse(reason).startswith("needs."), file


def calls(file: Path) -> list[ast.Call]:
    return [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)]
