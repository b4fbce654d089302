"""`python -m stride check`, as a rebase calls it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from stride.__main__ import commands
from stride.oracle import MANAGER_FILE, Oracle, read_manager

ROOT = Path(__file__).parents[2]


def test_agreement_is_one_line_and_exit_code_0(oracle: Oracle) -> None:
    trees = ["--base", str(oracle.base.tree), "--patched", str(oracle.patched.tree)]
    done = CliRunner().invoke(commands, ["check", "--quick", *trees])
    assert done.exit_code == 0
    assert re.fullmatch(
        r"exactness: [\d,]+ cases, same answer, lookups [\d,]+ against [\d,]+\n", done.stdout
    )


def test_a_difference_is_one_line_and_exit_code_1(oracle: Oracle, tmp_path: Path) -> None:
    source = read_manager(oracle.base.tree)
    wrong = source.replace("num_contiguous_blocks += 1", "num_contiguous_blocks += 2")
    assert wrong != source
    _tree_with(tmp_path, oracle.patched.tree, wrong)
    done = _check(oracle.base.tree, tmp_path)
    assert done.returncode == 1
    assert done.stdout == ""
    assert re.fullmatch(
        r"stride: the patched search differs on Case\(masks=.*\): .*\n", done.stderr
    )


def test_a_tree_that_does_not_import_is_one_line_too(tmp_path: Path) -> None:
    for tree in ("base", "patched"):
        file = tmp_path / tree / MANAGER_FILE
        file.parent.mkdir(parents=True)
        file.write_text("")
        (tmp_path / tree / "vllm" / "__init__.py").write_text("import no_such_package\n")
    done = _check(tmp_path / "base", tmp_path / "patched")
    assert done.returncode == 1
    assert re.fullmatch(
        r"stride: cannot import vllm from .*no_such_package.*nox's test session.*\n", done.stderr
    )


@pytest.mark.parametrize("missing", ["--base", "--patched"])
def test_both_trees_must_be_named(missing: str) -> None:
    given = {"--base": "a", "--patched": "b"}
    del given[missing]
    done = CliRunner().invoke(commands, ["check", *next(iter(given.items()))])
    assert done.exit_code == 2
    assert f"Missing option '{missing}'" in done.stderr


def _tree_with(folder: Path, tree: Path, manager: str) -> None:
    """A tree's package with another manager module; all else is links, compiled files too."""
    for way in reversed(MANAGER_FILE.parents[:-1]):
        (folder / way).mkdir()
        for entry in (tree / way).iterdir():
            (folder / way / entry.name).symlink_to(entry)
        # The next folder is one of our own; in the last one nothing is compiled through a link.
        name = MANAGER_FILE.relative_to(way).parts[0]
        for own in (name, "__pycache__") if way == MANAGER_FILE.parent else (name,):
            (folder / way / own).unlink(missing_ok=True)
    (folder / MANAGER_FILE).write_text(manager)


def _check(base: Path, patched: Path) -> subprocess.CompletedProcess[str]:
    """Run it from this repository's root, where a folder named vllm lies."""
    trees = ["--base", str(base), "--patched", str(patched)]
    return subprocess.run(
        [sys.executable, "-m", "stride", "check", "--quick", *trees],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT / "tools")},
        capture_output=True,
        text=True,
    )
