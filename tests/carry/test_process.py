from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread

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
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    reached = []
    with pytest.raises(KeyboardInterrupt), process.interrupts_deferred():
        # To this thread, whatever others there are.
        signal.raise_signal(signal.SIGINT)
        reached.append("the end")
    assert reached == ["the end"]
    assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == before
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.fixture
def taken() -> Iterator[Callable[[], object]]:
    """Waits until a signal has arrived, in whatever thread."""
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    before = signal.set_wakeup_fd(theirs)
    yield lambda: os.read(ours, 1)
    signal.set_wakeup_fd(before)
    os.close(ours)
    os.close(theirs)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupts_wait_where_another_thread_takes_them(
    number: signal.Signals, taken: Callable[[], object]
) -> None:
    done, reached = Event(), []
    other = Thread(target=done.wait)
    other.start()
    try:
        with (
            pytest.raises(KeyboardInterrupt),
            process.terminate_as_interrupt(),
            process.interrupts_deferred(),
        ):
            signal.pthread_kill(other.ident or 0, number)
            taken()
            reached.append("the end")
    finally:
        done.set()
        other.join()
    assert reached == ["the end"]


def test_a_program_that_is_started_meanwhile_is_not_interrupted(tmp_path: Path) -> None:
    code = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    with process.interrupts_deferred():
        inside = process.run([sys.executable, "-c", code], cwd=tmp_path).stdout
    assert (inside, process.run([sys.executable, "-c", code], cwd=tmp_path).stdout) == (
        "True\n", "False\n",
    )  # fmt: skip


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with process.interrupts_deferred():
            signal.raise_signal(signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


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


def test_what_a_program_beside_us_says_is_logged(tmp_path: Path) -> None:
    code = "import sys; print('out', flush=True); print('err', file=sys.stderr); sys.exit(input())"
    log = tmp_path / "log.txt"
    with process.aside([sys.executable, "-c", code], cwd=tmp_path, log=log) as child:
        assert child.wait() == 1
    said = log.read_text()
    assert said.startswith("out\nerr\n")
    assert "EOFError" in said, "nothing is read from our own terminal"


def test_a_program_beside_us_ends_with_the_block(tmp_path: Path) -> None:
    code = "import time; time.sleep(60)"
    with (
        pytest.raises(KeyboardInterrupt),
        process.aside([sys.executable, "-c", code], cwd=tmp_path, log=tmp_path / "log") as child,
    ):
        raise KeyboardInterrupt
    assert child.returncode == -signal.SIGTERM
