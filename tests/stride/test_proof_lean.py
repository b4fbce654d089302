"""A run of Lean, with a stand-in for Lean that says what it is told to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from carry.errors import UserError
from stride.proof.axioms import axioms
from stride.proof.check import REQUIRED, ProofError, check
from stride.proof.lean_project import FOLDER, Module, Theorem, modules
from stride.proof.lean_run import Lean

PROJECT = Path(__file__).parents[2] / FOLDER


def _message(text: str, severity: str = "information") -> str:
    return json.dumps(
        {"data": text, "fileName": "/workspace/A.lean", "pos": {"line": 3, "column": 4}}
        | {"severity": severity}
    )


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


def _lean(workspace: Path, *lines: str, code: int = 0, sees_library: bool = False) -> Lean:
    said = workspace.parent / "said"
    said.write_text("".join(f"{line}\n" for line in lines))
    program = workspace.parent / "lean"
    program.write_text(f'#!/bin/sh\necho "$@" >> {workspace}/asked\ncat {said}\nexit {code}\n')
    program.chmod(0o755)
    return Lean("stand-in", (program,), workspace, {}, sees_library, is_native=False)


def test_messages_are_read_among_other_output(workspace: Path) -> None:
    lean = _lean(workspace, "[DEBUG:A] argc=3", _message("no\ngoals", "error"), code=1)
    (message,) = lean.run("A.lean", olean=True, c=True)
    assert str(message) == "lean_prefix_cache/A.lean:3:4: error: no\ngoals"
    asked = (workspace / "asked").read_text()
    assert asked == "--json -o build/A.olean -c build/A.c A.lean\n"


def test_a_breakdown_keeps_a_log(workspace: Path) -> None:
    with pytest.raises(UserError, match=r"breaks down on .*A\.lean with exit code 7") as caught:
        _lean(workspace, "out of memory", code=7).run("A.lean")
    assert caught.value.log is not None
    assert caught.value.log.read_text() == "out of memory\n"


@pytest.mark.parametrize("severity", ["error", "warning"])
def test_an_error_or_a_warning_fails_the_proof(workspace: Path, severity: str) -> None:
    lean = _lean(workspace, _message("unsolved goals", severity), code=int(severity == "error"))
    with pytest.raises(ProofError, match=r"fails at lean_prefix_cache/A\.lean:3:4: unsolved goals"):
        check(lean, modules(PROJECT), print)


def test_a_missing_theorem_fails_the_proof(workspace: Path) -> None:
    *others, root = modules(PROJECT)
    text = root.text.replace("theorem strideSearch_rightmost", "theorem strideSearch_right")
    with pytest.raises(UserError, match="has no theorem strideSearch_rightmost"):
        check(_lean(workspace), [*others, Module(root.name, text)], print)


def test_all_theorems_come_back_with_their_statements(workspace: Path) -> None:
    said: list[str] = []
    stated = check(_lean(workspace), modules(PROJECT), said.append)
    assert tuple(theorem.name for theorem in stated) == REQUIRED
    assert all(theorem.statement for theorem in stated)
    assert len(said) == len(modules(PROJECT))


def _axioms(lean: Lean) -> object:
    return axioms(lean, [Module("A", "")], [Theorem("t", "")])


def test_axioms_are_told_from_theorems_of_the_library(workspace: Path) -> None:
    granted = "propext@Init.Core Nat.le_refl@Init.Prelude Quot.sound@Init.Core"
    answers = [_message('"version 4.28.0"'), _message(f'"granted PrefixCache.t: {granted}"')]
    found = axioms(_lean(workspace, *answers), [Module("A", "")], [Theorem("t", "")])
    assert found.of == {"t": ["Quot.sound", "propext"]}
    assert (found.version, found.library) == ("4.28.0", 1)
    with pytest.raises(UserError, match=r"t rests on Nat\.le_refl, which is not proved"):
        _axioms(_lean(workspace, *answers, sees_library=True))


@pytest.mark.parametrize("name", ["sorryAx@Init.Prelude", "PrefixCache.gap@LeanPrefixCache.Cost"])
def test_a_gap_is_refused(workspace: Path, name: str) -> None:
    lean = _lean(workspace, _message(f'"granted PrefixCache.t: propext@Init.Core {name}"'))
    with pytest.raises(UserError, match="which is not proved"):
        _axioms(lean)


def test_a_theorem_without_an_answer_is_refused(workspace: Path) -> None:
    with pytest.raises(UserError, match="Lean gives no axioms for t"):
        _axioms(_lean(workspace, _message("unknown constant", "error"), code=1))
