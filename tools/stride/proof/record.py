"""What came of a run of the proof: the result in evidence/proof.json."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import msgspec

from stride.oracle import MANAGER_FILE
from stride.proof.axioms import ALLOWED, Axioms
from stride.proof.bridge import Way
from stride.proof.lean_project import Module, Theorem


class ProvedTheorem(msgspec.Struct, frozen=True):
    """A theorem that Lean's kernel has checked."""

    name: str
    statement: str
    axioms: list[str]


class Proof(msgspec.Struct, frozen=True):
    """What Lean checked.

    Attributes:
        toolchain: What Lean it was and where it came from.
        lean: Lean's own words on its version.
        files: The SHA-256 of each file that was checked.
        theorems: What is proved.
        axioms_followed: How far down the axioms were followed.
    """

    toolchain: str
    lean: str
    files: dict[str, str]
    theorems: list[ProvedTheorem]
    axioms_followed: str


class Bridge(msgspec.Struct, frozen=True):
    """What the model was held against.

    Attributes:
        random: Random cases among those of each way.
        vectors: Cases from public reports among those of each way.
        trees: The SHA-256 of the file with the search, in the base tree and the patched one.
        ways: What ran the model, and on how many cases it agreed with both.
    """

    random: int
    vectors: int
    trees: dict[str, str]
    ways: list[Way]


class Result(msgspec.Struct, frozen=True):
    """The whole run.

    Attributes:
        outcome: passed, failed or skipped.
        problem: Why it did not pass.
        proof: None unless every theorem was checked.
        bridge: None unless every way that could run agreed.
    """

    outcome: str
    problem: str = ""
    proof: Proof | None = None
    bridge: Bridge | None = None


def proof(
    toolchain: str, sees_library: bool, files: list[Module], stated: list[Theorem], found: Axioms
) -> Proof:
    """Put together what Lean checked."""
    followed = f"all the way; allowed are {', '.join(ALLOWED)}"
    if not sees_library:
        followed = (
            f"through all proofs of this project, down to {found.library} theorems of Lean's own"
            " library, whose proofs the packaged Lean does not carry"
        )
    return Proof(
        toolchain=toolchain,
        lean=found.version,
        files={module.file: module.hash for module in files},
        theorems=[ProvedTheorem(one.name, one.statement, found.of[one.name]) for one in stated],
        axioms_followed=followed,
    )


def tree_hash(tree: Path) -> str:
    """The SHA-256 of the file of a tree that holds the search."""
    return sha256((tree / MANAGER_FILE).read_bytes()).hexdigest()
