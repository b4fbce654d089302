"""How far the series is from upstream's newest."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
from packaging.version import InvalidVersion, Version

from carry import git
from carry.config import Config
from carry.errors import UserError
from carry.manifest import BaseEntry
from carry.sources import UPSTREAM, behind, lookup
from carry.sources.base import REMOTE
from carry.sources.listing import Listing
from carry.sources.wanted import agree
from carry.workspace import upstream_url


class Newest(msgspec.Struct, frozen=True, kw_only=True):
    """The newest upstream there is, and what lies between it and the base.

    Attributes:
        version: The newest release; empty if none is known.
        uploaded: When its archive was uploaded, ISO 8601; empty where that is not told.
        sha256: The archive's digest; empty where that is not told.
        tip: The last commit of upstream's branch; only git tells it.
        source: Who said so: git, pypi, or empty if nobody was ever asked.
        asked: When, in UTC, ISO 8601.
        age: Seconds since then.
        between: The final releases that are newer than the base, oldest first.
        commits_behind: How many commits upstream's branch was ahead of the base when it was
            last fetched; None if that is not known.
        is_base: Whether the series is on it; None if that is not known.
        problem: Why nobody could be asked now; empty if somebody was or need not be.
    """

    version: str = ""
    uploaded: str = ""
    sha256: str = ""
    tip: str = ""
    source: Literal["", "git", "pypi"] = ""
    asked: str = ""
    age: float = 0.0
    between: tuple[str, ...] = ()
    commits_behind: int | None = None
    is_base: bool | None = None
    problem: str = ""


def look(config: Config, base: BaseEntry, source: str, *, offline: bool) -> Newest:
    """Compare the base with upstream's newest.

    Args:
        config: The configuration.
        base: The series' base, as the manifest names it.
        source: Whom to ask: `auto`, `git` or `pypi`.
        offline: Ask nobody; else an answer of the last hour is taken again.
    """
    problem = ""
    found = lookup.recent(config, source)
    if found is None and not offline:
        try:
            where, address = _place(config)
            found = lookup.ask(config, where, address, source)
        except UserError as error:
            problem = error.problem
    found = found or lookup.last(config, source)
    commits = _commits_behind(config, base)
    if found is None:
        return Newest(commits_behind=commits, problem=problem)
    return _compared(found, base, commits, problem)


def _place(config: Config) -> tuple[Path, str]:
    """Where git runs, and what it calls upstream there."""
    if git.is_repository(config.tree):
        return config.tree, REMOTE
    return config.root, upstream_url(config)


def _compared(found: Listing, base: BaseEntry, commits: int | None, problem: str) -> Newest:
    newest = found.newest()
    version = newest.version if newest else ""
    release = _release_of(found, base)
    return Newest(
        version=version,
        uploaded=newest.uploaded if newest else "",
        sha256=newest.sha256 if newest else "",
        tip=found.tip,
        source=found.source,
        asked=found.asked,
        age=round(found.age(), 1),
        between=tuple(one.version for one in found.after(release)) if release else (),
        commits_behind=commits,
        is_base=_is_base(found, base, version),
        problem=problem,
    )


def _release_of(found: Listing, base: BaseEntry) -> str:
    """The release that the base is, empty for any other commit."""
    try:
        return str(Version(base.version))
    except InvalidVersion:
        named = [one.version for one in found.releases if one.commit == base.commit]
        return named[0] if named else ""


def _is_base(found: Listing, base: BaseEntry, version: str) -> bool | None:
    if found.tip:
        return bool(base.commit) and agree(found.tip, base.commit)
    return base.version == version if base.version else None


def _commits_behind(config: Config, base: BaseEntry) -> int | None:
    """Commits from the base to upstream's branch, as far as that was fetched."""
    if not git.is_repository(config.tree):
        return None
    tip = git.resolve(config.tree, f"{UPSTREAM}/heads/{config.upstream.branch}")
    return behind(config.tree, base.commit, tip) if tip else None
