"""The series with the hooks' changes in it, put in place of the one without."""

from __future__ import annotations

from pathlib import Path

from carry import export, git, manifest, stack
from carry.config import Config
from carry.console import say
from carry.sources import Base
from carry.swap import swap
from carry.upstream_hooks import fixing
from carry.upstream_hooks.messages import Messages
from carry.upstream_hooks.running import tree


def amend(config: Config, base: Base, worktree: Path, messages: Messages, *, fix: bool) -> bool:
    """Say which patch each change belongs to and, with `fix`, put it there.

    Args:
        config: The configuration.
        base: The series' base.
        worktree: The series, as the hooks left it.
        messages: Its messages, as the hooks left them.
        fix: Whether to change the series.

    Returns:
        Whether the series is another one now.
    """
    commits = [*messages.patches]
    found = fixing.changes(worktree, commits, tree(worktree))
    for change in found:
        if change.owner:
            say(f"{change.place} belongs to {messages.patches[change.owner]}")
        else:
            say(f"{change.place} is upstream's own and goes into no patch", style="yellow")
    if not fix or not (any(change.owner for change in found) or messages.changed):
        return False
    tip = fixing.rewrite(worktree, commits, found, messages.changed, config.identity)
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
    return True
