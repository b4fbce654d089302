"""Hooks made ready for pre-commit: from their repositories, or from packages in their stead."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from carry.upstream_hooks.configuration import LOCAL, Hook
from carry.upstream_hooks.table import Package, Table

#: A language of pre-commit's that installs nothing and starts what is there.
AS_IT_IS = "system"


@dataclass(frozen=True)
class Prepared:
    """One hook as pre-commit is given it.

    Attributes:
        hook: As upstream has it.
        repository: Its entry in a configuration, without `hooks`.
        keys: The hook's keys in that entry.
        version: What is run.
        source: Where that comes from, for people.
        lacking: Why it cannot be run, "" if it can.
        python: The version of Python that it asks for packages, "" if it asks none.
    """

    hook: Hook
    repository: Mapping[str, str]
    keys: Mapping[str, Any]
    version: str
    source: str
    lacking: str = ""
    python: str = ""


def prepare(hook: Hook, table: Table, base: str, *, from_packages: bool) -> Prepared:
    """Make one hook ready.

    Args:
        hook: The hook.
        table: What is known of packages and interpreters.
        base: The name of the version that upstream's own hooks come from.
        from_packages: Take packages instead of repositories.
    """
    if hook.is_local:
        return Prepared(
            hook, {"repo": LOCAL}, hook.keys, base, "upstream's tree",
            _missing_npm(hook.keys), table.python_of(hook),
        )  # fmt: skip
    if not from_packages:
        repository = {"repo": hook.repository, "rev": hook.revision}
        version = hook.version or hook.revision
        return Prepared(hook, repository, hook.keys, version, hook.repository)
    package = table.package(hook)
    if package is None:
        return _unavailable(hook, f"no package for {hook.keys['id']} of {hook.repository}")
    version = package.version_of(hook)
    if not version:
        return _unavailable(hook, f"no version is known of {hook.repository} at {hook.revision}")
    return _localised(hook, package, version)


def _localised(hook: Hook, package: Package, version: str) -> Prepared:
    """The hook as one of upstream's own, that needs a package."""
    requirement = package.requirement.format(version=version)
    keys = {"name": hook.name, **package.hooks[hook.keys["id"]], **hook.keys}
    keys["additional_dependencies"] = [requirement, *keys.get("additional_dependencies", ())]
    if keys["language"] == "node":
        # Any other would be downloaded from where no package index is.
        keys["language_version"] = "system"
    return Prepared(hook, {"repo": LOCAL}, keys, version, requirement, _missing_npm(keys))


def _unavailable(hook: Hook, reason: str) -> Prepared:
    """The hook with nothing behind it: good for seeing whether it would have files."""
    keys = {"name": hook.name, **hook.keys, "language": AS_IT_IS, "entry": "false"}
    version = hook.version or hook.revision
    return Prepared(hook, {"repo": LOCAL}, keys, version, hook.repository, reason)


def _missing_npm(keys: Mapping[str, Any]) -> str:
    missing = [name for name in ("node", "npm") if not shutil.which(name)]
    return f"{missing[-1]} is not installed" if missing and keys.get("language") == "node" else ""
