"""A module of ours in the place of an installed package's, and the proof that it ran."""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from carry import process
from carry.fingerprints import fingerprint, functions
from stride.engine.device import TOOLS
from stride.engine.served import MODULE
from stride.oracle import MANAGER_CLASS, SEARCH

TEXT = f"""
class {MANAGER_CLASS}:
    @classmethod
    def {SEARCH}(cls):
        return "{{}}"
"""
SERVE = f"""
import json, sys
from pathlib import Path
from stride.engine import served
served.serve(Path(sys.argv[1]), sys.argv[2])
from {MODULE} import {MANAGER_CLASS}
found = {MANAGER_CLASS}.{SEARCH}()
print(json.dumps([found, *served.what_ran(served.search())]))
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """An installed package with a manager module of its own."""
    file = tmp_path / "site" / (MODULE.replace(".", "/") + ".py")
    file.parent.mkdir(parents=True)
    for folder in file.relative_to(tmp_path / "site").parents[:-1]:
        (tmp_path / "site" / folder / "__init__.py").touch()
    file.write_text(TEXT.format("installed"))
    return tmp_path / "site"


def run(package: Path, code: str, *words: str) -> process.Finished:
    environment = {"PYTHONPATH": f"{package}:{TOOLS}"}
    return process.run([sys.executable, "-c", code, *words], cwd=package, env=environment)


def test_ours_runs_and_can_be_told(package: Path, tmp_path: Path) -> None:
    ours = tmp_path / "ours.py"
    ours.write_text(TEXT.format("ours"))
    digest = sha256(ours.read_bytes()).hexdigest()
    done = run(package, SERVE, str(ours), digest)
    text = functions(ours.read_text())[f"{MANAGER_CLASS}.{SEARCH}"]
    assert json.loads(done.stdout) == ["ours", digest, fingerprint(text)]
    installed = package / (MODULE.replace(".", "/") + ".py")
    assert installed.read_text() == TEXT.format("installed")


def test_a_file_that_was_changed_since_is_not_served(package: Path, tmp_path: Path) -> None:
    ours = tmp_path / "ours.py"
    ours.write_text(TEXT.format("ours"))
    done = run(package, SERVE, str(ours), "0" * 64)
    assert done.code and "is not what was written there" in done.stderr


def test_it_is_too_late_once_the_module_is_there(package: Path, tmp_path: Path) -> None:
    ours = tmp_path / "ours.py"
    ours.write_text(TEXT.format("ours"))
    digest = sha256(ours.read_bytes()).hexdigest()
    done = run(package, f"import {MODULE}\n{SERVE}", str(ours), digest)
    assert done.code and "is imported already" in done.stderr
