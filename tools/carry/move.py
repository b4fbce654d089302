"""A rebase under way: what is moved, where to, and what is kept while it waits for the user."""

from __future__ import annotations

from pathlib import Path

import msgspec

from carry import git, manifest, series
from carry.config import Config
from carry.errors import UserError
from carry.files import write_atomically
from carry.sources import Base
from carry.workspace import scratch


class ConflictError(UserError):
    """A patch does not fit on the new base: which, and in which files."""

    def __init__(self, problem: str, *, hint: str, patch: str, files: tuple[str, ...]) -> None:
        self.patch = patch
        self.files = files
        super().__init__(problem, hint=hint)


class LandedError(UserError):
    """Upstream has the whole of these patches, and they were not to be dropped."""

    def __init__(self, problem: str, *, hint: str, patches: tuple[str, ...]) -> None:
        self.patches = patches
        super().__init__(problem, hint=hint)


class Move(msgspec.Struct, frozen=True):
    """From where, to where, and the commits that are moved with the files they come from."""

    old: Base
    new: Base
    commits: tuple[str, ...]
    patches: tuple[str, ...]
    dry_run: bool = False

    @property
    def base_entry(self) -> manifest.BaseEntry:
        """What the manifest says of the base when the move has ended."""
        return manifest.BaseEntry(self.new.version or "", self.new.known_as)

    def patch_of(self, commit: str) -> str:
        """The file that a commit of the series comes from."""
        return dict(zip(self.commits, self.patches, strict=True))[commit]


def plan(config: Config, old: Base, new: Base, *, snapshot: str, dry_run: bool) -> Move:
    """The move of the series that a snapshot holds."""
    commits = git.commits(config.tree, old.commit, f"{snapshot}^")
    return Move(old, new, tuple(commits), tuple(series.names(config.patches_dir)), dry_run)


def worktree_path(config: Config) -> Path:
    """Where a rebase does its work, and where conflicts are resolved."""
    return scratch(config, "rebase")


def waiting(config: Config) -> Move | None:
    """The rebase that waits for the user; None when there is none."""
    file = _state_file(config)
    if not file.exists():
        return None
    try:
        move = msgspec.json.decode(file.read_bytes(), type=Move)
    except msgspec.MsgspecError as error:
        raise UserError(f"{file} cannot be read", hint="remove it and start over") from error
    # A run that was killed at the very end has put the series in place already.
    ended = manifest.read(config.patches_dir).base == move.base_entry
    return None if ended else move


def wait(config: Config, move: Move) -> None:
    """Keep a move until the user says `--continue` or `--abort`."""
    write_atomically(_state_file(config), msgspec.json.format(msgspec.json.encode(move)))


def forget(config: Config) -> None:
    """Wait no longer."""
    _state_file(config).unlink(missing_ok=True)


def ways_out(config: Config) -> str:
    """The two commands that end a waiting rebase; they work from any folder."""
    command = f"nox -f {config.root / 'noxfile.py'} -s rebase --"
    return f"go on with `{command} --continue` or leave with `{command} --abort`"


def _state_file(config: Config) -> Path:
    return config.state_dir / "rebase.json"
