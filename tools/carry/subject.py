"""What a record of now is bound to: the series as it stands, and its base."""

from __future__ import annotations

from carry import git, manifest, series, sources, stack
from carry.config import Config
from carry.evidence import Subject
from carry.sources import Base

#: Stands behind the id of a series with which something else was run, too.
CHANGED = "+changes"


def on(config: Config, base: Base, *, changed: bool = False) -> Subject:
    """The present series on a base that is in the store.

    Args:
        config: The configuration.
        base: The base.
        changed: What is run holds more than the series; the record then shows nothing of it.
    """
    return Subject(
        series=_series(config) + (CHANGED if changed else ""),
        base=base.name,
        commit=base.known_as,
        tree=git.tree_of(config.tree, base.commit),
    )


def present(config: Config) -> Subject:
    """The same, with no more than what is here; `tree` is empty where the base is not."""
    entry = manifest.read(config.patches_dir).base
    if git.is_repository(config.tree):
        base = sources.here(config, config.tree, entry.wanted)
        if base:
            return on(config, base)
    return Subject(series=_series(config), base=entry.wanted, commit=entry.commit, tree="")


def _series(config: Config) -> str:
    return stack.series_id(config.root, config.patches_dir, series.read(config.patches_dir))
