"""What the store already holds, found without any network."""

from __future__ import annotations

from pathlib import Path

from carry import git
from carry.config import Config
from carry.sources.base import RELEASES, REMOTE, UPSTREAM, Base
from carry.sources.listing import Listed, is_release, listing
from carry.sources.remote import missing
from carry.sources.wanted import Kind, Wanted, agree, release_of

#: Trailer of an imported commit: upstream's commit id as the sdist itself gives it.
COMMIT_TRAILER = "Upstream-commit"
#: And of what it was made from.
DIGEST_TRAILER = "Sdist-sha256"


def releases(store: Path) -> dict[str, str]:
    """The imported releases and their commits."""
    found = git.refs(store, f"{RELEASES}/")
    return {name.removeprefix(f"{RELEASES}/"): commit for name, commit in found.items()}


def supported(config: Config, store: Path) -> list[str]:
    """The imported final releases from the oldest that the series supports on, oldest first."""
    here = listing("pypi", (Listed(version) for version in releases(store)))
    return [one.version for one in here.since(config.upstream.oldest)]


def imported(config: Config, store: Path, wanted: Wanted) -> Base | None:
    """The imported release that was asked for, by its version or either of its commit ids."""
    here = releases(store)
    version: str | None = wanted.name
    if wanted.kind is Kind.COMMIT:
        known = release_of(config, wanted.name)
        own = [name for name, commit in here.items() if agree(commit, wanted.name)]
        version = known.version if known else (own[0] if own else None)
    if version not in here or wanted.kind in (Kind.BRANCH, Kind.TAG):
        return None
    return imported_base(config, store, version, here[version])


def imported_base(config: Config, store: Path, version: str, commit: str) -> Base:
    """Describe a commit made from a release's sdist."""
    full = config.upstream.release(version).full_commit
    table = config.upstream.release(version).commit
    known_as = max(table, _trailer(store, commit, COMMIT_TRAILER), key=len)
    return Base(version, version, commit, full, known_as, "pypi")


def newest(config: Config, store: Path, *, pre: bool) -> Base | None:
    """The newest upstream that is here: its branch as it was last fetched, or a release.

    Args:
        config: The configuration.
        store: The submodule's repository.
        pre: Take pre-releases too.
    """
    here = releases(store)
    found = listing("pypi", (Listed(version) for version in here if is_release(version)))
    last = found.newest(pre=pre)
    bases = [imported_base(config, store, last.version, here[last.version])] if last else []
    tip = git.resolve(store, f"{UPSTREAM}/heads/{config.upstream.branch}")
    if tip and not missing(store, tip):
        bases.append(real_base(config, Wanted(Kind.BRANCH, config.upstream.branch), tip))
    return max(bases, key=lambda base: _time(store, base.commit), default=None)


def _time(store: Path, commit: str) -> int:
    return int(git.run(store, "log", "-1", "--format=%ct", commit))


def archive_digest(store: Path, commit: str) -> str:
    """The sha256 of the archive that an imported commit was made from."""
    return _trailer(store, commit, DIGEST_TRAILER)


def _trailer(store: Path, commit: str, name: str) -> str:
    lines = git.message(store, commit).splitlines()
    return next((line.removeprefix(f"{name}: ") for line in lines if line.startswith(name)), "")


def real(config: Config, store: Path, wanted: Wanted) -> Base | None:
    """Upstream's own commit that was asked for, if its whole tree is here."""
    commit = _real_commit(config, store, wanted)
    if commit is None or missing(store, commit):
        return None
    return real_base(config, wanted, commit)


def real_base(config: Config, wanted: Wanted, commit: str) -> Base:
    """Describe a commit of upstream's own."""
    short = commit[:7]
    if wanted.kind is Kind.BRANCH:
        return Base(f"{wanted.name} ({short})", None, commit, commit, commit, "git")
    known = release_of(config, commit)
    version = wanted.name if wanted.kind is Kind.RELEASE else known and known.version
    if version:
        return Base(version, version, commit, commit, commit, "git")
    name = f"{wanted.name} ({short})" if wanted.kind is Kind.TAG else short
    return Base(name, None, commit, commit, commit, "git")


def is_upstreams(config: Config, store: Path, commit: str) -> bool:
    """Whether a commit in the store is upstream's own, and no patch or imported release."""
    if commit in {release.full_commit for release in config.upstream.releases}:
        return True
    branch = f"refs/remotes/{REMOTE}/{config.upstream.branch}"
    return bool(git.refs(store, f"{UPSTREAM}/", "refs/tags/", branch, containing=commit))


def _real_commit(config: Config, store: Path, wanted: Wanted) -> str | None:
    if wanted.kind is Kind.BRANCH:
        return None
    if wanted.kind is Kind.COMMIT:
        commit = git.resolve(store, wanted.name)
        return commit if commit and is_upstreams(config, store, commit) else None
    tag, full = wanted.name, None
    if wanted.kind is Kind.RELEASE:
        tag = config.upstream.tag_of(wanted.name)
        full = config.upstream.release(wanted.name).full_commit
    names = [full] if full else [f"{UPSTREAM}/tags/{tag}", f"refs/tags/{tag}"]
    found = (git.resolve(store, name) for name in names)
    return next((commit for commit in found if commit), None)
