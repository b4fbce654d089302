"""What was published last: the lease of the next push, and the old side of its range-diff."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import msgspec

from carry import evidence, fork, git, sources
from carry.config import Config
from carry.errors import UserError
from carry.evidence import Subject
from carry.workspace import REFS

KIND = "published"
COMMAND = "nox -s pr -- --open --yes"
#: Holds the published commit in the store; a range-diff needs it.
REF = f"{REFS}/published"


class Published(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One version of the series on the contributor's fork.

    Attributes:
        fork: The fork's address.
        branch: The branch there.
        commit: The last commit of the series.
        base: The upstream commit below the series.
        repository: Where the pull request is.
        number: Its number; 0 until there is one.
        url: Its address.
        text: The SHA-256 of its title and text as they were last sent; empty until they were.
    """

    fork: str
    branch: str
    commit: str
    base: str
    repository: str
    number: int = 0
    url: str = ""
    text: str = ""


def file(config: Config) -> Path:
    """The record's file, as seen from the root."""
    return evidence.path(config.root, KIND).relative_to(config.root)


def last(config: Config) -> Published | None:
    """What was published last; None where nothing was.

    Raises:
        UserError: The record is none.
    """
    record = evidence.read(config.root, KIND)
    if record is None:
        return None
    try:
        return msgspec.convert(record.result, Published)
    except msgspec.ValidationError as error:
        raise UserError(
            f"{file(config)} cannot be read: {error}",
            hint=f"restore it: git checkout -- {file(config)}",
        ) from error


def record(config: Config, now: Subject, published: Published) -> None:
    """Write down what stands on the fork now, and keep its commit."""
    git.set_ref(config.tree, REF, published.commit, "published")
    result = msgspec.to_builtins(published)
    evidence.write(
        config.root,
        evidence.new(KIND, result, command=COMMAND, started=datetime.now(UTC), subject=now),
    )


def range_diff(config: Config, base: str, tip: str) -> str:
    """How a version of the series differs from the one that was published last.

    Args:
        config: The configuration.
        base: The commit below the new version, in the store.
        tip: The last commit of the new version.

    Returns:
        Git's range-diff; "" where nothing was published; a line that says why there is none.
    """
    try:
        old = last(config)
        if old is None:
            return ""
        _bring(config, old)
        return git.range_diff(config.tree, f"{old.base}..{old.commit}", f"{base}..{tip}")
    except UserError as error:
        return f"not to be had: {error.problem}"
    except git.GitError as error:
        return f"not to be had: {error.reason}"


def _bring(config: Config, old: Published) -> None:
    """Bring the published version into the store, and all files of its base."""
    # Upstream's own commit, or its history would not meet the published one's.
    sources.resolve(config, config.tree, old.base, "git")
    if git.resolve(config.tree, old.commit):
        return
    fork.fetch(config.tree, fork.at(old.fork), old.branch, REF)
    if git.resolve(config.tree, old.commit) is None:
        raise UserError(f"{old.branch} on {old.fork} no longer holds {old.commit[:12]}")
