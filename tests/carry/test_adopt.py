from __future__ import annotations

import pytest

from .repository import Repository


@pytest.fixture
def bo(synced: Repository) -> Repository:
    synced.git("config", "--global", "user.name", "Bo Öst")
    synced.git("config", "--global", "user.email", "bo@example.org")
    return synced


def test_the_whole_series_is_signed_anew(bo: Repository) -> None:
    tree = bo.tree_git("rev-parse", "HEAD^{tree}")
    out = bo.done("adopt")
    assert "the series is by Bo Öst <bo@example.org> now" in out
    for name in bo.patches()["series"].split():
        text = bo.patches()[name]
        assert "Signed-off-by: Bo Öst <bo@example.org>" in text
        assert "Ada Carrier" not in text
    assert bo.tree_git("log", "-2", "--format=%an %ae %cn") == "\n".join(
        ["Bo Öst bo@example.org Bo Öst"] * 2
    )
    assert bo.tree_git("rev-parse", "HEAD^{tree}") == tree
    assert 'author = "Bo Öst <bo@example.org>"' in (bo.root / "pyproject.toml").read_text()
    assert bo.done("verify")


def test_adopting_twice_changes_nothing_more(bo: Repository) -> None:
    bo.done("adopt")
    before = bo.state()
    bo.done("adopt")
    assert bo.state() == before


def test_dates_and_messages_stay(bo: Repository) -> None:
    dates = bo.tree_git("log", "-2", "--format=%ad %s")
    bo.done("adopt")
    assert bo.tree_git("log", "-2", "--format=%ad %s") == dates
    assert "It is faster." in bo.tree_git("log", "-1", "--format=%b", "HEAD~1")


def test_without_an_identity_it_says_how_to_set_one(synced: Repository) -> None:
    before = synced.state()
    assert "git config --global user.name" in synced.refused("adopt")
    assert synced.state() == before


def test_a_placeholder_is_no_identity(synced: Repository) -> None:
    synced.git("config", "--global", "user.name", "Nobody")
    synced.git("config", "--global", "user.email", "nobody@example.invalid")
    assert "is the placeholder nobody@example.invalid" in synced.refused("adopt")


def test_work_in_the_submodule_is_not_overwritten(bo: Repository) -> None:
    bo.change("README.md", ("# acme", "# mine"))
    assert "acme/ has uncommitted changes" in bo.refused("adopt")
    assert (bo.tree / "README.md").read_text().startswith("# mine")
