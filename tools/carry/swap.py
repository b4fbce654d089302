"""Put a series in place of the present one: the submodule, the patches and the pin at once.

The one step of any command that touches what the user sees. It is written down before it
begins and taken out when it has ended, so that a run that is killed in between is finished
by the next one: what stands is either the old state or the new one.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from carry import checkout, git
from carry.config import Config
from carry.console import say
from carry.errors import UserError
from carry.files import write_atomically
from carry.process import interrupts_deferred


class Swap(msgspec.Struct, frozen=True):
    """What is being put in place, and what stood there.

    `new` and `old` are snapshots (see `stack.snapshot`), `head` is the submodule's commit
    before, `pin` the gitlink to record, None to leave it.
    """

    command: str
    new: str
    old: str | None
    head: str | None
    pin: str | None = None
    old_pin: str | None = None


def journal(config: Config) -> Path:
    """The file that exists while a swap is under way."""
    return config.state_dir / "swap.json"


def pending(config: Config) -> Swap | None:
    """The swap that a killed run left unfinished."""
    file = journal(config)
    if not file.exists():
        return None
    try:
        return msgspec.json.decode(file.read_bytes(), type=Swap)
    except msgspec.MsgspecError as error:
        raise UserError(
            f"{file} cannot be read: {error}",
            hint=f"see git -C {config.submodule} for-each-ref {checkout.BACKUPS}; then remove it",
        ) from error


def swap(config: Config, command: str, new: str, *, pin: str | None = None) -> None:
    """Put the snapshot `new` in place.

    Args:
        config: The configuration.
        command: Who asks, for the words of a later run.
        new: The snapshot.
        pin: Upstream's full commit id to record as the gitlink; None leaves the pin.

    Raises:
        UserError: The submodule or the patches hold work of the user's.
    """
    checkout.require_untouched(config, held_by=new)
    checkout.require_own_patches(config, becoming=new)
    carried = checkout.Carried.read(config.tree)
    plan = Swap(
        command=command,
        new=new,
        old=carried.snapshot if carried else None,
        head=git.head(config.tree),
        pin=pin,
        old_pin=git.gitlink(config.root, config.submodule),
    )
    with interrupts_deferred():
        write_atomically(journal(config), msgspec.json.format(msgspec.json.encode(plan)))
        _carry_out(config, plan, resumed=False)


def finish_pending(config: Config) -> Swap | None:
    """Finish what a killed run began to put in place, and say so; None if there is nothing."""
    plan = pending(config)
    if plan is None:
        return None
    say(f"an earlier {plan.command} was stopped while it put its result in place: finishing it")
    with interrupts_deferred():
        _carry_out(config, plan, resumed=True)
    return plan


def _carry_out(config: Config, plan: Swap, *, resumed: bool) -> None:
    """Every step may be repeated; the journal goes last."""
    tip = git.run(config.tree, "rev-parse", f"{plan.new}^")
    if plan.old and not resumed:
        checkout.back_up(config, plan.old, f"before {plan.command}")
    if resumed:
        _keep_what_came_between(config, plan, tip)
    checkout.place(config, tip, force=resumed)
    write_folder(config.tree, plan.new, config.patches_dir, before=plan.old)
    if plan.pin:
        git.set_gitlink(config.root, config.submodule, plan.pin)
        git.shield_gitlink(config.root, config.submodule)
    git.set_ref(config.tree, checkout.CARRIED, plan.new, plan.command)
    journal(config).unlink()


def _keep_what_came_between(config: Config, plan: Swap, tip: str) -> None:
    """Before going on, store what the user did since the kill."""
    name = config.submodule
    if commits := checkout.unexported(config, held_by=plan.new):
        ref = checkout.back_up(config, commits[0], "commits found in the submodule")
        say(f"{len(commits)} commit(s) that were found in {name}/ are kept in {ref}")
    places = (
        (f"{name}/", git.write_tree_as_is(config.tree), (tip, plan.head)),
        (
            f"{config.patches}/",
            git.write_tree(config.tree, config.patches_dir),
            (plan.new, plan.old),
        ),
    )
    for place, found, states in places:
        expected = tuple(state for state in states if state)
        if kept := checkout.keep_strangers(config, found, expected, f"{place} as it was found"):
            say(f"changes that were found in {place} are kept in {kept}")


def write_folder(store: Path, snapshot: str, folder: Path, *, before: str | None) -> None:
    """Make a folder's files those of a snapshot, file by file.

    Files that neither the snapshot nor the one `before` knows are left alone.
    """
    wanted = _files(store, snapshot)
    for path, blob in wanted.items():
        content = git.blob(store, blob)
        file = folder / path
        if not file.exists() or file.read_bytes() != content:
            file.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(file, content)
    for path in set(_files(store, before) if before else ()) - set(wanted):
        (folder / path).unlink(missing_ok=True)


def _files(store: Path, tree: str) -> dict[str, str]:
    listing = git.run(store, "ls-tree", "-r", "-z", "--format=%(objectname) %(path)", tree)
    entries = (entry.split(" ", 1) for entry in listing.split("\0") if entry)
    return {path: blob for blob, path in entries}
