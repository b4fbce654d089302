"""Where a release is here from both sources, whether they agree."""

from __future__ import annotations

from pathlib import Path

from carry import git
from carry.config import Config
from carry.sources.base import Report
from carry.sources.stored import releases

_SHOWN = 5


def warn_of_differences(config: Config, store: Path, version: str, report: Report) -> None:
    """Report the paths in which an imported release differs from upstream's own commit."""
    imported = releases(store).get(version)
    full = config.upstream.release(version).full_commit
    upstreams = git.resolve(store, full) if full else None
    if imported is None or upstreams is None:
        return
    paths = git.changed_paths(store, upstreams, imported)
    if paths:
        more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
        report(
            f"warning: the archive of {version} differs from upstream's commit "
            f"{upstreams[:9]} in {', '.join(paths[:_SHOWN])}{more}"
        )
