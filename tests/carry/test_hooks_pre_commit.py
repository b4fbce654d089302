from __future__ import annotations

from pathlib import Path

import pytest

from carry.process import Finished
from carry.upstream_hooks.pre_commit import cause

from .hooked import local, tried

PIP = """\
An unexpected error has occurred: CalledProcessError: command: ('python', '-mpip', 'install')
return code: 1
stdout: (none)
stderr:
    ERROR: Could not find a version that satisfies the requirement nowhere==1
    ERROR: No matching distribution found for nowhere==1
Check the log at /home/ada/pre-commit.log
"""
BUILD = """\
An unexpected error has occurred: CalledProcessError: command: ('python', '-mpip', 'install')
stderr:
      error: subprocess-exited-with-error
          error: <urlopen error [Errno -2] Name or service not known>
    error: failed-wheel-build-for-install
"""
NPM = """\
    npm error code E404
    npm error 404 Not Found - GET https://example.invalid/nowhere
    npm error A complete log of this run can be found in: x
"""
INVALID = """\
An error has occurred: InvalidConfigError:
==> File x.json
==> At key: language
=====> Expected one of conda, coursier but got: 'klingon'
Check the log at /home/ada/pre-commit.log
"""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (PIP, "No matching distribution found for nowhere==1"),
        (BUILD, "<urlopen error [Errno -2] Name or service not known>"),
        (NPM, "404 Not Found - GET https://example.invalid/nowhere"),
        (INVALID, "Expected one of conda, coursier but got: 'klingon'"),
        ("[ERROR] `x` is not present in repository y.\n", "`x` is not present in repository y."),
        ("fatal: unable to access 'x'\n", "unable to access 'x'"),
        ("what now\n", "what now"),
        ("", "it ended with 3"),
    ],
)
def test_the_cause_is_one_line(text: str, says: str) -> None:
    assert cause(Finished(3, text, "")) == says


def test_what_the_user_set_for_himself_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "user"
    home.mkdir()
    (home / ".gitconfig").write_text("[user]\n\tname = Somebody Else\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("SKIP", "look")
    monkeypatch.setenv("PRE_COMMIT_HOME", str(home / "cache"))
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    where = tried(tmp_path / "tried", {"yaml.py": "raise ImportError\n"})
    hook = local(id="look", entry="sh -c 'git config user.name || echo nobody; exit 1'")
    file = where.program.configuration("one", [hook])
    finished = where.program.call("run", "--config", file, "--files", *where.files)
    assert finished.code == 1
    assert "nobody" in finished.stdout
    assert "Somebody" not in finished.stdout
    assert not (home / "cache").exists()
    assert (tmp_path / "tried" / "home" / "db.db").is_file()
