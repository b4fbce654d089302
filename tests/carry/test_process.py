from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from carry import process
from carry.errors import UserError


def test_both_streams_and_the_code_come_back(tmp_path: Path) -> None:
    code = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"
    assert process.run([sys.executable, "-c", code], cwd=tmp_path) == process.Finished(
        3, "out\n", "err\n"
    )


def test_foreign_variables_do_not_reach_a_child(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", "/somewhere")
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    monkeypatch.setenv("KEPT", "yes")
    names = "('GIT_DIR', 'PYTHONPATH', 'KEPT', 'MINE')"
    code = f"import os; print(sorted(n for n in {names} if n in os.environ))"
    done = process.run([sys.executable, "-c", code], cwd=tmp_path, env={"MINE": "1"})
    assert done.stdout == "['KEPT', 'MINE']\n"
    process.scrub_environment()
    assert "GIT_DIR" not in os.environ
    assert "KEPT" in os.environ


def test_a_program_that_is_not_there_is_a_users_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot start no-such-program; install it"):
        process.run(["no-such-program"], cwd=tmp_path)


def test_a_folder_that_is_not_there_is_a_bug(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        process.run([sys.executable], cwd=tmp_path / "gone")


def test_sigterm_takes_the_way_of_ctrl_c() -> None:
    with pytest.raises(KeyboardInterrupt, match="SIGTERM"), process.terminate_as_interrupt():
        os.kill(os.getpid(), signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_interrupts_wait_for_the_end_of_the_block() -> None:
    reached = []
    with pytest.raises(KeyboardInterrupt), process.interrupts_deferred():
        os.kill(os.getpid(), signal.SIGINT)
        reached.append("the end")
    assert reached == ["the end"]


def test_a_program_is_read_while_it_runs_and_its_errors_are_logged(tmp_path: Path) -> None:
    code = "import sys; print('err', file=sys.stderr); print('one', flush=True); input()"
    log = tmp_path / "log.txt"
    with process.running([sys.executable, "-c", code], cwd=tmp_path, log=log) as child:
        assert child.stdout is not None and child.stdout.readline() == b"one\n"
        assert child.poll() is None
    assert child.returncode
    assert log.read_text() == "err\n"


def test_a_program_that_does_not_want_to_end_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_PATIENCE", 0.2)
    code = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "print('ready', flush=True); time.sleep(60)"
    )
    with (
        pytest.raises(KeyboardInterrupt),
        process.running([sys.executable, "-c", code], cwd=tmp_path, log=tmp_path / "log") as child,
    ):
        assert child.stdout is not None and child.stdout.readline() == b"ready\n"
        raise KeyboardInterrupt
    assert child.returncode == -signal.SIGKILL


def test_a_running_program_that_is_not_there_is_a_users_error(tmp_path: Path) -> None:
    with (
        pytest.raises(UserError, match="cannot start no-such-program; install it"),
        process.running(["no-such-program"], cwd=tmp_path, log=tmp_path / "log"),
    ):
        pass
