"""What `stride smoke` refuses, skips, and takes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from carry import evidence
from carry.errors import UserError
from carry.fingerprints import fingerprint, functions
from stride import recording
from stride.__main__ import commands
from stride.engine import command
from stride.engine.compare import DifferentError
from stride.engine.messages import PhaseRun
from stride.engine.overlay import NAME
from stride.engine.record import from_result
from stride.oracle import read_manager

from .made_up_engine import DEVICE, answer, interpreter, phase

SUBJECT = '{"series": "0123", "base": "1.0.0", "commit": "abc", "tree": "def"}'
TREES = ["--base", "a", "--patched", "b"]
BASE, PATCHED = (os.environ.get(f"STRIDE_{name}_TREE", "none") for name in ("BASE", "PATCHED"))
#: An engine's interpreter that says what it has, and then one phase, which may differ by arm.
ENGINE = """
import json
if sys.argv[2] == "stride.engine.probe":
    print({device!r})
else:
    job = json.loads(arguments[0])
    same = job["function"] == {upstream!r}
    print({before!r} if same else {after!r})
    print(json.dumps({{"type": "Proof", "sha256": job["sha256"], "function": job["function"],
                       "calls": 1, "block": 32}}))
"""


def engine(folder: Path, *, before: PhaseRun, after: PhaseRun) -> list[str]:
    """The arguments for a run with such an interpreter."""
    device = replace(DEVICE, folder=f"{BASE}/vllm")
    upstream = fingerprint(functions(read_manager(Path(BASE)))[NAME])
    device_text, *said = (msgspec.json.encode(one).decode() for one in (device, before, after))
    body = ENGINE.format(device=device_text, upstream=upstream, before=said[0], after=said[1])
    return ["--base", BASE, "--patched", PATCHED, "--python", str(interpreter(folder, body))]


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


def test_a_session_writes_its_record_and_its_plot(tmp_path: Path) -> None:
    words = engine(tmp_path, before=phase(), after=phase(lookups=4))
    done = CliRunner().invoke(commands, ["smoke", *words])
    assert done.exit_code == 0, done.exception
    record = evidence.read(tmp_path, "engine")
    assert record is not None and record.machine.device == "cpu"
    result = from_result(record.result)
    assert result.outcome == "passed" and not result.quick
    assert result.rows[0].sides["patch"].lookups == 4
    assert (tmp_path / "docs" / "plots" / "engine-share-of-a-step.svg").exists()
    assert BASE not in evidence.path(tmp_path, "engine").read_text()


def test_arms_that_differ_leave_a_record_that_says_failed(tmp_path: Path) -> None:
    words = engine(tmp_path, before=phase(), after=phase(answers=(answer(cached=32),)))
    done = CliRunner().invoke(commands, ["smoke", *words])
    assert isinstance(done.exception, DifferentError)
    record = evidence.read(tmp_path, "engine")
    assert record is not None
    result = from_result(record.result)
    assert result.outcome == "failed" and "prompt 0: cached tokens 64" in result.problem
    assert not result.rows


def test_an_engine_that_dies_leaves_the_record_alone(tmp_path: Path) -> None:
    words = engine(tmp_path, before=phase(), after=phase())
    broken = tmp_path / "body.py"
    broken.write_text(broken.read_text().replace("job = ", "sys.exit('out of memory')\njob = "))
    broken.write_text(broken.read_text().replace("\njob = ", "\n    job = "))
    done = CliRunner().invoke(commands, ["smoke", *words])
    assert isinstance(done.exception, UserError)
    assert "upstream-counted-1 ended with 1 at its start: out of memory" in str(done.exception)
    assert evidence.read(tmp_path, "engine") is None
    assert list((tmp_path / ".carry" / "engine" / "kept").iterdir())
