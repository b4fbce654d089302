"""What each theorem takes for granted, as Lean itself follows it down."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from carry.errors import UserError
from stride.proof.lean_project import ROOT_MODULE, Module, Theorem
from stride.proof.lean_run import Lean

#: The axioms that ordinary mathematics in Lean rests on.
ALLOWED = ("propext", "Classical.choice", "Quot.sound")
#: Lean's other axioms: a gap in a proof, or trust in the compiler.
_REFUSED = ("sorryAx", "lcProof", "Lean.ofReduceBool", "Lean.ofReduceNat", "Lean.trustCompiler")

_QUESTIONS = Path(__file__).with_name("lean_axioms.lean")
_FILE = "Axioms.lean"


@dataclass(frozen=True)
class Axioms:
    """What was found out about the theorems.

    Attributes:
        version: Lean's own words on its version.
        of: By theorem, the axioms its proof rests on.
        library: Theorems of Lean's own library that the proofs use and whose own proofs this
            Lean does not have; 0 where it has them.
    """

    version: str
    of: dict[str, list[str]]
    library: int


def axioms(lean: Lean, project: list[Module], theorems: list[Theorem]) -> Axioms:
    """Ask Lean for the axioms of the theorems; the project must be checked already.

    Raises:
        UserError: A theorem is missing, or rests on what it may not rest on.
    """
    (lean.workspace / _FILE).write_text(_questions(lean, project, theorems), encoding="utf-8")
    said = [message.text.strip('"') for message in lean.run(_FILE)]
    version = next((one.removeprefix("version ") for one in said if one.startswith("version ")), "")
    found: dict[str, list[str]] = {}
    library: set[str] = set()
    for theorem in theorems:
        start = f"granted PrefixCache.{theorem.name}:"
        answer = next((one.removeprefix(start) for one in said if one.startswith(start)), None)
        if answer is None:
            raise UserError(f"Lean gives no axioms for {theorem.name}: {' '.join(said)[:500]}")
        found[theorem.name], taken = _sorted(lean, theorem.name, answer.split())
        library |= taken
    return Axioms(version, found, len(library))


def _questions(lean: Lean, project: list[Module], theorems: list[Theorem]) -> str:
    imports = [f"import {ROOT_MODULE}"]
    if not lean.sees_library:  # takes every file for a `module`, which sees no proofs unasked
        imports = ["module", *(f"import all {module.name}" for module in project)]
    questions = [f"#eval answer `PrefixCache.{theorem.name}" for theorem in theorems]
    return "\n".join([*imports, _QUESTIONS.read_text(encoding="utf-8"), *questions, ""])


def _sorted(lean: Lean, theorem: str, granted: list[str]) -> tuple[list[str], set[str]]:
    """Tell axioms from theorems of the library, and refuse everything else."""
    axioms, library = [], set()
    for name, _, module in (one.partition("@") for one in granted):
        root = module.partition(".")[0]
        if name in ALLOWED:
            axioms.append(name)
        elif lean.sees_library or name in _REFUSED or root not in ("Init", "Std", "Lean"):
            raise UserError(
                f"{theorem} rests on {name}, which is not proved",
                hint=f"a proof may rest on {', '.join(ALLOWED)} and nothing else",
            )
        else:
            library.add(name)
    return sorted(axioms), library
