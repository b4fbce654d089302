"""What `stride smoke` refuses, skips, and takes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from carry import evidence
from carry.errors import UserError
from stride import recording
from stride.__main__ import commands
from stride.engine import command

SUBJECT = '{"series": "0123", "base": "1.0.0", "commit": "abc", "tree": "def"}'
TREES = ["--base", "a", "--patched", "b"]


@pytest.fixture(autouse=True)
def started_by_carry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(evidence.SUBJECT, SUBJECT)
    monkeypatch.delenv("STRIDE_ENGINE_PYTHON", raising=False)
    monkeypatch.chdir(tmp_path)


def smoke(*more: str) -> Result:
    return CliRunner().invoke(commands, ["smoke", *TREES, *more])


def refusal(*more: str) -> str:
    done = smoke(*more)
    assert isinstance(done.exception, UserError), done.output
    assert "\n" not in done.exception.line()
    return done.exception.line()


def test_by_hand_it_says_how_it_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(evidence.SUBJECT)
    assert "start it with nox -s smoke" in refusal()


@pytest.mark.parametrize("kind", ["rocm", "cuda"])
def test_without_such_a_device_it_is_skipped_and_not_passed(
    kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    done = smoke("--device", kind, "--python", sys.executable)
    assert done.exit_code == 0
    said = capfd.readouterr().out + done.output
    assert said.startswith(f"skipped: no {'ROCm' if kind == 'rocm' else 'CUDA'} device (torch ")
    assert "docs/rocm.md" in said and "passed" not in said
    assert not list(tmp_path.iterdir())


def test_a_quick_run_does_not_replace_the_record(tmp_path: Path) -> None:
    assert "does not replace the committed record" in refusal("--quick", "--out", ".")
    assert command.QUICK_OUT.resolve() != tmp_path


def test_an_interpreter_that_is_not_there() -> None:
    assert "there is no interpreter nowhere; nox -s smoke makes one" in refusal(
        "--python", "nowhere"
    )


def test_without_matplotlib_it_does_not_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "find_spec", lambda _: None)
    assert "matplotlib is not here" in refusal()


@pytest.mark.parametrize("time", ["10", "0s", "1d", "-5m", "m"])
def test_a_time_that_is_none_is_a_usage_error(time: str) -> None:
    done = smoke("--soak", time)
    assert done.exit_code == 2 and "is no time such as 60s, 10m or 1h" in done.output


def test_times_are_read_in_seconds() -> None:
    read = command.Duration().convert
    assert [read(text, None, None) for text in ("90s", "10m", "1h")] == [90, 600, 3600]
