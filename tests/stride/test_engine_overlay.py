"""What an engine is given instead of its own file."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import pytest

from carry.errors import UserError
from carry.fingerprints import functions, touched
from stride.engine import overlay
from stride.engine.overlay import NAME, replaced, require_search_only
from stride.oracle import MANAGER_FILE, read_manager

BASE = Path(os.environ.get("STRIDE_BASE_TREE", "none"))
PATCHED = Path(os.environ.get("STRIDE_PATCHED_TREE", "none"))


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A package with the base's file, that another release has changed elsewhere."""
    file = tmp_path / "installed" / MANAGER_FILE
    file.parent.mkdir(parents=True)
    file.write_text(read_manager(BASE) + "\n\ndef of_another_release() -> None: ...\n")
    return tmp_path / "installed" / "vllm"


def test_nothing_but_the_search_and_its_imports_is_exchanged(
    installed: Path, tmp_path: Path
) -> None:
    own = read_manager(installed.parent)
    before, after = overlay.make(installed, BASE, PATCHED, tmp_path / "overlay")
    assert before.file.read_text() == own == read_manager(installed.parent)
    text = after.file.read_text()
    assert touched(own, text) == [NAME]
    assert functions(text)[NAME] == functions(read_manager(PATCHED))[NAME]
    added = [line for line in text.splitlines() if line not in own.splitlines()]
    assert "import math" in added and "import math" not in own
    assert "def of_another_release" in text
    compile(text, "overlay", "exec")


def test_each_file_is_named_after_its_content(installed: Path, tmp_path: Path) -> None:
    for one in overlay.make(installed, BASE, PATCHED, tmp_path / "overlay"):
        assert sha256(one.file.read_bytes()).hexdigest() == one.sha256
        assert one.sha256.startswith(one.file.stem.removeprefix("manager_"))


def test_an_engine_with_another_search_is_refused(installed: Path, tmp_path: Path) -> None:
    file = installed.parent / MANAGER_FILE
    file.write_text(file.read_text().replace("match_found = False", "match_found = None"))
    with pytest.raises(UserError, match=r"is not the base's .* --python"):
        overlay.make(installed, BASE, PATCHED, tmp_path / "overlay")
    assert not (tmp_path / "overlay").exists()


def test_a_series_that_changes_more_than_the_search_is_refused() -> None:
    upstream, ours = read_manager(BASE), read_manager(PATCHED)
    other = next(name for name in functions(upstream) if name != NAME)
    text = functions(ours)[other]
    more = ours.replace(text, text.replace("def ", "async def ", 1))
    with pytest.raises(UserError, match=f"changes .*{other.rpartition('.')[2]}"):
        require_search_only(upstream, more)
    with pytest.raises(UserError, match="nothing to compare"):
        require_search_only(upstream, upstream)


def test_a_search_that_is_there_twice_is_refused() -> None:
    upstream, ours = read_manager(BASE), read_manager(PATCHED)
    with pytest.raises(UserError, match="is not the base's"):
        replaced(upstream + functions(upstream)[NAME], upstream, ours)
