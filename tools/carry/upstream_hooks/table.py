"""The table that says which package has a hook, for where its repository is out of reach.

A hook's repository has a manifest: how the hook is started, and on which files. Its package
on the Python or npm index has none, so the table holds what the manifest says. The version
is upstream's to name; it is written here only where upstream names a bare commit id.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from carry.errors import UserError
from carry.upstream_hooks.configuration import Hook


class Package(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The package that has the hooks of a repository.

    Attributes:
        repository: The repository's address, as upstream's file has it.
        requirement: What is installed, with a place for `{version}`.
        hooks: What the manifest says of each hook, by id.
        version: A pattern whose only group is the version, for the revision's tag.
        versions: Versions by commit id, for revisions that upstream names no tag of.
    """

    repository: str
    requirement: str
    hooks: dict[str, dict[str, Any]]
    version: str = "v?(.+)"
    versions: dict[str, str] = {}

    def version_of(self, hook: Hook) -> str:
        """The version that upstream's file asks for, "" where that cannot be told."""
        if hook.revision in self.versions:
            return self.versions[hook.revision]
        found = re.fullmatch(self.version, hook.version)
        return found[1] if found else ""


class Interpreter(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """Hooks, by a pattern for their ids, that look at the Python which their entry names.

    `entry` is a pattern whose only group is the version.
    """

    hooks: str
    entry: str


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The whole table; `notes` are the ids of hooks that print a hint and check nothing."""

    notes: tuple[str, ...] = ()
    packages: tuple[Package, ...] = ()
    interpreters: tuple[Interpreter, ...] = ()

    def package(self, hook: Hook) -> Package | None:
        """The package that has a hook; None when the table knows none."""
        mine = (each for each in self.packages if each.repository == hook.repository)
        return next((each for each in mine if hook.keys["id"] in each.hooks), None)

    def python_of(self, hook: Hook) -> str:
        """The version of Python that a hook looks at, "" if it looks at none."""
        entry = str(hook.keys.get("entry", ""))
        for each in self.interpreters:
            found = re.search(each.entry, entry) if re.fullmatch(each.hooks, hook.id) else None
            if found:
                return found[1]
        return ""


def load(root: Path, file: str) -> Table:
    """Read the table; it is empty where no file is named.

    Raises:
        UserError: The file is missing or wrong.
    """
    if not file:
        return Table()
    path = root / file
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Table)
    except FileNotFoundError as error:
        raise UserError(f"there is no {path}", hint="mend [tool.carry.hooks] table") from error
    except msgspec.MsgspecError as error:
        raise UserError(f"{path}: {error}", hint="mend it") from error
