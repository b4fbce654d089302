"""Trees that cannot be compared end in one line."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from carry import manifest
from carry.errors import UserError
from carry.fingerprints import fingerprint
from stride import oracle as subject
from stride.oracle import MANAGER_CLASS, MANAGER_FILE, SEARCH, Oracle
from stride.tree import use_tree

ROOT = Path(__file__).parents[2]


def test_one_search_is_upstreams_own_and_the_other_is_not(oracle: Oracle) -> None:
    known = {
        text
        for entry in manifest.read(ROOT / "patches").patch
        for name, text in entry.functions.items()
        if name == f"{MANAGER_FILE}::{MANAGER_CLASS}.{SEARCH}"
    }
    assert {fingerprint(inspect.getsource(oracle.base.search))} == known
    assert fingerprint(inspect.getsource(oracle.patched.search)) not in known


def test_all_else_is_shared(oracle: Oracle) -> None:
    for name in ("BlockPool", "SlidingWindowSpec", "BlockHashListWithBlockSize"):
        assert getattr(oracle.base.module, name) is getattr(oracle.patched.module, name)


def test_no_tree_at_all(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="name the top folder of a vLLM tree"):
        subject.load(tmp_path, tmp_path)


def test_one_tree_twice(oracle: Oracle) -> None:
    with pytest.raises(UserError, match="nothing to compare"):
        subject.load(oracle.patched.tree, oracle.patched.tree)


def test_another_tree_is_loaded_already(oracle: Oracle, tmp_path: Path) -> None:
    (tmp_path / "vllm").mkdir()
    with pytest.raises(UserError, match="one pair of trees per process"):
        use_tree(tmp_path)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("import itertools", "import no_such_module"), "two trees of one and the same"),
        (("class SlidingWindowManager(", "class RenamedManager("), "upstream has moved it"),
        (("drop_eagle_block: bool,", "use_eagle: bool,"), "see what upstream changed"),
        (("alignment_tokens: int,", "alignment_tokens: int, more: int,"), "see what upstream"),
    ],
)
def test_upstream_has_changed(oracle: Oracle, change: tuple[str, str], problem: str) -> None:
    source = subject.read_manager(oracle.base.tree)
    with pytest.raises(UserError, match=problem):
        subject.side_from_source(oracle.base.tree, source.replace(*change), "stride_changed")
