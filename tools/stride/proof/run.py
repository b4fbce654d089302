"""The proof from end to end: find Lean, check, follow the axioms, hold against the code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from filelock import FileLock, Timeout

from carry import evidence
from carry.errors import UserError
from stride.case import Case
from stride.oracle import Oracle
from stride.proof import bridge, interpreter, library, record
from stride.proof.axioms import axioms
from stride.proof.bridge import Way
from stride.proof.check import check
from stride.proof.lean_download import Say
from stride.proof.lean_find import NoLeanError, find
from stride.proof.lean_project import FOLDER, Module, modules
from stride.proof.lean_run import Lean
from stride.proof.record import Bridge, Proof, Result
from stride.proof.vectors import read_vectors


@dataclass(frozen=True)
class Places:
    """Where things are in a repository."""

    root: Path

    @property
    def project(self) -> Path:
        """The Lean project."""
        return self.root / FOLDER

    @property
    def cache(self) -> Path:
        """Downloads and the copy that Lean works in."""
        return self.root / ".carry" / "lean"

    @property
    def vectors(self) -> Path:
        """The inputs from public reports."""
        return self.root / "tests" / "stride" / "vectors.json"


def prove(places: Places, trees: Callable[[], Oracle], say: Say) -> Result:
    """Run the whole of it and keep a record, whatever comes of it.

    Args:
        places: Where things are.
        trees: Loads both searches.
        say: Told what is being done.

    Raises:
        UserError: A proof fails, or the model is not what the code does.
    """
    started, subject = datetime.now(UTC), evidence.subject_from_environment()

    def keep(result: Result) -> Result:
        new = evidence.new(
            "proof",
            msgspec.to_builtins(result),
            command="nox -s prove",
            started=started,
            subject=subject,
        )
        evidence.write(places.root, new)
        return result

    with _alone(places.cache):
        try:
            return keep(Result("passed", "", *_prove(places, trees, say)))
        except NoLeanError as error:
            return keep(Result("skipped", error.line()))
        except UserError as error:
            keep(Result("failed", error.problem))
            raise


@contextmanager
def _alone(cache: Path) -> Iterator[None]:
    """Keep every other run out of the folder that Lean works in."""
    cache.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(cache / "run.lock", timeout=0):
            yield
    except Timeout as error:
        raise UserError("the proof is run already", hint="let it end, then try again") from error


def _prove(places: Places, trees: Callable[[], Oracle], say: Say) -> tuple[Proof, Bridge]:
    project = modules(places.project)
    lean = find(places.project, places.cache.resolve(), say)
    say(f"Lean: {lean.name}")
    stated = check(lean, project, say)
    found = axioms(lean, project, stated)
    say(f"axioms of {len(stated)} theorems: followed; Lean {found.version}")
    proof = record.proof(lean.name, lean.sees_library, project, stated, found)
    say("importing vllm")
    return proof, _bridge(lean, project, trees(), read_vectors(places.vectors), say)


def _bridge(
    lean: Lean, project: list[Module], oracle: Oracle, vectors: list[Case], say: Say
) -> Bridge:
    random = bridge.random_cases(oracle)
    cases = [*random, *vectors]
    ways = [_compiled(lean, oracle, cases), _interpreted(lean, project, oracle, cases)]
    for way in ways:
        say(f"model by {way.name}: {way.why_not or f'{way.agreed:,} of {len(cases):,} cases'}")
    trees = {"base": oracle.base.tree, "patched": oracle.patched.tree}
    hashes = {name: record.tree_hash(tree) for name, tree in trees.items()}
    return Bridge(len(random), len(vectors), hashes, ways)


def _compiled(lean: Lean, oracle: Oracle, cases: list[Case]) -> Way:
    runtime = "Lean's runtime" if lean.is_native else "this project's header"
    name = f"a C library over {runtime}"
    try:
        model = library.load(library.build(lean))
    except library.NoCompilerError as error:
        return Way(name, why_not=f"not run: {error.problem}")
    return bridge.by_library(oracle, model, cases, name)


def _interpreted(lean: Lean, project: list[Module], oracle: Oracle, cases: list[Case]) -> Way:
    def interpret(some: list[Case]) -> list[list[list[int]]]:
        return interpreter.interpret(lean, project, some)

    return bridge.by_interpreter(oracle, interpret, cases, "Lean's interpreter")
