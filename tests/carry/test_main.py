from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path

import pytest

from carry.__main__ import main
from carry.errors import UserError, from_os_error

from .repository import Repository

COMMANDS = [
    "sync",
    "fetch",
    "hooks",
    "rebase",
    "test",
    "export",
    "verify",
    "adopt",
    "pr",
    "status",
    "run",
    "review",
    "canary",
]


def test_no_command_shows_the_help(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert "Carry a patch series on a pinned upstream" in capsys.readouterr().err


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help(repository: Repository, command: str) -> None:
    out = repository.done(command, "--help")
    assert out.startswith(f"Usage: carry {command}")


def test_the_help_lists_every_command(repository: Repository) -> None:
    out = repository.done("--help")
    listed = [line.split()[0] for line in out.split("Commands:\n")[1].splitlines()]
    assert sorted(listed) == sorted(COMMANDS)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["rebas"], "No such command 'rebas'"),
        (["rebase", "--ontoo"], "No such option '--ontoo'"),
        (["sync", "--source", "svn"], "'svn' is not one of 'auto', 'git', 'pypi'"),
        (["rebase", "--onto", "1", "--abort"], "exclude each other"),
        (["rebase", "--continue", "--abort"], "exclude each other"),
    ],
)
def test_wrong_words_are_one_line(repository: Repository, words: list[str], says: str) -> None:
    assert says in repository.refused(*words)


def test_a_wrong_source_in_the_environment_is_one_line(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARRY_SOURCE", "svn")
    assert "CARRY_SOURCE" in repository.refused("sync")


def test_outside_of_a_repository_it_says_where_to_go(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["status"]) == 1
    assert "change into the repository that carries the series" in capsys.readouterr().err


def test_a_bug_shows_its_traceback(repository: Repository) -> None:
    code = (
        "from carry import status; status.status = lambda *_, **__: 1 / 0\n"
        "import sys; from carry.__main__ import main; sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "--root", str(repository.root), "status"],
        env={"PYTHONPATH": str(Path(__file__).parents[2] / "tools"), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "Traceback" in done.stderr
    assert "ZeroDivisionError" in done.stderr


def test_an_error_is_one_line_with_hint_and_log() -> None:
    error = UserError("it\nbroke", hint="mend  it", log=Path("a.log"))
    assert error.line() == "it broke; mend it (log: a.log)"


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (errno.ENOSPC, "the disk is full at /x; free some space"),
        (errno.EACCES, "no permission to write at /x"),
        (errno.EROFS, "no permission to write at /x"),
    ],
)
def test_what_the_system_refuses_becomes_words(number: int, says: str) -> None:
    error = from_os_error(OSError(number, "", "/x"))
    assert error is not None
    assert says in error.line()


def test_other_refusals_of_the_system_stay_bugs() -> None:
    assert from_os_error(OSError(errno.EBADF, "")) is None
