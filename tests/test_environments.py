"""Environments are made by nox and pip as they are, from a folder of small wheels."""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import pytest

TOOLS = Path(__file__).parents[1] / "tools"
NOXFILE = f"""
import sys
import nox
sys.path.insert(0, {str(TOOLS)!r})
import environments

nox.options.default_venv_backend = "virtualenv"
nox.options.reuse_venv = "yes"

@nox.session
def small(session):
    environments.install_once(
        session, ["one", "two==2"], *eval(session.posargs[0] if session.posargs else "[]"),
        bound_to=sys.stdin.readline(), without=["two"],
    )
"""

Said = subprocess.CompletedProcess[str]


@dataclass(frozen=True)
class Place:
    """A noxfile with one session, and the folder that pip finds packages in."""

    root: Path

    @property
    def environment(self) -> Path:
        return self.root / ".nox" / "small"

    @property
    def log(self) -> str:
        return (self.environment / "pip.log").read_text()

    @property
    def installed(self) -> set[str]:
        found = self.environment.glob("lib/python*/site-packages/*.dist-info")
        return {folder.name.partition("-")[0] for folder in found} - {"pip", "setuptools", "wheel"}

    def nox(self, steps: str = "[]", bound_to: str = "") -> Said:
        return subprocess.run(
            self.command(steps), cwd=self.root, input=bound_to, capture_output=True, text=True,
            check=False,
        )  # fmt: skip

    def command(self, steps: str = "[]") -> list[str]:
        return [sys.executable, "-m", "nox", "--no-color", "-s", "small", "--", steps]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Place, Said]]:
    """An environment that was made once, and what was said of it; not to be changed."""
    place = Place(tmp_path_factory.mktemp("made"))
    (place.root / "noxfile.py").write_text(NOXFILE)
    for name, version in (("one", "1"), ("two", "2"), ("three", "3")):
        wheel(place.root / "wheels", name, version)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PIP_NO_INDEX", "1")
        patch.setenv("PIP_FIND_LINKS", "wheels")
        patch.delenv("TERM")
        yield place, place.nox()


@pytest.fixture
def place(made: tuple[Place, Said], tmp_path: Path) -> Place:
    """A copy of it."""
    return Place(shutil.copytree(made[0].root, tmp_path / "copy", symlinks=True))


def wheel(folder: Path, name: str, version: str) -> None:
    folder.mkdir(exist_ok=True)
    info = f"{name}-{version}.dist-info"
    files = {
        f"{name}.py": f"version = {version!r}\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    with ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as archive:
        for file, text in files.items():
            archive.writestr(file, text)
        names = [*files, f"{info}/RECORD"]
        archive.writestr(f"{info}/RECORD", "".join(f"{file},,\n" for file in names))


def test_a_log_has_a_line_at_the_start_and_one_at_the_end(made: tuple[Place, Said]) -> None:
    place, done = made
    assert done.returncode == 0, done
    said = [line for line in (done.stdout + done.stderr).splitlines() if "install" in line]
    assert said[0] == "small: installing one and 1 more"
    assert re.fullmatch(r"nox > small: installed one and 1 more: \d+ MB, \d+ s", said[1])
    assert len(said) == 2
    assert "Successfully installed one-1 two-2" in place.log
    assert place.installed == {"one"}


def test_it_is_done_once_until_what_it_follows_from_changes(place: Place) -> None:
    assert "installing" not in place.nox().stderr
    assert "installing" in place.nox(bound_to="another table").stderr
    assert "installing one and 2 more" in place.nox("[['three']]").stderr
    assert place.installed == {"one", "three"}


def test_a_failure_shows_the_end_of_the_log_and_the_next_run_starts_over(place: Place) -> None:
    done = place.nox("[['three'], ['four>4']]")
    assert done.returncode == 1
    assert "ERROR: No matching distribution found for four>4" in done.stderr
    last = [line for line in done.stderr.splitlines() if "pip could not install" in line]
    assert [line.partition(" (took")[0] for line in last] == [
        "nox > Session small aborted: pip could not install one and 3 more"
        " (the whole log: .nox/small/pip.log)"
    ]
    assert "Successfully installed two-2" in place.log, "the log is that of all steps"
    wheel(place.root / "wheels", "four", "5")
    assert place.nox("[['three'], ['four>4']]").returncode == 0
    assert place.installed == {"one", "three", "four"}


def test_what_pip_was_stopped_at_is_installed_again(place: Place) -> None:
    (packages,) = place.environment.glob("lib/python*/site-packages")
    (packages / "one-1.dist-info" / "RECORD").unlink()
    (packages / "one.py").unlink()
    # A run that was stopped has left no stamp.
    (place.environment / "installed").unlink()
    assert place.nox().returncode == 0
    assert (packages / "one.py").exists()


def test_a_terminal_has_one_line_that_is_gone_at_the_end(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    (place.environment / "installed").unlink()
    ours, theirs = pty.openpty()
    command = subprocess.Popen(
        place.command(), cwd=place.root, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    said = b""
    try:
        while part := os.read(ours, 4096):
            said += part
    except OSError:  # as Linux says that the other end is closed
        pass
    os.close(ours)
    assert command.wait() == 0
    shown = re.findall(r"\r\x1b\[K([^\r\n]*)", said.decode())
    assert re.match(r". small: installing one and 1 more: \d+ MB, 0 s", shown[0])
    assert {line[:1] for line in shown} >= {"|", "/"}, "it moves"
    assert all(len(line) < shutil.get_terminal_size().columns for line in shown)
    assert shown[-1].startswith("nox > small: installed"), "the line before it is gone"
