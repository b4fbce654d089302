"""What was asked for: upstream's branch, a release, a commit or another tag."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum, auto

from packaging.version import InvalidVersion, Version

from carry.config import Config, Release
from carry.errors import UserError
from carry.sources.listing import is_release

_COMMIT = re.compile(r"[0-9a-f]{7,40}")
#: What git takes in the name of a tag, less the characters that have a meaning to revisions.
_TAG = re.compile(r"(?![-/])(?!.*(\.\.|//|@\{))[\w./+@-]+(?<![./])")


class Kind(Enum):
    """The ways to name an upstream tree."""

    BRANCH = auto()
    RELEASE = auto()
    COMMIT = auto()
    TAG = auto()


@dataclass(frozen=True)
class Wanted:
    """A name for an upstream tree, understood.

    `name` is the branch, the version, the commit id in lower case or the tag; with `pre` the
    branch may be stood for by a pre-release, where git is out of reach.
    """

    kind: Kind
    name: str
    pre: bool = False

    def __str__(self) -> str:
        kinds = {Kind.RELEASE: "release ", Kind.COMMIT: "commit ", Kind.TAG: "tag "}
        return f"{kinds.get(self.kind, '')}{self.name}"


def parse(config: Config, text: str, *, pre: bool = False) -> Wanted:
    """Understand a name as the user gave it.

    Raises:
        UserError: Nothing of upstream's can be called so.
    """
    text = text.strip()
    if text in ("", "main", config.upstream.branch):
        return Wanted(Kind.BRANCH, config.upstream.branch, pre)
    if version := _version(config, text):
        return Wanted(Kind.RELEASE, version)
    if _COMMIT.fullmatch(text.lower()):
        return Wanted(Kind.COMMIT, text.lower())
    if _TAG.fullmatch(text):
        return Wanted(Kind.TAG, text)
    raise UserError(
        f"{text!r} names no release, tag or commit",
        hint=f"name a release such as {config.upstream.newest_known or '1.2.0'}, a tag, "
        f"7 to 40 digits of a commit id, or {config.upstream.branch}",
    )


def _version(config: Config, text: str) -> str | None:
    """The version in a release's name or tag, spelled as the table spells it."""
    match = re.fullmatch(_form(config), text)
    try:
        version = Version(match.group(1) if match else text)
    except InvalidVersion:
        return None
    # A commit id can be all digits.
    if "." not in text:
        return None
    same = [known.version for known in config.upstream.releases if as_version(known) == version]
    return same[0] if same else str(version)


def version_of_tag(config: Config, tag: str) -> str | None:
    """The release that a tag names; None for a tag of another kind, `.devN` and local versions."""
    if not re.fullmatch(_form(config), tag):
        return None
    version = _version(config, tag)
    return version if version and is_release(version) else None


def _form(config: Config) -> str:
    return re.escape(config.upstream.tag).replace(re.escape("{version}"), "(.+)")


def as_version(release: Release) -> Version | None:
    """A release's version as one that compares; None when it is not of that form."""
    try:
        return Version(release.version)
    except InvalidVersion:
        return None


def release_of(config: Config, commit: str) -> Release | None:
    """The release that upstream made from a commit, if the table knows it.

    Either id may be just the beginning of the other.
    """
    for release in config.upstream.releases:
        if release.commit and agree(release.commit, commit):
            return release
    return None


def agree(one: str, other: str) -> bool:
    """Whether two commit ids, either of which may be cut short, can be the same."""
    return one.startswith(other) or other.startswith(one)


def nearest(name: str, names: Iterable[str]) -> str:
    """The few names most like one that is not among them, as a list to read."""
    known = list(dict.fromkeys(names))
    return ", ".join(get_close_matches(name, known, n=3, cutoff=0.4) or known[-3:])
