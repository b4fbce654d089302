"""The Lean project: its modules in the order of their imports, and what their text says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from carry.errors import UserError

#: The folder of the project in this repository, and its topmost module.
FOLDER = "lean_prefix_cache"
ROOT_MODULE = "LeanPrefixCache"
#: The module that is run and compiled; it imports no other.
MODEL = "LeanPrefixCache.Model"

_IMPORT = re.compile(rf"^(?:public )?import ({ROOT_MODULE}\S*)$", re.MULTILINE)
_THEOREM = re.compile(r"^theorem (\w+)(.*?) :=", re.MULTILINE | re.DOTALL)
#: What would let something pass that is not proved, or that is not what is run.
_FORBIDDEN = re.compile(
    r"\b(sorry|admit|axiom|native_decide|ofReduceBool|implemented_by|extern|csimp|unsafe|partial"
    r"|opaque|set_option|noncomputable|macro|elab|syntax|notation|run_cmd|initialize)\b"
)


@dataclass(frozen=True)
class Module:
    """One file of the project."""

    name: str
    text: str

    @property
    def file(self) -> str:
        """Its path below the project's folder."""
        return self.name.replace(".", "/") + ".lean"

    @property
    def hash(self) -> str:
        """The SHA-256 of its text."""
        return sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True)
class Theorem:
    """A theorem as the source states it."""

    name: str
    statement: str


def modules(folder: Path) -> list[Module]:
    """Every module that the topmost one needs, each after those it imports.

    Args:
        folder: The project's folder.

    Raises:
        UserError: A module is missing, or a file of the folder belongs to none.
    """
    found: dict[str, Module] = {}
    _collect(folder, ROOT_MODULE, found)
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*.lean")}
    if unused := sorted(files - {module.file for module in found.values()}):
        raise UserError(
            f"{FOLDER}/{unused[0]} is imported by nothing, so it would not be checked",
            hint=f"import it, directly or not, from {ROOT_MODULE}.lean, or remove it",
        )
    return list(found.values())


def _collect(folder: Path, name: str, found: dict[str, Module]) -> None:
    module = Module(name, _read(folder, name))
    for needed in _IMPORT.findall(module.text):
        if needed not in found:
            _collect(folder, needed, found)
    found[name] = module


def _read(folder: Path, name: str) -> str:
    file = folder / (name.replace(".", "/") + ".lean")
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(
            f"cannot read {file}: {error.strerror}", hint=f"restore it: git checkout -- {FOLDER}"
        ) from error


def require_honest(found: list[Module]) -> None:
    """Refuse whatever could make Lean accept what is not proved.

    Raises:
        UserError: Names the file, the line and the word.
    """
    for module in found:
        if match := _FORBIDDEN.search(module.text):
            line = module.text.count("\n", 0, match.start()) + 1
            raise UserError(
                f"{FOLDER}/{module.file}:{line}: the word {match[0]} is not allowed here",
                hint="a proof must need nothing but Lean's kernel",
            )


def theorems(module: Module) -> list[Theorem]:
    """The theorems of a module with their statements, on one line each."""
    return [
        Theorem(name, " ".join(statement.split()))
        for name, statement in _THEOREM.findall(module.text)
    ]
