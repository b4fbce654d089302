"""What a rebase tells the user about the series it has moved."""

from __future__ import annotations

from pathlib import Path

from carry import checks, git, manifest, replay
from carry.config import Config
from carry.console import say
from carry.move import Move, worktree_path


def landed(config: Config, move: Move) -> list[str]:
    """Say what became of each patch; returns the files of those that upstream has whole."""
    worktree = worktree_path(config)
    new = git.commits(worktree, move.new.commit, "HEAD")
    gone = []
    for fate in replay.fates(worktree, move.commits, new):
        name = move.patch_of(fate.old)
        if fate.landed:
            say(f"{name}: landed, {move.new.name} has all of it")
            gone.append(name)
        elif fate.partly_landed:
            say(
                f"{name}: partly landed, {fate.lines_after} of {fate.lines_before} "
                "changed lines are left"
            )
    return gone


def changed_functions(config: Config, move: Move) -> list[str]:
    """Say whether upstream rewrote a function that the series touches, and how; their names."""
    entries = manifest.read(config.patches_dir).patch
    changed = checks.changed_functions(config.tree, entries, move.old.commit, move.new.commit)
    for function in changed:
        say(f"upstream changed {function.name}, which the series touches:", style="yellow")
        say(function.diff())
    if not changed:
        say("upstream's text of the touched functions is unchanged")
    return [function.name for function in changed]


def range_diff(config: Config, move: Move, tip: str) -> str:
    """Print how the moved series differs from the old one, keep it and return it."""
    old = f"{move.old.commit}..{[move.old.commit, *move.commits][-1]}"
    new = f"{move.new.commit}..{tip}"
    say(f"range-diff, {move.old.name} against {move.new.name}:")
    text = git.range_diff(config.tree, old, new)
    say(text)
    range_diff_file(config).write_text(text + "\n", "utf-8")
    return text


def range_diff_file(config: Config) -> Path:
    """Where the last range-diff is kept."""
    return config.state_dir / "range-diff.txt"


def end(config: Config, move: Move) -> None:
    """Say where the series stands now."""
    say(f"the series is on {move.new.name}, branch {config.branch} in {config.submodule}/",
        style="green")  # fmt: skip
    if move.new.rehearsal:
        say(
            f"a rehearsal: of {move.new.name} only {move.new.known_as or 'the release'} is known, "
            "not upstream's full commit id, so the pin stays where it was"
        )
    else:
        say(f"the pin is {move.new.upstream}")
