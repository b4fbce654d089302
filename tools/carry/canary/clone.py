"""A throwaway clone of the carrying repository as it is committed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile

from carry import config as configuration
from carry import git
from carry.config import Config
from carry.console import say
from carry.errors import UserError
from carry.process import interrupts_deferred
from carry.sources import remote
from carry.sources.base import RELEASES, REMOTE, UPSTREAM
from carry.workspace import ensure_submodule

#: Folders of `.carry/` that the clone uses too, so that nothing is downloaded again.
_SHARED = ("downloads", "pre-commit")
#: Where the submodule's repository keeps what is upstream's.
_UPSTREAMS = (f"{RELEASES}/", f"{UPSTREAM}/", "refs/tags/", f"refs/remotes/{REMOTE}/")


@contextmanager
def throwaway(config: Config) -> Iterator[Config]:
    """A clone, its submodule a repository with upstream's commits; gone when the block ends.

    It holds no record: whatever `evidence/` has later was made there.
    """
    folder = config.state_dir / "canary"
    if folder.exists():
        say("an earlier canary was stopped: its clone is removed")
        shutil.rmtree(folder)
    try:
        yield _make(config, folder)
    finally:
        with interrupts_deferred():
            if folder.exists():
                shutil.rmtree(folder)


def _make(config: Config, folder: Path) -> Config:
    commit = git.head(config.root)
    if commit is None:
        raise UserError(f"{config.root} has no commit yet", hint="commit the series first")
    # A file's address is the one protocol that this needs.
    git.run(config.root, "clone", "--quiet", "--no-checkout", str(config.root), str(folder),
            env={"GIT_ALLOW_PROTOCOL": "file"})  # fmt: skip
    git.run(folder, "checkout", "--quiet", "--detach", commit)
    shutil.rmtree(folder / "evidence", ignore_errors=True)
    clone = configuration.load(folder)
    _share(config, clone)
    store = ensure_submodule(clone)
    if git.is_repository(config.tree):
        _borrow(config.tree, store)
    return clone


def _share(config: Config, clone: Config) -> None:
    clone.state_dir.mkdir()
    for name in _SHARED:
        shared = config.state_dir / name
        shared.mkdir(exist_ok=True)
        (clone.state_dir / name).symlink_to(shared.resolve())


def _borrow(original: Path, store: Path) -> None:
    """Let a store find another one's objects, and know upstream's commits among them."""
    objects = git.git_path(original, "objects")
    git.git_path(store, "objects/info/alternates").write_text(f"{objects}\n", "utf-8")
    shallow = git.git_path(original, "shallow")
    if shallow.exists():
        shutil.copyfile(shallow, git.git_path(store, "shallow"))
    if remote.is_partial(original, REMOTE):
        remote.make_partial(store, REMOTE)
    if git.succeeds(original, "config", f"remote.{REMOTE}.url"):
        url = git.run(original, "config", f"remote.{REMOTE}.url")
        git.run(store, "config", f"remote.{REMOTE}.url", url)
    with TemporaryFile() as commands:
        for name, commit in git.refs(original, *_UPSTREAMS).items():
            commands.write(f"create {name} {commit}\n".encode())
        commands.seek(0)
        git.run_on(store, "update-ref", "--stdin", stdin=commands)
