"""Let Lean check the project, file by file."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from carry.errors import UserError
from stride.proof.lean_project import (
    FOLDER,
    MODEL,
    ROOT_MODULE,
    Module,
    Theorem,
    require_honest,
    theorems,
)
from stride.proof.lean_run import Lean, Message

#: What must be proved.
REQUIRED = (
    "strideSearch_sound",
    "strideSearch_boundary_safety",
    "prefixFallback_correct",
    "strideSearch_rightmost",
    "strideSearch_eq_linearScan",
    "strideSearch_probes_nodup",
    "strideSearch_probes_le_linearScan",
    "strideSearch_probes_bound",
    "strideSearch_probes_empty",
    "probes_empty_optimal",
)


class ProofError(UserError):
    """Lean refuses a file of the project, or warns of something in it."""

    def __init__(self, messages: list[Message]) -> None:
        self.messages = messages
        first = messages[0]
        super().__init__(
            f"the proof fails at {first.where}: {first.text}",
            hint=f"{len(messages)} in all; mend them in {FOLDER}/",
        )


def check(lean: Lean, project: list[Module], say: Callable[[str], None]) -> list[Theorem]:
    """Check every module, and compile the model to C.

    Returns:
        The required theorems as they are stated.

    Raises:
        ProofError: Lean has an error or a warning.
        UserError: A required theorem is missing, or a word that is not allowed is there.
    """
    require_honest(project)
    stated = _required(project)
    for module in project:
        start = monotonic()
        messages = lean.run(module.file, olean=True, c=module.name == MODEL)
        if bad := [one for one in messages if one.severity != "information"]:
            raise ProofError(bad)
        say(f"{module.name}: checked, {monotonic() - start:.0f} s")
    return stated


def _required(project: list[Module]) -> list[Theorem]:
    root = next(module for module in project if module.name == ROOT_MODULE)
    stated = {theorem.name: theorem for theorem in theorems(root)}
    if missing := [name for name in REQUIRED if name not in stated]:
        raise UserError(
            f"{FOLDER}/{root.file} has no theorem {missing[0]}",
            hint="it is one of the ten that are claimed: bring it back",
        )
    return [stated[name] for name in REQUIRED]
