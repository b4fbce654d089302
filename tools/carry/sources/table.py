"""The table of upstream's releases: grows by what upstream's own repository says."""

from __future__ import annotations

import tomlkit
from packaging.version import InvalidVersion, Version
from tomlkit.items import AoT

from carry.config import Config
from carry.files import write_atomically
from carry.sources.base import Report
from carry.sources.listing import Listed, Listing

_NEW = "# Releases of upstream: the full commit id where it is known, and the archive's digest.\n"


def learn(config: Config, listing: Listing, report: Report) -> list[str]:
    """Add what git lists to the table: new releases, and full ids where only a part was known.

    A release older than the oldest that the series supports is left out. An entry that
    disagrees with upstream's tag stays as it is, and that is reported.

    Returns:
        The versions that are new in the table or are now known in full.
    """
    file = config.root / config.upstream.release_table
    text = file.read_text("utf-8") if file.is_file() else _NEW
    document = tomlkit.parse(text)
    rows = document.setdefault("release", tomlkit.aot())
    grown = [
        one.version
        for one in listing.since(config.upstream.oldest)
        if one.commit and _enter(rows, one, report)
    ]
    if grown:
        write_atomically(file, tomlkit.dumps(document).encode())
    return grown


def _enter(rows: AoT, one: Listed, report: Report) -> bool:
    for row in rows:
        if str(row["version"]) == one.version:
            known = str(row.get("commit", ""))
            if known == one.commit:
                return False
            if not one.commit.startswith(known):
                report(
                    f"warning: upstream's tag of {one.version} is at {one.commit[:9]}, the table"
                    f" has {known[:9]}: the table stays as it is, look at both"
                )
                return False
            row["commit"] = one.commit
            return True
    row = tomlkit.table()
    row.update({"version": one.version, "commit": one.commit})
    rows.insert(sum(_is_older(str(other["version"]), one.version) for other in rows), row)
    return True


def _is_older(version: str, than: str) -> bool:
    """Whether a row comes first; one that is no version keeps its place before all others."""
    try:
        return Version(version) < Version(than)
    except InvalidVersion:
        return True
