"""What was found of a base, for a record of it."""

from __future__ import annotations

from pathlib import Path

from carry.config import Config
from carry.sources import lookup
from carry.sources.base import Base
from carry.sources.stored import archive_digest


def described(config: Config, store: Path, base: Base) -> dict[str, str]:
    """Where a base came from and how it can be told from another; what is not known is empty.

    Returns:
        `source`, `version`, `commit` (upstream's id as far as it is known), and of a release's
        archive `sha256` and `uploaded`.
    """
    listed = lookup.last(config, base.source)
    entry = listed.find(base.version) if listed and base.version else None
    is_archive = base.source == "pypi"
    return {
        "source": base.source,
        "version": base.version or "",
        "commit": base.known_as,
        "sha256": archive_digest(store, base.commit) if is_archive else "",
        "uploaded": entry.uploaded if entry else "",
    }
