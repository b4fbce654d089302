"""patches/manifest.toml: what each patch is for and what it was made against."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import tomlkit

from carry.errors import UserError

FILE = "manifest.toml"


class BaseEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The base the series applies to.

    `commit` is upstream's id, or its beginning where no more is known (a rehearsal).
    """

    version: str = ""
    commit: str = ""

    @property
    def wanted(self) -> str:
        """What to ask a source for."""
        return self.version or self.commit

    @property
    def rehearsal(self) -> bool:
        """Whether the full commit id is not known, so that no pin can name it."""
        return len(self.commit) < 40


class PatchEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """What is said of one patch; `functions` maps `path::name` to a fingerprint."""

    file: str
    why: str = ""
    upstream_pr: str = ""
    drop_when: str = ""
    functions: dict[str, str] = {}


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    schema: int
    base: BaseEntry
    patch: tuple[PatchEntry, ...] = ()

    def entry(self, file: str) -> PatchEntry | None:
        """The entry of a patch file."""
        return next((entry for entry in self.patch if entry.file == file), None)

    def faults(self, listed: Sequence[str]) -> list[str]:
        """What is wrong between this file and the series' list, in words."""
        files = [entry.file for entry in self.patch]
        faults = [f"{FILE} has no entry for {name}" for name in listed if name not in files]
        faults += [f"{FILE} names {name}, which the series lacks" for name in files
                   if name not in listed]  # fmt: skip
        faults += [f"{FILE} names {name} twice" for number, name in enumerate(files)
                   if name in files[:number]]  # fmt: skip
        faults += [
            f"{FILE}: {key} of {entry.file} is empty"
            for entry in self.patch
            for key, value in (("why", entry.why), ("drop-when", entry.drop_when))
            if not value.strip()
        ]
        return faults


@dataclass(frozen=True)
class Carried:
    """A patch after a move: its new file, the file it had before, what it touches now."""

    file: str
    was: str | None
    why: str
    functions: Mapping[str, str]


def read(folder: Path) -> Manifest:
    """The manifest of a series.

    Raises:
        UserError: It is missing, does not parse, or has a key that is missing or unknown.
    """
    file = folder / FILE
    try:
        return parse(file.read_text("utf-8"))
    except FileNotFoundError as error:
        raise UserError(
            f"{file} is missing", hint=f"restore it with: git checkout -- {folder.name}/{FILE}"
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{file} is no valid TOML: {error}", hint="mend it") from error
    except msgspec.ValidationError as error:
        raise UserError(f"{file}: {error}", hint="mend that key") from error


def parse(text: str) -> Manifest:
    """The manifest that a text holds; raises what tomllib and msgspec raise."""
    return msgspec.convert(tomllib.loads(text), Manifest)


def render(old: str, base: BaseEntry, carried: Sequence[Carried]) -> str:
    """The manifest's new text: what people wrote of each patch stays, comments too."""
    document = tomlkit.parse(old)
    _update(document["base"], {"version": base.version, "commit": base.commit})
    known: dict[str, Any] = {str(entry["file"]): entry for entry in document.get("patch", [])}
    entries = [_entry(known.get(patch.was or ""), patch) for patch in carried]
    if [patch.was for patch in carried] != list(known):
        document["patch"] = tomlkit.aot()
        for entry in entries:
            document["patch"].append(entry)
    return tomlkit.dumps(document).rstrip() + "\n"


def _entry(present: Any, patch: Carried) -> Any:
    entry = present
    if entry is None:
        entry = tomlkit.table()
        _update(entry, {"file": patch.file, "why": patch.why, "upstream-pr": "", "drop-when": ""})
    _update(entry, {"file": patch.file})
    if dict(entry.get("functions", {})) != dict(patch.functions):
        entry["functions"] = tomlkit.table()
        _update(entry["functions"], patch.functions)
    return entry


def _update(table: Any, values: Mapping[str, str]) -> None:
    """Set what differs; what is the same keeps its place, its form and its comments."""
    for key, value in values.items():
        if table.get(key) != value:
            table[key] = value
