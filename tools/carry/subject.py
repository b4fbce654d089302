"""What a record is bound to: a series and its base."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from carry import git, manifest, series, sources, stack
from carry.config import Config
from carry.evidence import CHANGED, Subject
from carry.sources import Base


def on(config: Config, base: Base, *, changed: bool = False) -> Subject:
    """The series as it stands on a base that is in the store.

    Args:
        config: The configuration.
        base: The base.
        changed: What is run holds more than the series, so it shows nothing of it.
    """
    now = of(config, config.patches_dir, base)
    return replace(now, series=now.series + CHANGED) if changed else now


def of(config: Config, folder: Path, base: Base) -> Subject:
    """The series in a folder on a base that is in the store."""
    return Subject(
        series=_series_id(config, folder),
        base=base.name,
        commit=base.known_as,
        tree=git.tree_of(config.tree, base.commit),
    )


def present(config: Config) -> Subject:
    """The series as it stands, as far as is known here: `tree` is empty if the base is not."""
    folder = config.patches_dir
    entry = manifest.read(folder).base
    if git.is_repository(config.tree):
        base = sources.here(config, config.tree, entry.wanted)
        if base:
            return on(config, base)
    series_id = _series_id(config, folder)
    return Subject(series=series_id, base=entry.wanted, commit=entry.commit, tree="")


def _series_id(config: Config, folder: Path) -> str:
    return stack.series_id(config.root, folder, series.read(folder))
