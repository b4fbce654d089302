"""Which tracked files a command has changed, why, and how to keep that or leave it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from carry import git, manifest
from carry.config import Config
from carry.console import say

#: Paths below the root and what each holds, None for one that is not there.
_State = dict[str, str | None]


@contextmanager
def told(config: Config) -> Iterator[None]:
    """When the block has ended, name the files that it has changed and what may follow."""
    before = _state(config)
    yield
    after = _state(config)
    changed = sorted(name for name in before | after if before.get(name) != after.get(name))
    if changed:
        base = manifest.read(config.patches_dir).base
        _tell(config, changed, base.version or base.commit[:9])


def _tell(config: Config, changed: list[str], moved_to: str) -> None:
    say("files of this repository that have changed:")
    for name in changed:
        say(f"  {name}: {_why(config, name, moved_to)}")
    files = shlex.join(name for name in changed if name != config.submodule)
    subject = shlex.quote(f"Move the series onto {moved_to}")
    restore_pin = ""
    if config.submodule in changed:
        restore_pin = f"git restore --staged {shlex.quote(config.submodule)} && "
    say(f"keep them:  git add {files} && git commit -m {subject}")
    say(
        f"leave them: {restore_pin}git stash push --include-untracked -- {files}"
        f" && {config.front_door('sync')}"
    )


def _why(config: Config, name: str, moved_to: str) -> str:
    if name == config.submodule:
        return f"the pin, now at {moved_to}"
    if name == config.upstream.release_table:
        return "releases that upstream's repository has told of"
    if name.startswith(f"{config.patches}/"):
        return f"the series on {moved_to}"
    return "what the checks found there"


def _state(config: Config) -> _State:
    """What every file that a rebase may change holds now."""
    root = config.root
    files = [root / config.upstream.release_table]
    for folder in (config.patches_dir, root / "evidence"):
        files += (path for path in folder.rglob("*") if path.is_file())
    state: _State = {path.relative_to(root).as_posix(): _digest(path) for path in files}
    state[config.submodule] = git.gitlink(root, config.submodule)
    return state


def _digest(path: Path) -> str | None:
    return sha256(path.read_bytes()).hexdigest() if path.is_file() else None
