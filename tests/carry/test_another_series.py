"""Another series on another upstream, by configuration alone, through its whole life."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import pytest

from .hooked import NO_TODO, SIGN, recorded
from .repository import Repository
from .small_upstream import commit, edit, run_git

CARRIER = ("Cleo Carrier", "cleo@carrier.invalid")
SIGN_OFF = "Signed-off-by: {} <{}>".format(*CARRIER)
#: A program in one file, with tests and hooks of its own.
UPSTREAM = {
    "bells.py": """\
        def strokes(hour):
            if hour > 12:
                return hour - 12
            return hour
        """,
    "checks/test_bells.py": """\
        from bells import strokes


        def test_noon():
            assert strokes(12) == 12
        """,
    ".pre-commit-config.yaml": """\
        repos:
        - repo: local
          hooks:
          - id: nothing-left
            name: Nothing is left to do
            entry: sh no_todo.sh
            language: system
            types: [python]
          - id: docs
            name: Nothing is left to write
            entry: sh no_todo.sh
            language: system
            types: [markdown]
          - id: sign
            name: Sign the message
            entry: sh sign.sh
            language: system
            stages: [commit-msg]
        """,
    "no_todo.sh": NO_TODO,
    "sign.sh": SIGN,
    "readme.md": "# Bells\n",
}
MIDNIGHT = ("    return hour\n", "    return hour or 12\n")
TEST = "\n\ndef test_midnight():\n    assert strokes(0) == 12\n"


@pytest.fixture
def repository(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Repository:
    """Two patches on the tag r0.1 of an upstream whose r0.2 changes something else."""
    upstream = tmp_path / "bells-upstream"
    for name, text in UPSTREAM.items():
        (upstream / name).parent.mkdir(parents=True, exist_ok=True)
        (upstream / name).write_text(textwrap.dedent(text))
    run_git(upstream, "init", "--quiet", "--initial-branch=trunk")
    first = commit(upstream, "Strike the hours")
    run_git(upstream, "tag", "r0.1")
    edit(upstream / "readme.md", ("# Bells\n", "# Bells\n\nThey strike the hours.\n"))
    commit(upstream, "Say what bells do")
    run_git(upstream, "tag", "r0.2")
    return Repository(carrying(tmp_path, upstream, first), capsys)


def carrying(tmp_path: Path, upstream: Path, first: str) -> Path:
    root = tmp_path / "carrying"
    files = {
        "pyproject.toml": f"""\
            [tool.carry]
            submodule = "acme"
            patches = "series-of-mine"
            branch = "midnight"
            author = "{CARRIER[0]} <{CARRIER[1]}>"

            [tool.carry.upstream]
            package = "bells"
            branch = "trunk"
            tag = "r{{version}}"

            [tool.carry.tests]
            files = ["checks"]
            """,
        "releases.toml": f"""\
            [[release]]
            version = "0.1"
            commit = "{first}"
            """,
        ".gitmodules": f"""\
            [submodule "acme"]
            \tpath = acme
            \turl = {upstream}
            """,
        ".gitignore": "/.carry/\n",
        "series-of-mine/series": "",
        "series-of-mine/manifest.toml": f"""\
            schema = 1

            [base]
            version = "0.1"
            commit = "{first}"
            """,
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(textwrap.dedent(text))
    (root / "acme").mkdir()
    run_git(root, "init", "--quiet", "--initial-branch=main")
    run_git(root, "add", "--all")
    run_git(root, "update-index", "--add", "--cacheinfo", f"160000,{first},acme")
    run_git(root, "commit", "--quiet", "-m", "Carry a series on bells", who=CARRIER)
    return root


def change(repository: Repository, file: str, old: str, new: str, subject: str) -> None:
    edit(repository.tree / file, (old, new))
    message = f"{subject}\n\n{SIGN_OFF}"
    repository.tree_git("commit", "--quiet", "--all", "-m", message, who=CARRIER)


def test_from_an_empty_series_to_a_moved_one(repository: Repository) -> None:
    assert "acme/ is at 0.1 and 0 patch(es)" in repository.done("sync")
    change(repository, "bells.py", *MIDNIGHT, "Strike twelve at midnight")
    last = "    assert strokes(12) == 12\n"
    change(repository, "checks/test_bells.py", last, last + TEST, "Test midnight")
    repository.done("export")
    patches = sorted(file.name for file in (repository.root / "series-of-mine").iterdir())
    assert patches == [
        "0001-Strike-twelve-at-midnight.patch", "0002-Test-midnight.patch", "manifest.toml",
        "series",
    ]  # fmt: skip
    repository.git("add", "series-of-mine")
    repository.git("commit", "--quiet", "-m", "Begin a series")

    assert "rebasing 2 patch(es) from 0.1 onto 0.2" in repository.done("rebase", "--onto", "r0.2")
    assert "1 passed before the series, 2 passed after it" in " ".join(
        repository.done("test", "--python", sys.executable).split()
    )
    out = repository.done("hooks")
    assert "1 passed, 0 failed, 1 without files" in out
    assert recorded(repository)["further stages"]["commit-msg"].startswith("1 passed")
    assert "nothing to export" in repository.done("export")
    status = " ".join(repository.done("status").split())
    assert "series 0001-Strike-twelve-at-midnight.patch 0002-Test-midnight.patch" in status
    assert "acme/ branch midnight at" in status
    assert "under way nothing" in status
