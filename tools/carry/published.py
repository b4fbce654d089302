"""What was published last: the lease of the next push, and the old side of its range-diff."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import msgspec

from carry import evidence, fork, git, sources, sync
from carry.config import Config
from carry.errors import UserError
from carry.evidence import Subject
from carry.sources import Base
from carry.workspace import REFS

KIND = "published"
COMMAND = "nox -s pr -- --open --yes"
#: Below it, refs that hold the published commits in the store; a range-diff needs them.
HELD = f"{REFS}/published"


class Version(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A version of the series: its last commit, and the upstream commit below its first."""

    commit: str
    base: str


class Published(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One version of the series on the contributor's fork.

    Attributes:
        fork: The fork's address.
        branch: The branch there.
        commit: The last commit of the series.
        base: The upstream commit below the series.
        before: The version that it replaced on the fork.
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
    before: Version | None = None
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
    git.set_ref(config.tree, f"{HELD}/{published.commit}", published.commit, "published")
    result = msgspec.to_builtins(published)
    evidence.write(
        config.root,
        evidence.new(KIND, result, command=COMMAND, started=datetime.now(UTC), subject=now),
    )


def range_diff(config: Config, base: str, tip: str) -> str:
    """How a version of the series differs from the one that was published before it.

    Args:
        config: The configuration.
        base: The commit below the version, in the store.
        tip: The last commit of the version.

    Returns:
        Git's range-diff; "" where nothing was published; a line that says why there is none.
    """
    try:
        return _compare(config, base, tip)
    except UserError as error:
        return error.problem


def present_range_diff(config: Config, base: Base) -> str:
    """The same of the series as it stands in the patches folder.

    Raises:
        UserError: The version before cannot be had, or the series does not apply.
    """
    if last(config) is None:
        return ""
    tip = git.run(config.tree, "rev-parse", f"{sync.build(config, base)}^")
    return _compare(config, base.commit, tip)


def _compare(config: Config, base: str, tip: str) -> str:
    latest = last(config)
    old = _before(latest, tip) if latest else None
    if latest is None or old is None:
        return ""
    try:
        _bring(config, latest.fork, old)
    except UserError as error:
        raise UserError(f"there is no range-diff: {error.problem}", hint=error.hint) from error
    return git.range_diff(config.tree, f"{old.base}..{old.commit}", f"{base}..{tip}")


def _before(latest: Published, tip: str) -> Version | None:
    """What a version replaces, or has replaced if it is published itself."""
    return latest.before if latest.commit == tip else Version(latest.commit, latest.base)


def _bring(config: Config, address: str, old: Version) -> None:
    """Bring a published version into the store, and all files of its base."""
    # Upstream's own commit, or its history would not meet the published one's.
    sources.resolve(config, config.tree, old.base, "git")
    if git.resolve(config.tree, old.commit) is None:
        fork.fetch(config.tree, fork.at(address), old.commit, f"{HELD}/{old.commit}")
