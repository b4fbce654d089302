"""Re-sign the series with the git identity of whoever takes it on."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import tomlkit

from carry import checkout, git, manifest, series, stack, sync
from carry.config import Config
from carry.console import say
from carry.errors import UserError
from carry.files import write_atomically
from carry.sources import Base
from carry.swap import finish_pending, swap
from carry.workspace import ensure_submodule, locked

#: Ends the address of an identity that stands for nobody.
PLACEHOLDER = ".invalid"


def adopt(config: Config, source: str) -> None:
    """Make the user of this repository the author and signer of every patch.

    Raises:
        UserError: Git knows no name and address, or the submodule or the patches hold
            work that is saved nowhere.
    """
    with locked(config, "adopt"):
        ensure_submodule(config)
        finish_pending(config)
        identity = _identity(config)
        checkout.require_untouched(config)
        checkout.require_own_patches(config)
        base = sync.present_base(config, source)
        snapshot = _resigned(config, base, sync.build(config, base), identity)
        swap(config, "adopt", snapshot)
        _write_author(config, identity)
        say("the series is by {} <{}> now; commit pyproject.toml and {}/ together".format(
            *identity, config.patches))  # fmt: skip


def _identity(config: Config) -> tuple[str, str]:
    identity = git.identity(config.root)
    if identity is None or not all(identity):
        raise UserError(
            "git knows no name and address of yours",
            hint="git config --global user.name '…' and user.email '…', then run this again",
        )
    if identity[1].endswith(PLACEHOLDER):
        raise UserError(
            f"git's user.email is the placeholder {identity[1]}", hint="set it to your own"
        )
    return identity


def _resigned(config: Config, base: Base, snapshot: str, identity: tuple[str, str]) -> str:
    """The snapshot of the same changes by `identity`."""
    tip = base.commit
    for commit in git.commits(config.tree, base.commit, f"{snapshot}^"):
        text = series.with_sign_off(git.message(config.tree, commit), config.identity, identity)
        tip = git.commit_tree(
            config.tree, git.tree_of(config.tree, commit), text, parents=[tip], author=identity,
            date=git.run(config.tree, "log", "-1", "--format=%ad", "--date=raw", commit),
        )  # fmt: skip
    with TemporaryDirectory(dir=config.state_dir, prefix="series-") as name:
        folder = Path(name)
        entry = manifest.read(config.patches_dir).base
        adopted = msgspec.structs.replace(config, author="{} <{}>".format(*identity))
        stack.export(adopted, base.commit, tip, entry=entry, present={}, folder=folder)
        return stack.snapshot(config, folder, tip)


def _write_author(config: Config, identity: tuple[str, str]) -> None:
    file = config.root / "pyproject.toml"
    document = tomlkit.parse(file.read_text("utf-8"))
    tables = document["tool"]["carry"]
    tables["author"] = "{} <{}>".format(*identity)
    write_atomically(file, tomlkit.dumps(document).encode())
