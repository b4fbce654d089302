"""Upstream's `.pre-commit-config.yaml`: which hooks there are, in the words of that file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from carry.errors import UserError

FILE = ".pre-commit-config.yaml"
LOCAL = "local"
_COMMIT = re.compile(r"[0-9a-f]{40}")


class _Repository(msgspec.Struct, frozen=True):
    repo: str
    hooks: tuple[dict[str, Any], ...]
    rev: str = ""


class _File(msgspec.Struct, frozen=True):
    repos: tuple[_Repository, ...]


@dataclass(frozen=True)
class Hook:
    """One hook as upstream names it.

    Attributes:
        repository: Where it comes from: an address, or `local` for upstream's own tree.
        revision: The repository's revision.
        version: What the file says of the revision: a tag, or the comment beside a commit id;
            "" where it says nothing.
        keys: The hook's own keys.
    """

    repository: str
    revision: str
    version: str
    keys: Mapping[str, Any]

    @property
    def is_local(self) -> bool:
        """Whether it is upstream's own."""
        return self.repository == LOCAL

    @property
    def id(self) -> str:
        """What it is called on pre-commit's command line."""
        return str(self.keys.get("alias") or self.keys["id"])

    @property
    def name(self) -> str:
        """What people read."""
        return str(self.keys.get("name") or self.id)


@dataclass(frozen=True)
class Configuration:
    """The whole file: its settings, and its hooks in order."""

    settings: Mapping[str, Any]
    hooks: tuple[Hook, ...]


def read(text: str) -> Configuration:
    """Take the file apart.

    Raises:
        UserError: It does not parse, or is not what pre-commit takes.
    """
    try:
        whole = msgspec.yaml.decode(text, type=dict[str, Any])
        repositories = msgspec.convert(whole, _File).repos
    except msgspec.MsgspecError as error:
        raise UserError(
            f"upstream's {FILE} cannot be read: {error}",
            hint="it is upstream's to mend; a rebase onto a later version may help",
        ) from error
    hooks = [
        Hook(each.repo, each.rev, _version(text, each.rev), keys)
        for each in repositories
        for keys in each.hooks
    ]
    if any(not isinstance(hook.keys.get("id"), str) for hook in hooks):
        raise UserError(f"upstream's {FILE} has a hook without an id", hint="no hook can be run")
    settings = {name: value for name, value in whole.items() if name != "repos"}
    return Configuration(settings, tuple(hooks))


def _version(text: str, revision: str) -> str:
    """The tag that a revision is, or the one that is named beside a commit id."""
    if not _COMMIT.fullmatch(revision):
        return revision
    beside = re.search(rf"rev: *['\"]?{revision}['\"]? *# *(?:frozen: *)?(\S+)", text)
    return beside[1] if beside else ""
