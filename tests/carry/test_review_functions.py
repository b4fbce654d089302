from __future__ import annotations

from carry import manifest
from carry.review.beside import Kind
from carry.review.functions import functions

from .repository import Repository
from .small_upstream import SCAN

KEY = "acme/scan.py::Scanner.find"


def test_a_function_stands_beside_what_becomes_of_it(synced: Repository) -> None:
    entries = manifest.read(synced.root / "patches").patch
    tips = [synced.tree_git("rev-parse", name) for name in ("HEAD~2", "HEAD")]
    (found,) = functions(synced.tree, entries, *tips)
    assert f"{found.path}::{found.name}" == KEY
    old = [line for hunk in found.hunks for line in hunk.old]
    new = [line for hunk in found.hunks for line in hunk.new]
    assert (len(old), len(new)) == (found.old_lines, found.new_lines)
    assert old[0].text.startswith("def find(")
    first = SCAN.splitlines().index("    " + old[0].text) + 1
    assert [line.number for line in old] == list(range(first, first + len(old)))
    changed = [hunk for hunk in found.hunks if hunk.kind is Kind.CHANGED]
    assert "    last = len(self.cells)" in [line.text for line in changed[0].old]
    assert any("== wanted:" in line.text for hunk in changed for line in hunk.new)


def test_a_function_that_two_patches_touch_is_there_once(synced: Repository) -> None:
    (entry, _) = manifest.read(synced.root / "patches").patch
    head = synced.tree_git("rev-parse", "HEAD")
    assert len(functions(synced.tree, [entry, entry], head, head)) == 1


def test_a_function_that_is_taken_out_has_no_new_side(synced: Repository) -> None:
    (entry, _) = manifest.read(synced.root / "patches").patch
    file = synced.tree / "acme" / "scan.py"
    file.write_text("")
    synced.tree_git("commit", "--quiet", "--all", "-m", "Take it out")
    base, tip = (synced.tree_git("rev-parse", name) for name in ("HEAD~3", "HEAD"))
    (found,) = functions(synced.tree, [entry], base, tip)
    assert found.old_lines > 0
    assert found.new_lines == 0
