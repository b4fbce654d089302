"""What ci.yml runs, run as it stands, with a python3 that only says what it was told."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .workflows import ROOT, Outcome, load, run_job

THERE = ("cc", "chromium", "chromedriver")
#: Programs of this machine that a test puts others for, or leaves out.
HIDDEN = (*THERE, "python3", "apt-get", "sudo", "id")
PYTHON = """\
#!/bin/sh
echo "python3 $*" >> "$CALLS"
echo "===== 3 passed in 0.10s ====="
case "$*" in *"$BROKEN"*) exit 3 ;; esac
"""
SAYS = '#!/bin/sh\necho "{name} $*" >> "$CALLS"\n'
WHO = ("-c", "user.name=Ada", "-c", "user.email=ada@example.invalid")
SUDO = SAYS + 'exec "$@"\n'


class Runner:
    """A hosted runner with a clone, and with the programs that are asked for."""

    def __init__(self, folder: Path, programs: Path, patch: pytest.MonkeyPatch) -> None:
        self.clone, self.bin, self.calls = folder / "clone", folder / "bin", folder / "calls"
        self.bin.mkdir()
        (self.clone / ".ci").mkdir(parents=True)
        shutil.copy(ROOT / ".ci" / "run", self.clone / ".ci" / "run")
        for words in (
            ("init", "--quiet"),
            ("add", "--all"),
            (*WHO, "commit", "--quiet", "-m", "x"),
        ):
            subprocess.run(["git", "-C", str(self.clone), *words], check=True)
        self.put("python3", PYTHON)
        self.put("apt-get", SAYS)
        patch.setenv("PATH", f"{self.bin}:{programs}")
        patch.setenv("CALLS", str(self.calls))
        patch.setenv("BROKEN", "none of them")

    def put(self, name: str, text: str) -> None:
        file = self.bin / name
        file.write_text(text.replace("{name}", name))
        file.chmod(0o755)

    def put_all(self, user: int = 1001) -> None:
        """What a runner has, with the number of its user."""
        for name in THERE:
            self.put(name, SAYS)
        self.put("id", f"#!/bin/sh\necho {user}\n")

    def run(self, python: str = "3.11") -> Outcome:
        known = {"matrix.python": python, "vars.PIP_EXTRA_INDEX_URL": ""}
        return run_job(load("ci.yml"), "check", self.clone, known=known)

    def said(self, program: str) -> list[str]:
        lines = self.calls.read_text().splitlines() if self.calls.exists() else []
        return [line for line in lines if line.startswith(program)]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This machine's programs without the hidden ones."""
    folder = tmp_path_factory.mktemp("programs")
    for place in map(Path, os.environ["PATH"].split(":")):
        for file in place.iterdir() if place.is_dir() else ():
            if file.name not in HIDDEN and not (folder / file.name).is_symlink():
                (folder / file.name).symlink_to(file)
    return folder


@pytest.fixture
def runner(tmp_path: Path, programs: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    return Runner(tmp_path, programs, monkeypatch)


@pytest.mark.parametrize("python", load("ci.yml")["jobs"]["check"]["strategy"]["matrix"]["python"])
def test_every_session_of_a_clone_is_run(runner: Runner, python: str) -> None:
    runner.put_all()
    outcome = runner.run(python)
    assert outcome.result == "success", outcome.output
    assert runner.said("python3 -m nox")
    assert not runner.said("apt-get")
    assert "3 passed" in outcome.output.splitlines()[-1]


def test_a_session_that_fails_is_seen(runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    runner.put_all()
    monkeypatch.setenv("BROKEN", "-m nox")
    assert runner.run().result == "failure"


def test_an_upstream_release_is_what_it_is_held_against() -> None:
    assert load("ci.yml")["jobs"]["check"]["env"]["CARRY_SOURCE"] == "pypi"


@pytest.mark.parametrize("missing", THERE)
def test_what_is_missing_is_installed_by_sudo(runner: Runner, missing: str) -> None:
    runner.put_all()
    runner.put("sudo", SUDO)
    (runner.bin / missing).unlink()
    assert runner.run().result == "success"
    assert [line.split()[1:3] for line in runner.said("sudo")] == [
        ["apt-get", "update"],
        ["apt-get", "install"],
    ]
    assert len(runner.said("apt-get")) == 2


def test_root_needs_no_sudo(runner: Runner) -> None:
    runner.put_all(user=0)
    (runner.bin / "cc").unlink()
    assert runner.run().result == "success"
    assert len(runner.said("apt-get")) == 2


def test_the_stand_in_hides_the_real_one(runner: Runner) -> None:
    assert shutil.which("python3") == str(runner.bin / "python3") != sys.executable
