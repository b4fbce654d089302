from __future__ import annotations

from pathlib import Path

import pytest

from carry.upstream_hooks.sources import from_packages

from .hooked import hook_repository, local, remote

NOWHERE = "https://127.0.0.1:9/hooks"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return hook_repository(tmp_path / "hooks", [])


@pytest.mark.parametrize(("choice", "packages"), [("git", False), ("pypi", True)])
def test_what_is_asked_for_is_taken(store: Path, choice: str, packages: bool) -> None:
    assert from_packages(store, [remote(NOWHERE, "v1", id="x")], choice) == (packages, "as asked")


def test_repository_that_answers_is_taken(store: Path) -> None:
    hooks = [local(id="own").hook, remote(store, "v1", id="x")]
    assert from_packages(store, hooks, "auto") == (False, "which answer")


def test_one_that_does_not_answer_makes_it_packages(store: Path) -> None:
    packages, why = from_packages(store, [remote(NOWHERE, "v1", id="x")], "auto")
    assert packages
    assert "127.0.0.1" in why


def test_nobody_is_asked_where_all_hooks_are_upstreams_own(store: Path) -> None:
    assert from_packages(store, [local(id="own").hook], "auto")[0] is False
