"""What is looked at after a clean rebase, since a clean merge can still be wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from carry import fingerprints, git, process
from carry.config import Config
from carry.console import say
from carry.errors import UserError
from carry.manifest import PatchEntry
from carry.workspace import throwaway_worktree


@dataclass(frozen=True)
class ChangedFunction:
    """A function that the series touches and that upstream has rewritten."""

    name: str
    before: str
    after: str

    def diff(self) -> str:
        """Upstream's change, as a unified diff."""
        lines = unified_diff(
            self.before.splitlines(), self.after.splitlines(), "old base", "new base", lineterm=""
        )
        return "\n".join(lines)


def changed_functions(
    store: Path, entries: Iterable[PatchEntry], old_base: str, new_base: str
) -> list[ChangedFunction]:
    """The touched functions whose text at the new base is not what the manifest says.

    Args:
        store: The submodule's repository.
        entries: The manifest's entries, made against the old base.
        old_base: The old base's commit, for the text before.
        new_base: The new base's commit.
    """
    changed = {}
    for entry in entries:
        for key, expected in entry.functions.items():
            path, name = key.split("::", 1)
            after = _function(store, new_base, path, name)
            if fingerprints.fingerprint(after) != expected:
                before = _function(store, old_base, path, name)
                changed[key] = ChangedFunction(key, before, after)
    return list(changed.values())


def _function(store: Path, commit: str, path: str, name: str) -> str:
    source = git.show(store, f"{commit}:{path}") or ""
    return fingerprints.functions(source).get(name, "")


def run_all(
    config: Config, base: str, *, patched: Path, python: Path, env: Mapping[str, str]
) -> list[str]:
    """Run the configured checks on the moved series.

    Args:
        config: The configuration.
        base: The new base's commit.
        patched: A working tree of the new base with the series.
        python: The test environment's interpreter.
        env: What they are told, see `evidence.environment`.

    Returns:
        The names of the checks, all of which passed.

    Raises:
        UserError: One of them failed; its own output stands above.
    """
    if not config.checks:
        return []
    with throwaway_worktree(config, "base", base) as tree:
        folders = {"base": tree, "patched": patched, "python": python}
        for check in config.checks:
            say(f"check: {check.name}")
            if code := run_command(config, check.command, folders, env=env):
                raise UserError(f"the check failed on the moved series: {check.name} (exit {code})")
    return [check.name for check in config.checks]


def run_command(
    config: Config,
    words: Sequence[str],
    folders: Mapping[str, Path],
    *,
    env: Mapping[str, str] | None = None,
) -> int:
    """Run a command in the root, its `{names}` filled in; returns its exit code."""
    filled = [_fill(word, folders) for word in words]
    return process.run(filled, cwd=config.root, env=env, show=True).code


def _fill(word: str, folders: Mapping[str, Path]) -> str:
    for name, folder in folders.items():
        word = word.replace(f"{{{name}}}", str(folder))
    return word
