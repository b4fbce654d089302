"""Run a command with both trees at hand: the base's, and the one with the series."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from carry import checks, evidence, subject, sync
from carry.config import Config
from carry.errors import UserError
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
        pure = sync.require_in_place(config, base)
        with throwaway_worktree(config, "base", base.commit) as tree:
            folders = {"base": tree, "patched": config.tree, "python": python}
            ran_on = subject.on(config, base, changed=not pure)
            env = evidence.environment(ran_on)
            code = checks.run_command(config, words, folders, env=env)
    if code:
        raise UserError(f"{' '.join(words)} ended with {code}", hint="what it says stands above")
