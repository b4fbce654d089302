"""vLLM's own hooks on the committed series, with a fault for each that can be planted.

A run of the hooks takes about half a minute on two cores, mypy most of it, and one more where
they have to be installed first; they share the cache of `nox -s lint`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from carry import config, git
from carry.upstream_hooks import configuration, table

from .copied import SUPPORTED, ROOT, Copy

AUTHOR = config.load(ROOT).author
MANAGER = "vllm/v1/core/single_type_kv_cache_manager.py"
TESTS = "tests/v1/core/test_single_type_kv_cache_manager.py"
NEW = "vllm/v1/core/planted.py"
#: What hooks put right by themselves, and what they only find.
MENDED = {"ruff-check", "ruff-format", "check-spdx-header", "signoff-commit"}
FOUND = {"typos", "mypy"}


def at(version: str) -> configuration.Configuration:
    text = git.show(ROOT / "vllm", f"refs/carry/releases/{version}:{configuration.FILE}")
    assert text is not None, "run these tests through: nox -s test"
    return configuration.read(text)


@pytest.mark.parametrize("version", SUPPORTED)
def test_every_hook_of_a_repository_has_a_package_at_a_version(version: str) -> None:
    loaded = config.load(ROOT)
    known = table.load(ROOT, loaded.hooks.table)
    remote = [hook for hook in at(version).hooks if not hook.is_local]
    assert remote
    for hook in remote:
        package = known.package(hook)
        assert package is not None, hook
        assert re.fullmatch(r"\d+(\.\d+)+", package.version_of(hook)), hook


def plant(copy: Copy) -> None:
    """Put faults into both patches, each at its own place."""
    tree = copy.root / "vllm"
    one, two = git.commits(tree, "HEAD~2", "HEAD")
    git.run(tree, "reset", "--quiet", "--hard", "HEAD~2")
    git.run(tree, "cherry-pick", one)
    _edit(tree / MANAGER, lambda text: text.replace("import math\n", "import math\nimport mmap\n"))
    _edit(tree / MANAGER, lambda text: text + '\n\nPLANTED: int = "one"\n')
    (tree / NEW).write_text("PLANTED = 1\n")
    git.run(tree, "add", "--all")
    git.run(tree, "commit", "--quiet", "--amend", "--no-edit")
    git.run(tree, "cherry-pick", two)
    # In two parts, or this very repository's spelling would be at fault.
    _edit(tree / TESTS, lambda text: text + "\n\n# Te" + "h rows.\nPLANTED = [1,2]\n")
    subject = git.message(tree, two).splitlines()[0]
    git.run(tree, "commit", "--quiet", "--all", "--amend", "-m", subject)


def _edit(file: Path, change: Callable[[str], str]) -> None:
    text = file.read_text()
    assert change(text) != text
    file.write_text(change(text))


def share_cache(copy: Copy) -> None:
    shared = ROOT / ".carry" / "pre-commit"
    shared.mkdir(parents=True, exist_ok=True)
    (copy.root / ".carry").mkdir(exist_ok=True)
    (copy.root / ".carry" / "pre-commit").symlink_to(shared)


def failed(out: str) -> set[str]:
    return set(re.findall(r"^(\S+?)(?: on the messages)?: failed in", out, re.M))


def test_each_fault_fails_its_own_hook_and_is_put_right_in_its_own_patch(
    tmp_path: Path, indexes: None, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = Copy(tmp_path / "copy", capsys)
    copy.without_checks()
    copy.commit()
    share_cache(copy)
    copy.rebase(SUPPORTED[-1])
    clean = copy.patches()
    plant(copy)
    assert copy.carry("export")[0] == 0

    code, out, err = copy.carry("hooks", "--source", "pypi", "--fix")
    before, after = out.split("the hooks again, on the series as it is now")
    assert failed(before) == MENDED | FOUND
    assert "not run" not in out
    # What no hook can put right is left for people.
    assert code == 1
    assert failed(after) == FOUND
    record = json.loads((copy.root / "evidence/hooks.json").read_text())
    total = record["result"]["total"]
    assert re.fullmatch(r"\d+ passed, 2 failed, \d+ without files", total)
    assert f"upstream's hooks at {SUPPORTED[-1]}: {total}" in after
    assert "do not all pass: typos, mypy;" in err
    assert "Incompatible types in assignment" in after

    first, second = (text.decode() for name, text in sorted(copy.patches().items()) if "0" in name)
    assert "mmap" not in first
    assert first.count("+# SPDX-License-Identifier") == 1
    assert f"+++ b/{NEW}" in first
    assert "PLANTED: int" in first
    assert "+PLANTED = [1, 2]" in second
    assert f"Signed-off-by: {AUTHOR}" in second
    # Nothing else has changed.
    old_first, old_second = (text.decode() for name, text in sorted(clean.items()) if "0" in name)
    assert _added(second) - _added(old_second) == {"# Te" + "h rows.", "PLANTED = [1, 2]"}
    assert {line for line in _added(first) - _added(old_first) if "SPDX" not in line} == {
        "PLANTED = 1", 'PLANTED: int = "one"',
    }  # fmt: skip
    assert record["subject"]["base"] == SUPPORTED[-1]


def _added(patch: str) -> set[str]:
    lines = re.findall(r"^\+(?!\+\+ )(.*)$", patch, re.M)
    return {line for line in lines if line}
