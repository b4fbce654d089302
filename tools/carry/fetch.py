"""Bring upstream versions into the mirror, so that nothing later needs a network for them."""

from __future__ import annotations

from collections.abc import Sequence

from carry.config import Config
from carry.console import say
from carry.sources import resolve
from carry.workspace import ensure_submodule, locked


def fetch(config: Config, source: str, wanted: Sequence[str]) -> None:
    """Make sure that each of these versions is a commit in the submodule's repository.

    Args:
        config: The configuration.
        source: Where they come from if they are not here yet.
        wanted: Releases, tags or commit ids.
    """
    with locked(config, "fetch"):
        store = ensure_submodule(config)
        for name in wanted:
            base = resolve(config, store, name, source, report=say)
            say(f"{base.name} is here: {base.commit}")
