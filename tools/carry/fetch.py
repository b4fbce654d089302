"""Bring upstream versions into the mirror, so that nothing later needs a network for them."""

from __future__ import annotations

from collections.abc import Sequence

from carry.config import Config
from carry.console import say
from carry.errors import UnreachableError, UserError
from carry.sources import lookup, resolve, stored
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


def fetch_supported(config: Config) -> None:
    """Bring every release of the Python index from the oldest supported one on.

    Where the index is out of reach, those that are here have to do.

    Raises:
        UserError: No release can be had, or the configuration names no oldest one.
    """
    oldest = config.upstream.oldest
    if not oldest:
        raise UserError(
            "it is not known which releases the series supports",
            hint="set oldest in [tool.carry.upstream] of pyproject.toml",
        )
    try:
        wanted = [one.version for one in lookup.from_index(config).since(oldest)]
    except UnreachableError as error:
        wanted = stored.supported(config, ensure_submodule(config))
        if not wanted:
            raise
        say(f"{error.problem}: the releases that are here have to do, {', '.join(wanted)}")
    fetch(config, "pypi", wanted)
