"""The committed series on real releases of vLLM, in a copy of this very repository.

Needs the releases in the mirror and the test environment's Python, as `nox -s test` has them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from carry import manifest

from .copied import CLEAN, CONFLICTING, ROOT, SUPPORTED, Copy

FUNCTION = "SlidingWindowManager.find_longest_cache_hit"
MANAGER = "vllm/v1/core/single_type_kv_cache_manager.py"
TESTS = "tests/v1/core/test_single_type_kv_cache_manager.py"


@pytest.fixture
def copy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Copy:
    return Copy(tmp_path / "copy", capsys)


def test_the_releases_are_in_the_mirror() -> None:
    oldest, base = SUPPORTED[:1], manifest.read(ROOT / "patches").base.version
    assert oldest == ["0.28.0"], "run these tests through: nox -s test"
    assert base in SUPPORTED
    assert len(CONFLICTING) == 2
    assert len(CLEAN) >= 5


def test_the_series_moves_from_release_to_release_and_back(copy: Copy) -> None:
    copy.without_checks()
    copy.commit()
    before = copy.patches()
    base = manifest.read(copy.root / "patches").base.version
    others = [version for version in reversed(CLEAN) if version != base]
    for version in others:
        assert "upstream's text of the touched functions is unchanged" in copy.rebase(version)
        assert manifest.read(copy.root / "patches").base.version == version
        assert copy.carry("verify")[0] == 0
    assert copy.patches() != before
    copy.rebase(base)
    assert copy.patches() == before


@pytest.mark.parametrize("version", CONFLICTING)
def test_where_the_tests_neighbour_is_missing_it_conflicts_and_can_be_left(
    copy: Copy, version: str
) -> None:
    copy.without_checks()
    copy.commit()
    before = copy.patches()
    code, _, err = copy.carry("rebase", "--source", "pypi", "--onto", version)
    assert code == 1
    second = copy.lines("patches/series")[1]
    assert f"{second} conflicts with {version} in {TESTS}" in err
    assert copy.carry("rebase", "--abort")[0] == 0
    assert copy.patches() == before


@pytest.mark.parametrize("version", CONFLICTING)
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
