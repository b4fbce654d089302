"""Releases as commits, made from their source archives on the Python index."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from filelock import FileLock, Timeout

from carry import git
from carry.config import Config
from carry.errors import UserError
from carry.sources import lookup, remote, sdist
from carry.sources.base import RELEASES, REMOTE, Base, NotListedError, Report
from carry.sources.disk import writing_to
from carry.sources.download import obtain
from carry.sources.stored import COMMIT_TRAILER, DIGEST_TRAILER, imported_base, releases
from carry.sources.wanted import Kind, Wanted, agree, nearest, release_of

_AUTHOR = ("Release import", "release-import@carry.invalid")
_UNPACKED = "unpacked-"


def take(config: Config, store: Path, wanted: Wanted, report: Report) -> Base:
    """Import the release that was asked for, unless that is done already.

    Raises:
        UnreachableError: The index does not answer.
        NotListedError: The index has no such release.
        UserError: Its archive is not what it should be.
    """
    version = _version(config, wanted)
    if wanted.kind is Kind.BRANCH:
        report(f"{wanted} stands for release {version}, the newest on the Python index")
    elif wanted.kind is not Kind.RELEASE:
        report(f"{wanted} stands for release {version}")
    with _alone(config):
        commit = _import_below_root(config, store, version)
    return imported_base(config, store, version, commit)


def _version(config: Config, wanted: Wanted) -> str:
    """The release that stands for what was asked for."""
    if wanted.kind is Kind.RELEASE:
        return wanted.name
    if wanted.kind is Kind.BRANCH:
        return _newest(config, pre=wanted.pre)
    known = release_of(config, wanted.name) if wanted.kind is Kind.COMMIT else None
    if known:
        return known.version
    names = [release.version for release in config.upstream.releases]
    raise NotListedError(
        f"{wanted} is neither here nor a release", hint=f"name one such as {nearest('', names)}"
    )


def _newest(config: Config, *, pre: bool) -> str:
    listed = lookup.from_index(config)
    if found := listed.newest(pre=pre):
        return found.version
    raise NotListedError(
        f"the Python index has no source archive of a final release of {config.upstream.package}",
        hint="--pre takes a pre-release" if listed.releases else "it has none at all",
    )


def _root(config: Config) -> str | None:
    """The release that all others are children of: the pin's."""
    pin = git.gitlink(config.root, config.submodule)
    known = [each.version for each in config.upstream.releases if each.full_commit == pin]
    return known[0] if pin and known else None


def _import_below_root(config: Config, store: Path, version: str) -> str:
    root = _root(config)
    below = [_import(config, store, root, [])] if root and root != version else []
    return _import(config, store, version, below)


def _import(config: Config, store: Path, version: str, parents: list[str]) -> str:
    """The commit of a release, made with these parents unless it is here already.

    One that is here stays as it is when the pin moves: a branch may stand on it.
    """
    if old := releases(store).get(version):
        return old
    tree, text, date = _read_archive(config, store, version)
    commit = git.commit_tree(store, tree, text, parents=parents, author=_AUTHOR, date=date)
    git.set_ref(store, f"{RELEASES}/{version}", commit, f"carry: import {version}")
    return commit


def _read_archive(config: Config, store: Path, version: str) -> tuple[str, str, str]:
    """Store a release's tree; the tree's id, and the message and date of its commit to be."""
    upstream = config.upstream
    archive = obtain(config, version)
    with TemporaryDirectory(prefix=_UNPACKED, dir=config.state_dir) as folder:
        release, youngest = sdist.unpack(archive.path, Path(folder))
        commit = sdist.commit_id(release, upstream.version_file)
        _check_commit(archive.path.name, commit, upstream.release(version).commit)
        sdist.remove_generated(release, upstream.generated)
        # A partial clone would ask its remote for each file before it goes into a pack.
        packed = not remote.is_partial(store, REMOTE)
        tree = git.write_tree(store, release, packed=packed)
    lines = [
        f"{upstream.package} {version}",
        "",
        f"The tree of {archive.path.name}, less what packaging wrote.",
        "",
        f"{DIGEST_TRAILER}: {archive.sha256}",
        *([f"{COMMIT_TRAILER}: {commit}"] if commit else []),
    ]
    # The archive's own date, since not every index tells when a file was uploaded.
    return tree, "\n".join(lines), f"@{max(youngest, 0)} +0000"


def _check_commit(name: str, said: str | None, known: str) -> None:
    if said and known and not agree(said, known):
        raise UserError(
            f"{name} says it was made from commit {said}, [tool.carry] has {known}",
            hint="correct the release's commit in pyproject.toml, or do not use this file",
        )


@contextmanager
def _alone(config: Config) -> Iterator[None]:
    """One import at a time, and nothing left of one that was killed."""
    with writing_to(config.state_dir):
        config.state_dir.mkdir(exist_ok=True)
    try:
        with FileLock(config.state_dir / "import.lock", timeout=0):
            for left in config.state_dir.glob(f"{_UNPACKED}*"):
                shutil.rmtree(left)
            yield
    except Timeout as error:
        raise UserError(
            "another carry command is importing a release", hint="let it end, then run this again"
        ) from error
