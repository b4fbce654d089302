"""The series with the hooks' changes in it, put in place of the one without."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from carry import export, git, manifest, stack
from carry.config import Config
from carry.console import say
from carry.sources import Base
from carry.swap import swap
from carry.upstream_hooks import fixing
from carry.upstream_hooks.messages import Messages
from carry.upstream_hooks.running import tree


@dataclass(frozen=True)
class Changes:
    """What the hooks changed: lines of files, and whole messages by commit."""

    lines: tuple[fixing.Change, ...]
    messages: Mapping[str, str]

    @property
    def belong(self) -> bool:
        """Whether there is anything that a patch of the series can take."""
        return bool(self.messages) or any(change.owner for change in self.lines)


def find(worktree: Path, messages: Messages) -> Changes:
    """Find what hooks changed in a working tree of the series, and say whose lines that is."""
    found = fixing.changes(worktree, [*messages.patches], tree(worktree))
    for change in found:
        if change.owner:
            say(f"{change.place} belongs to {messages.patches[change.owner]}")
        else:
            say(f"{change.place} is upstream's own and goes into no patch", style="yellow")
    return Changes(tuple(found), messages.changed)


def amend(config: Config, base: Base, worktree: Path, messages: Messages, found: Changes) -> None:
    """Put the changes into the patches that they belong to.

    Raises:
        UserError: They do not fit there.
    """
    commits = [*messages.patches]
    tip = fixing.rewrite(worktree, commits, found.lines, found.messages, config.identity)
    exported = stack.exported(
        config, base.commit, tip, entry=manifest.read(config.patches_dir).base,
        present=export.present_files(config, base),
    )  # fmt: skip
    with exported as (folder, made):
        snapshot = stack.snapshot(config, folder, made)
    before = git.write_tree(config.tree, config.patches_dir)
    swap(config, "hooks --fix", snapshot)
    for path in git.changed_paths(config.tree, before, snapshot):
        say(f"{config.patches}/{path}")
