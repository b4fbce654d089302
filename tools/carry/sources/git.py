"""Upstream's own git repository, the store's `origin`."""

from __future__ import annotations

from pathlib import Path

from carry import git
from carry.config import Config
from carry.errors import UnreachableError, UserError
from carry.sources import remote
from carry.sources.base import RELEASES, REMOTE, UPSTREAM, Base
from carry.sources.listing import Listed, Listing
from carry.sources.listing import listing as new_listing
from carry.sources.stored import is_upstreams, real_base
from carry.sources.wanted import Kind, Wanted, nearest, version_of_tag

_PATIENCE = 5.0
_FULL = 40


def ask(store: Path) -> None:
    """Return if the remote answers.

    Raises:
        UnreachableError: It does not, and why.
    """
    if not remote.listed(store, REMOTE, "HEAD", _PATIENCE):
        raise UnreachableError("git: upstream's repository is empty")


def listing(config: Config, where: Path, address: str) -> Listing:
    """What upstream's repository has: the last commit of its branch, and its releases.

    Args:
        config: The configuration.
        where: A repository to run git in.
        address: The remote's name or its address.

    Raises:
        UnreachableError: It does not answer in time, or has no such branch.
    """
    branch, tags = f"refs/heads/{config.upstream.branch}", "refs/tags/"
    found = remote.listed(where, address, "*", _PATIENCE, kinds=("--heads", "--tags"))
    if branch not in found:
        raise UnreachableError(f"git: upstream has no branch {config.upstream.branch}")
    releases = {
        version: commit
        for name, commit in found.items()
        if name.startswith(tags) and (version := version_of_tag(config, name.removeprefix(tags)))
    }
    return new_listing(
        "git",
        (Listed(version, commit) for version, commit in releases.items()),
        tip=found[branch],
    )


def take(config: Config, store: Path, wanted: Wanted) -> Base:
    """Fetch what was asked for, with the whole of its tree.

    Raises:
        UnreachableError: The transfer broke.
        UserError: Upstream has nothing of that name.
    """
    remote.make_partial(store, REMOTE)
    commit, name = _fetch(config, store, wanted)
    _complete(store, commit, name)
    return real_base(config, wanted, commit)


def fetch_branch(config: Config, store: Path) -> str:
    """Fetch the history of upstream's branch, without its files, and return its last commit.

    Raises:
        UnreachableError: Upstream does not answer, or the transfer broke.
    """
    ask(store)
    remote.make_partial(store, REMOTE)
    return _fetch_branch(config, store)[0]


def behind(store: Path, base: str, tip: str) -> int | None:
    """The number of upstream commits from `base` to `tip`, both ids of upstream's own.

    None when it is not known, since either is not in the store or was imported.
    """
    ends = [git.resolve(store, name) for name in (base, tip)]
    if None in ends or set(ends) & set(git.refs(store, f"{RELEASES}/").values()):
        return None
    # What a shallow clone has cut off cannot be counted.
    shallow = git.run(store, "rev-parse", "--is-shallow-repository") == "true"
    return None if shallow else len(git.commits(store, base, tip))


def _fetch(config: Config, store: Path, wanted: Wanted) -> tuple[str, str]:
    """Fetch what was asked for; its commit, and what the remote calls that or a later one."""
    if wanted.kind is Kind.COMMIT:
        return _fetch_id(config, store, wanted.name)
    if wanted.kind is Kind.BRANCH:
        return _fetch_branch(config, store)
    tag = config.upstream.tag_of(wanted.name) if wanted.kind is Kind.RELEASE else wanted.name
    try:
        return _fetch_ref(store, f"refs/tags/{tag}", f"{UPSTREAM}/tags/{tag}")
    except git.GitError as error:
        tags = [name.removeprefix("refs/tags/") for name in _remote_tags(store)]
        if tag in tags:
            raise _broken(error) from error
        raise UserError(
            f"upstream has no tag {tag}", hint=f"the nearest are {nearest(tag, tags)}"
        ) from error


def _fetch_branch(config: Config, store: Path) -> tuple[str, str]:
    name = f"heads/{config.upstream.branch}"
    try:
        return _fetch_ref(store, f"refs/{name}", f"{UPSTREAM}/{name}")
    except git.GitError as error:
        raise _broken(error) from error


def _fetch_id(config: Config, store: Path, commit: str) -> tuple[str, str]:
    """Fetch a commit by its id; by way of the branch where the server or a short id wants that."""
    here = git.resolve(store, commit)
    # Git does not ask the remote for what is here, so that a patch of ours would pass.
    if len(commit) == _FULL and (here is None or is_upstreams(config, store, here)):
        try:
            return _fetch_ref(store, commit, f"{UPSTREAM}/commits/{commit}")
        except git.GitError:
            # Not there, or not to be had by its id: the branch will tell.
            pass
    _, name = _fetch_branch(config, store)
    found = git.resolve(store, commit)
    if found and is_upstreams(config, store, found):
        return found, name
    raise UserError(
        f"upstream's {config.upstream.branch} has no commit {commit}",
        hint="check the id" if len(commit) == _FULL else "give all 40 digits, or check them",
    )


def _fetch_ref(store: Path, name: str, ref: str) -> tuple[str, str]:
    remote.fetch(store, REMOTE, [f"+{name}:{ref}"], f"fetching {name.removeprefix('refs/')}")
    return git.run(store, "rev-parse", "--verify", f"{ref}^{{commit}}"), name


def _remote_tags(store: Path) -> list[str]:
    try:
        return remote.refs(store, REMOTE, "refs/tags/*")
    except git.GitError as error:
        raise _broken(error) from error


def _complete(store: Path, commit: str, name: str) -> None:
    """Fetch the files of a commit that are not here yet, so that it can be used offline."""
    absent = remote.missing(store, commit)
    if not absent:
        return
    try:
        remote.fetch(store, REMOTE, absent, "fetching files")
    except git.GitError:
        # An old server gives out no single objects: then everything, once.
        try:
            remote.fetch(store, REMOTE, [name], "fetching everything", whole=True)
        except git.GitError as error:
            raise _broken(error) from error


def _broken(error: git.GitError) -> UnreachableError:
    return UnreachableError(f"git: {error.reason}")
