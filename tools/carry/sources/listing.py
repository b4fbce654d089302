"""What upstream has to offer: the answer of one source at one time."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Literal

import msgspec
from packaging.version import InvalidVersion, Version

SCHEMA = 1


class Listed(msgspec.Struct, frozen=True):
    """One release as a source lists it; what that source does not tell is empty.

    Attributes:
        version: Its version.
        commit: Upstream's full commit id; only git tells it.
        sha256: The digest of its source archive; only the Python index tells it.
        uploaded: When the archive was uploaded, ISO 8601; not every index tells it.
        yanked: Whether upstream has withdrawn it.
    """

    version: str
    commit: str = ""
    sha256: str = ""
    uploaded: str = ""
    yanked: bool = False

    @property
    def is_final(self) -> bool:
        """Whether it is neither withdrawn nor a pre-release."""
        return not self.yanked and not Version(self.version).is_prerelease


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """All releases that a source lists, oldest first, and when it was asked.

    Attributes:
        schema: The version of this format, since an answer is kept in a file.
        source: Who answered.
        asked: When, in UTC, ISO 8601.
        releases: What can be carried on: no `.devN` and no local version is among them.
        tip: The last commit of upstream's branch; only git tells it.
    """

    schema: int = SCHEMA
    source: Literal["git", "pypi"]
    asked: str
    releases: tuple[Listed, ...]
    tip: str = ""

    def newest(self, *, pre: bool = False) -> Listed | None:
        """The newest release, None if there is none.

        Args:
            pre: Take pre-releases too.
        """
        return next((one for one in reversed(self.releases) if _counts(one, pre=pre)), None)

    def since(self, oldest: str) -> list[Listed]:
        """The final releases from `oldest` on; all of them if it is empty."""
        final = [one for one in self.releases if one.is_final]
        return [one for one in final if not oldest or Version(one.version) >= Version(oldest)]

    def after(self, version: str) -> list[Listed]:
        """The final releases that are newer than a version."""
        return [one for one in self.since(version) if Version(one.version) > Version(version)]

    def find(self, version: str) -> Listed | None:
        """The entry of a version."""
        return next((one for one in self.releases if one.version == version), None)

    def age(self) -> float:
        """Seconds since the source was asked."""
        return (datetime.now(UTC) - datetime.fromisoformat(self.asked)).total_seconds()


def _counts(one: Listed, *, pre: bool) -> bool:
    return one.is_final or (pre and not one.yanked)


def listing(
    source: Literal["git", "pypi"], releases: Iterable[Listed], *, tip: str = ""
) -> Listing:
    """What a source has just answered."""
    return Listing(
        source=source,
        asked=datetime.now(UTC).isoformat(timespec="seconds"),
        releases=tuple(sorted(releases, key=lambda one: Version(one.version))),
        tip=tip,
    )


def is_release(version: str) -> bool:
    """Whether a text is a version that a series can be carried on: no `.devN`, no local one."""
    try:
        parsed = Version(version)
    except InvalidVersion:
        return False
    return not parsed.is_devrelease and parsed.local is None
