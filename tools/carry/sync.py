"""The submodule at the series' base, with the series applied as commits on its branch."""

from __future__ import annotations

from carry import checkout, git, manifest, series, stack
from carry.config import Config
from carry.console import say
from carry.errors import UserError
from carry.sources import Base, resolve
from carry.swap import finish_pending, swap
from carry.workspace import ensure_submodule, locked


def sync(config: Config, source: str) -> None:
    """Put the series in place as it stands in the patches folder.

    Raises:
        UserError: A patch does not apply, the base cannot be had, or the submodule holds
            work that nothing else holds.
    """
    with locked(config, "sync"):
        ensure_submodule(config)
        finish_pending(config)
        base = present_base(config, source)
        put_in_place(config, base, build(config, base))


def put_in_place(config: Config, base: Base, snapshot: str) -> None:
    """Check a snapshot of the series out, unless it is there already."""
    tip = git.run(config.tree, "rev-parse", f"{snapshot}^")
    count = len(git.commits(config.tree, base.commit, tip))
    what = f"{base.name} and {count} patch(es), branch {config.branch}"
    carried = checkout.Carried.read(config.tree)
    there = carried is not None and carried.snapshot == snapshot
    if there and checkout.on_branch(config) and git.head(config.tree) == tip:
        say(f"{config.submodule}/ is there already: {what}")
        return
    swap(config, "sync", snapshot)
    say(f"{config.submodule}/ is at {what}")


def require_in_place(config: Config, base: Base) -> bool:
    """Refuse to go on where the submodule does not stand on the series' base.

    What else could surprise somebody who reads a result is told.

    Returns:
        Whether what stands there is the series and nothing else.

    Raises:
        UserError: It stands elsewhere, or nowhere.
    """
    name, tip = config.submodule, git.head(config.tree)
    if tip is None or not checkout.stands_on(config, base.commit, tip):
        raise UserError(
            f"{name}/ does not stand on {base.name}, the series' base",
            hint="put it there: nox -s sync",
        )
    notes = _notes(config, tip)
    for note in notes:
        say(f"note: {note}")
    if not checkout.on_branch(config):
        say(f"note: {name}/ is not on the branch {config.branch}")
    return not notes


def _notes(config: Config, tip: str) -> list[str]:
    """In what the submodule differs from the series in the patches folder."""
    name, notes = config.submodule, []
    if changed := git.changes(config.tree):
        notes.append(f"{name}/ has {len(changed)} uncommitted change(s), which count too")
    carried = checkout.Carried.read(config.tree)
    if carried is None:
        notes.append(f"the series is not applied in {name}/ (nox -s sync)")
    elif carried.patches != git.write_tree(config.tree, config.patches_dir):
        notes.append(f"{config.patches}/ has changed since {name}/ was put in place (nox -s sync)")
    elif git.tree_of(config.tree, carried.tip) != git.tree_of(config.tree, tip):
        notes.append(f"{name}/ has commits that {config.patches}/ has not (carry export)")
    return notes


def present_base(config: Config, source: str) -> Base:
    """The base that the manifest names, as a commit in the submodule's repository."""
    entry = manifest.read(config.patches_dir).base
    return resolve(config, config.tree, entry.wanted, source, report=say)


def build(config: Config, base: Base) -> str:
    """Apply the series strictly at its base and return the snapshot; nothing visible changes."""
    patches = series.read(config.patches_dir)
    carried = checkout.Carried.read(config.tree)
    if carried and _stands_for(config, carried, base, len(patches)):
        return carried.snapshot
    say(f"applying {len(patches)} patch(es) at {base.name}")
    made = stack.apply(config.tree, base.commit, config.patches_dir, patches)
    return stack.snapshot(config, config.patches_dir, [base.commit, *made][-1])


def _stands_for(config: Config, carried: checkout.Carried, base: Base, count: int) -> bool:
    """Whether what is in place is what the present files would make at this base."""
    return (
        carried.patches == git.write_tree(config.tree, config.patches_dir)
        and checkout.stands_on(config, base.commit, carried.tip)
        and len(git.commits(config.tree, base.commit, carried.tip)) == count
    )
