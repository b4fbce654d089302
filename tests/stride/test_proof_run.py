"""A run from end to end, with a stand-in for Lean: what is kept of it and what is shown."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from filelock import FileLock

from carry import evidence
from carry.errors import UserError
from stride.oracle import Oracle
from stride.proof import run as proof_run
from stride.proof.bridge import Way
from stride.proof.check import REQUIRED, ProofError
from stride.proof.command import prove_command
from stride.proof.lean_find import NoLeanError
from stride.proof.lean_project import FOLDER, MODEL, modules
from stride.proof.lean_run import Lean, Message
from stride.proof.run import Places, prove

ROOT = Path(__file__).parents[2]
ERROR = Message("LeanPrefixCache/Cost.lean", 12, 4, "error", "unsolved goals\n⊢ False")


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    subject = {"series": "1", "base": "0.31.0", "commit": "2", "tree": "3"}
    monkeypatch.setenv(evidence.SUBJECT, json.dumps(subject))
    shutil.copytree(ROOT / FOLDER, tmp_path / FOLDER)
    vectors = Path("tests/stride/vectors.json")
    (tmp_path / vectors).parent.mkdir(parents=True)
    shutil.copy(ROOT / vectors, tmp_path / vectors)
    return Places(tmp_path)


class StandIn(Lean):
    """Finds nothing wrong, or what it is told to in the file it is told."""

    def run(self, file: str, **_: bool) -> list[Message]:
        if file == "Axioms.lean":
            granted = [f"granted PrefixCache.{name}: propext@Init.Core" for name in REQUIRED]
            return [Message(file, 1, 0, "information", f'"{text}"') for text in granted]
        return [ERROR] if file == self.name else []


def _use(monkeypatch: pytest.MonkeyPatch, places: Places, fails: str = "") -> None:
    lean = StandIn(fails, (), places.root, {}, sees_library=False, is_native=False)
    monkeypatch.setattr(proof_run, "find", lambda *_: lean)


def _unused() -> Oracle:
    raise AssertionError("the trees are not loaded")


def _kept(places: Places) -> Any:
    record = evidence.read(places.root, "proof")
    assert record is not None
    assert (record.subject.series, record.command) == ("1", "nox -s prove")
    return record.result


def test_a_run_without_lean_is_skipped_and_kept(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(*_: object) -> Lean:
        raise NoLeanError("npm fails")

    monkeypatch.setattr(proof_run, "find", find)
    assert prove(places, _unused, print).outcome == "skipped"
    kept = _kept(places)
    assert (kept["outcome"], kept["proof"], kept["bridge"]) == ("skipped", None, None)
    assert "install elan" in kept["problem"]
    assert _command(places).output == f"skipped: {kept['problem']}\n"


def test_a_failed_proof_is_shown_and_kept(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    _use(monkeypatch, places, fails="LeanPrefixCache/Cost.lean")
    done = _command(places)
    assert isinstance(done.exception, ProofError)
    assert f"{FOLDER}/LeanPrefixCache/Cost.lean:12:4: error: unsolved goals\n⊢ False" in done.output
    assert (_kept(places)["outcome"], _kept(places)["proof"]) == ("failed", None)
    assert "unsolved goals" in _kept(places)["problem"]


def test_a_whole_run_is_kept(
    places: Places, oracle: Oracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    _use(monkeypatch, places)
    ways = [Way("C", 1_017), Way("Lean", 1_017)]
    monkeypatch.setattr(proof_run, "_compiled", lambda *_: ways[0])
    monkeypatch.setattr(proof_run, "_interpreted", lambda *_: ways[1])
    prove(places, lambda: oracle, print)
    kept = _kept(places)
    assert (kept["outcome"], kept["problem"]) == ("passed", "")
    assert set(kept["proof"]["files"]) == {one.file for one in modules(places.project)}
    assert [one["name"] for one in kept["proof"]["theorems"]] == list(REQUIRED)
    assert kept["proof"]["theorems"][0]["axioms"] == ["propext"]
    assert "does not carry" in kept["proof"]["axioms_followed"]
    assert [way["agreed"] for way in kept["bridge"]["ways"]] == [1_017, 1_017]
    assert kept["bridge"]["random"] == 1_000
    assert kept["bridge"]["trees"]["base"] != kept["bridge"]["trees"]["patched"]


def test_a_word_that_is_not_allowed_fails_before_lean_sees_it(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    _use(monkeypatch, places)
    model = places.project / (MODEL.replace(".", "/") + ".lean")
    model.write_text(model.read_text().replace("def cached", "partial def cached"))
    with pytest.raises(UserError, match="the word partial is not allowed"):
        prove(places, _unused, print)


def test_two_runs_do_not_share_a_folder(places: Places) -> None:
    places.cache.mkdir(parents=True)
    with (
        FileLock(places.cache / "run.lock"),
        pytest.raises(UserError, match="the proof is run already"),
    ):
        prove(places, _unused, print)


def _command(places: Places) -> Result:
    trees = ["--base", str(places.root), "--patched", str(places.root)]
    return CliRunner().invoke(prove_command, ["--root", str(places.root), *trees])


def test_a_run_that_is_bound_to_no_series_does_not_begin(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(evidence.SUBJECT)
    with pytest.raises(UserError, match="start it through its nox session"):
        prove(places, _unused, print)
