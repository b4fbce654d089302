"""Run a command with both trees at hand: the base's, and the one with the series."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from carry import checks, evidence, git, series, stack, sync
from carry.config import Config
from carry.errors import UserError
from carry.sources import Base
from carry.swap import finish_pending
from carry.workspace import ensure_submodule, locked, throwaway_worktree


def run(config: Config, source: str, python: Path, words: Sequence[str]) -> None:
    """Run a command in the root of the repository.

    Args:
        config: The configuration.
        source: Where the base comes from if it is not here yet.
        python: The test environment's interpreter, what `{python}` stands for.
        words: The command; `{base}` is a throwaway working tree of the base, `{patched}` the
            submodule.

    Raises:
        UserError: It failed; its own output stands above.
    """
    with locked(config, "run"):
        ensure_submodule(config)
        finish_pending(config)
        base = sync.present_base(config, source)
        sync.require_in_place(config, base)
        with throwaway_worktree(config, "base", base.commit) as tree:
            folders = {"base": tree, "patched": config.tree, "python": python}
            env = {evidence.SUBJECT: msgspec.json.encode(subject(config, base)).decode()}
            code = checks.run_command(config, words, folders, env=env)
    if code:
        raise UserError(f"{' '.join(words)} ended with {code}", hint="what it says stands above")


def subject(config: Config, base: Base) -> evidence.Subject:
    """What a record of now is bound to."""
    folder = config.patches_dir
    return evidence.Subject(
        series=stack.series_id(config.tree, folder, series.read(folder)),
        base=base.name,
        commit=base.known_as,
        tree=git.tree_of(config.tree, base.commit),
    )
