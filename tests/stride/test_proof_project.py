"""The Lean project as text: order, words that are not allowed, statements."""

from __future__ import annotations

from pathlib import Path

import pytest

from carry.errors import UserError
from stride.proof.check import REQUIRED
from stride.proof.lean_project import FOLDER, MODEL, Module, modules, require_honest, theorems

PROJECT = Path(__file__).parents[2] / FOLDER


def _write(folder: Path, **files: str) -> Path:
    (folder / "LeanPrefixCache").mkdir()
    for name, text in files.items():
        (folder / (name.replace("_", "/") + ".lean")).write_text(text)
    return folder


def test_modules_come_after_what_they_import(tmp_path: Path) -> None:
    folder = _write(
        tmp_path,
        LeanPrefixCache="module\n\npublic import LeanPrefixCache.B\n",
        LeanPrefixCache_A="module\n",
        LeanPrefixCache_B="module\n\npublic import LeanPrefixCache.A\nimport Init.Data\n",
    )
    names = [module.name for module in modules(folder)]
    assert names == ["LeanPrefixCache.A", "LeanPrefixCache.B", "LeanPrefixCache"]


def test_a_file_that_nothing_imports_is_refused(tmp_path: Path) -> None:
    folder = _write(tmp_path, LeanPrefixCache="module\n", LeanPrefixCache_A="module\n")
    with pytest.raises(UserError, match=r"LeanPrefixCache/A\.lean is imported by nothing"):
        modules(folder)


def test_a_missing_module_is_named(tmp_path: Path) -> None:
    folder = _write(tmp_path, LeanPrefixCache="import LeanPrefixCache.Gone\n")
    with pytest.raises(UserError, match=r"Gone\.lean: No such file"):
        modules(folder)


@pytest.mark.parametrize(
    "line",
    [
        "theorem t : 1 = 2 := sorry",
        "axiom t : 1 = 2",
        "theorem t : f 3 = 4 := by native_decide",
        "@[implemented_by g] def f := 1",
        "set_option debug.skipKernelTC true",
    ],
)
def test_what_needs_more_than_the_kernel_is_refused(line: str) -> None:
    with pytest.raises(UserError, match=r"lean_prefix_cache/A/B\.lean:3: the word"):
        require_honest([Module("A.B", f"module\n\n{line}\n")])


def test_this_project_is_honest_and_states_all_theorems() -> None:
    project = modules(PROJECT)
    require_honest(project)
    assert project[0].name == MODEL
    assert set(REQUIRED) <= {one.name for one in theorems(project[-1])}


def test_a_statement_is_one_line() -> None:
    found = theorems(
        Module("A", "theorem t (a : Nat)\n    (h : 0 < a) :\n    a ≠ 0 := by\n  omega\n")
    )
    assert [(one.name, one.statement) for one in found] == [
        ("t", "(a : Nat) (h : 0 < a) : a ≠ 0"),
    ]
