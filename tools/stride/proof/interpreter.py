"""The model as Lean's own interpreter runs it, on all cases in one go."""

from __future__ import annotations

from carry.errors import UserError
from stride.case import Case
from stride.proof.lean_project import MODEL, Module
from stride.proof.lean_run import Lean

_FILE = "Interpreted.lean"
#: A case is one natural: this many bits for each number, those of the cache last.
_BITS = 32

_HARNESS = """
namespace PrefixCache.Interpreted

def field (word place : Nat) : Nat :=
  word / 2 ^ (place * 32) % 2 ^ 32

def cacheOf (bits : Nat) : Nat → Array Bool → Array Bool
  | 0, cache => cache
  | size + 1, cache => cacheOf (bits / 2) size (cache.push (bits % 2 == 1))

def spell : List Nat → String
  | [] => ";"
  | number :: rest => " " ++ Nat.repr number ++ spell rest

def answer (linear : Bool) (word : Nat) : String :=
  spell (run linear (cacheOf (word / 2 ^ 192) (field word 0) #[]) (field word 1) (field word 2)
    (field word 3) (field word 4) (field word 5 == 1))

def answers : List Nat → String
  | [] => ""
  | word :: rest => answer true word ++ answer false word ++ answers rest

end PrefixCache.Interpreted

"""
_CHUNK = 100


def interpret(lean: Lean, project: list[Module], cases: list[Case]) -> list[list[list[int]]]:
    """Run upstream's search and the patch's, as modelled, on every case.

    Returns:
        For each case what `run` gives for upstream's and for the patch's.

    Raises:
        UserError: Lean has an error.
    """
    model = next(module for module in project if module.name == MODEL)
    chunks = [cases[first : first + _CHUNK] for first in range(0, len(cases), _CHUNK)]
    calls = [f"#eval PrefixCache.Interpreted.answers [{', '.join(map(_word, c))}]" for c in chunks]
    text = model.text + _HARNESS + "\n".join([*calls, ""])
    (lean.workspace / _FILE).write_text(text, encoding="utf-8")
    messages = lean.run(_FILE)
    if bad := [one for one in messages if one.severity == "error"]:
        raise UserError(f"Lean cannot run the model: {bad[0]}", hint="mend the model")
    lines = [line for one in messages for line in one.text.strip('"').split(";") if line]
    numbers = [[int(word) for word in line.split()] for line in lines]
    if len(numbers) != 2 * len(cases):
        raise UserError(f"Lean ran {len(numbers)} of {2 * len(cases)} cases", hint="run it again")
    return [numbers[index : index + 2] for index in range(0, len(numbers), 2)]


def _word(case: Case) -> str:
    size = len(case.masks[0])
    fields = [
        size, case.blocks, case.needed, case.block_size, case.alignment_tokens, int(case.eagle),
        sum(case.is_cached(index) << index for index in range(size)),
    ]  # fmt: skip
    return str(sum(field << (place * _BITS) for place, field in enumerate(fields)))
