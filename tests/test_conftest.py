"""Nothing of the developer's settings reaches a test."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from carry import git


def test_there_is_no_git_identity(tmp_path: Path) -> None:
    assert git.identity(tmp_path) is None


def test_home_is_empty_and_a_tests_own(home: Path) -> None:
    assert os.environ["HOME"] == str(home)
    assert list(home.iterdir()) == []
    (home / ".gitconfig").write_text("[user]\n\tname = Somebody\n")


def test_home_does_not_keep_what_another_test_left(home: Path) -> None:
    assert list(home.iterdir()) == []


def test_no_variable_of_the_developers_is_left() -> None:
    fixed = {"GIT_CONFIG_NOSYSTEM", "GIT_TERMINAL_PROMPT", "GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"}
    prefixes = ("GIT_", "XDG_", "PIP_", "CARRY_")
    left = {name for name in os.environ if name.startswith(prefixes)}
    assert left == fixed | {"PIP_CONFIG_FILE"}
    assert {name for name in os.environ if name.lower().endswith("_proxy")} == {
        "NO_PROXY",
        "no_proxy",
    }


def test_dates_are_fixed(tmp_path: Path) -> None:
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.invalid"]
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    commit = ["git", *who, "commit", "--quiet", "--allow-empty", "-m", "Nothing"]
    subprocess.run(commit, cwd=tmp_path, check=True)
    date = git.run(tmp_path, "log", "-1", "--format=%ad %cd", "--date=iso-strict")
    assert date == "2026-11-01T12:00:00+00:00 2026-11-01T12:00:00+00:00"
