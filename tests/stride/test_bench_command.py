"""What `stride bench` refuses before it measures anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from carry import evidence
from carry.errors import UserError
from stride import recording
from stride.__main__ import commands
from stride.bench import command

SUBJECT = '{"series": "0123", "base": "1.0.0", "commit": "abc", "tree": "def"}'
TREES = ["--base", "a", "--patched", "b"]


def refusal(*more: str) -> str:
    done = CliRunner().invoke(commands, ["bench", *TREES, *more])
    assert isinstance(done.exception, UserError)
    assert "\n" not in done.exception.line()
    return done.exception.line()


def test_by_hand_it_says_how_it_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(evidence.SUBJECT, raising=False)
    assert "nox -s bench" in refusal() and "carry run -- {python}" in refusal()


def test_a_quick_run_does_not_replace_the_record(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(evidence.SUBJECT, SUBJECT)
    monkeypatch.chdir(tmp_path)
    assert "does not replace the committed record" in refusal("--quick", "--out", ".")
    assert command.QUICK_OUT.resolve() != tmp_path


def test_without_matplotlib_it_does_not_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(evidence.SUBJECT, SUBJECT)
    monkeypatch.setattr(recording, "find_spec", lambda _: None)
    assert "matplotlib is not here" in refusal()


def test_trees_that_are_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(evidence.SUBJECT, SUBJECT)
    monkeypatch.chdir(tmp_path)
    assert "name the top folder of a vLLM tree" in refusal()
    assert not list(tmp_path.iterdir())
