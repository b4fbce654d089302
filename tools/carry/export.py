"""The commits on the series' branch back into the patches folder."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from carry import checkout, git, manifest, series, stack, sync
from carry.config import Config
from carry.console import say
from carry.errors import UserError
from carry.sources import Base
from carry.swap import finish_pending, swap
from carry.workspace import ensure_submodule, locked


def export(config: Config, source: str) -> None:
    """Write what is committed in the submodule as the new series.

    Raises:
        UserError: The submodule is on another branch, has uncommitted changes or merges,
            or no longer stands on the series' base.
    """
    with locked(config, "export"):
        ensure_submodule(config)
        finish_pending(config)
        base = sync.present_base(config, source)
        tip = _require_exportable(config, base)
        present = present_files(config, base)
        with TemporaryDirectory(dir=config.state_dir, prefix="series-") as name:
            folder = Path(name)
            entry = manifest.read(config.patches_dir).base
            stack.export(config, base.commit, tip, entry=entry, present=present, folder=folder)
            snapshot = stack.snapshot(config, folder, tip)
        _put_in_place(config, snapshot)


def _require_exportable(config: Config, base: Base) -> str:
    name, tree = config.submodule, config.tree
    if not checkout.on_branch(config):
        raise UserError(
            f"{name}/ is not on the series' branch {config.branch}",
            hint=f"git -C {name} switch {config.branch}, or nox -s sync to make it",
        )
    checkout.require_untouched(config, held_by="HEAD")
    tip = git.run(tree, "rev-parse", "HEAD")
    if not checkout.stands_on(config, base.commit, tip):
        raise UserError(
            f"{name}/ no longer stands on {base.name}, the series' base",
            hint=f"git -C {name} rebase --onto {base.commit[:12]}; to move the base, nox -s rebase",
        )
    if merges := git.merges(tree, base.commit, tip):
        raise UserError(
            f"{name}/ has a merge commit, {merges[0][:9]}, that no patch can hold",
            hint=f"make it linear: git -C {name} rebase {base.commit[:12]}",
        )
    if tip == base.commit:
        raise UserError(f"{name}/ has no commit on {base.name}", hint="nox -s sync applies them")
    return tip


def present_files(config: Config, base: Base) -> dict[str, str]:
    """The present files by the commits they make; empty when they were never put in place."""
    carried = checkout.Carried.read(config.tree)
    if carried is None or carried.patches != git.write_tree(config.tree, config.patches_dir):
        return {}
    commits = git.commits(config.tree, base.commit, carried.tip)
    names = series.names(config.patches_dir)
    return dict(zip(commits, names, strict=True)) if len(commits) == len(names) else {}


def _put_in_place(config: Config, snapshot: str) -> None:
    before = git.write_tree(config.tree, config.patches_dir)
    if git.tree_of(config.tree, snapshot) == before:
        say(f"nothing to export: {config.patches}/ has what {config.submodule}/ has")
        return
    swap(config, "export", snapshot)
    for path in git.changed_paths(config.tree, before, snapshot):
        say(f"{config.patches}/{path}")
    for fault in manifest.read(config.patches_dir).faults(series.names(config.patches_dir)):
        say(f"to do: {fault}", style="yellow")
