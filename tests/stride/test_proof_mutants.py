"""Lean refuses the proof when a comparison of the model is changed or a hypothesis dropped.

Takes Lean itself, so it runs where `STRIDE_LEAN_CACHE` names the folder of `nox -s prove`.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from stride.proof.lean_find import find
from stride.proof.lean_project import FOLDER, modules

from .. import needs
from .proof_mutants import Mutant, combine

PROJECT = Path(__file__).parents[2] / FOLDER

#: Nothing is changed in these: the copies themselves must be right.
UNCHANGED = [
    Mutant("strideLoop"),
    Mutant("linearLoop"),
    Mutant("alignDown", whole=True),
    Mutant("strideSearch_eq_linearScan"),
]
COMPARISONS = [
    Mutant("strideLoop", "if 0 < e then", "if 1 < e then"),
    Mutant("strideLoop", "if s = 0 then", "if s = 1 then"),
    Mutant("strideLoop", "strideLoop q s e'", "strideLoop q known e'"),
    Mutant("strideLoop", "q.alignDown rest.i", "rest.i"),
    Mutant("strideLoop", "e - q.stride", "e - q.window"),
    Mutant("strideScan", "q.alignDown q.blocks", "q.blocks"),
    Mutant("Query.rest", "q.step < q.window", "q.window < q.step", whole=True),
    Mutant("Query.rest", "then known else e", "then e else known", whole=True),
    Mutant("Query.found", "decide (e < q.window)", "decide (e ≤ q.window)", whole=True),
    Mutant("stride", "(q.step - q.window % q.step) % q.step", "q.step", whole=True),
    Mutant("linearLoop", "count + 1 ≥ q.needed", "count + 1 > q.needed"),
    Mutant("linearLoop", "if count = 0 ∧ q.skips i then", "if q.skips i then"),
    Mutant("linearLoop", "(linearLoop q i 0).after i", "(linearLoop q i count).after i"),
    Mutant("alignDown", "i + q.step - q.drop", "i + q.step", whole=True),
    Mutant("Query.skips", "% q.alignment ≠ 0", "% q.alignment = 0", whole=True),
]
HYPOTHESES = [
    Mutant("strideSearch_sound", " (ha : 0 < q.alignment)"),
    Mutant("strideSearch_sound", "\n    (found : strideSearch q = some (s, e))"),
    Mutant("strideSearch_boundary_safety", " (ha : 0 < q.alignment)"),
    Mutant("strideSearch_rightmost", " (ha : 0 < q.alignment)"),
    Mutant("prefixFallback_correct", " (short : e < q.window)"),
    Mutant("strideSearch_eq_linearScan", " (ha : 0 < q.alignment)"),
    Mutant("strideSearch_probes_le_linearScan", " (ha : 0 < q.alignment)"),
    Mutant("strideSearch_probes_empty", " (empty : Empty q)"),
    Mutant("probes_empty_optimal", " (every : EveryEndAligned q)"),
    Mutant("probes_empty_optimal", "\n    (refutes : Refutes q probes)"),
]


def test_lean_refuses_every_mutant_and_no_plain_copy() -> None:
    cache = os.environ.get("STRIDE_LEAN_CACHE")
    if not cache:
        needs.skip("no Lean", "nox -s prove -- --mutants")
    mutants = [*UNCHANGED, *COMPARISONS, *HYPOTHESES]
    combined = combine(modules(PROJECT), mutants)
    lean = find(PROJECT, Path(cache).resolve(), print, "mutants")
    lean = replace(lean, command=(*lean.command, "-DmaxErrors=1000000"))  # a hundred by itself
    (lean.workspace / "Mutants.lean").write_text(combined.text)
    errors = [one for one in lean.run("Mutants.lean") if one.severity == "error"]
    wrong = {combined.copy_at(error.line) for error in errors}
    survivors = [str(mutant) for number, mutant in enumerate(mutants) if number not in wrong]
    assert survivors == [str(mutant) for mutant in UNCHANGED], "\n".join(map(str, errors[:20]))
    assert -1 not in wrong
