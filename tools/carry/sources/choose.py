"""Find the commit that a name stands for, in the store first, then at one of the sources."""

from __future__ import annotations

from pathlib import Path

from carry.config import Config
from carry.console import say
from carry.errors import UnreachableError, UserError
from carry.sources import git as git_source
from carry.sources import lookup, pypi, stored
from carry.sources.ages import ago
from carry.sources.base import REMOTE, Base, NotListedError, Report
from carry.sources.compare import warn_of_differences
from carry.sources.stored import imported, real, releases
from carry.sources.wanted import Kind, Wanted, parse

CHOICES = ("auto", "git", "pypi")


def resolve(
    config: Config,
    store: Path,
    wanted: str,
    choice: str = "auto",
    *,
    pre: bool = False,
    report: Report = say,
) -> Base:
    """Find the upstream tree that `wanted` stands for, and bring it into the store.

    Args:
        config: The configuration.
        store: The submodule's tree, as `workspace.ensure_submodule` returns it.
        wanted: A release, a tag, a commit id; empty or `main` for upstream's branch.
        choice: `auto`, `git` or `pypi`.
        pre: Let a pre-release stand for upstream's branch where git is out of reach.
        report: Takes the line that says which source was taken and why.

    Raises:
        UserError: There is no such tree, or no source that has it can be reached.
    """
    if choice not in CHOICES:
        raise UserError(
            f"there is no source {choice!r}",
            hint=f"set --source or CARRY_SOURCE to one of {', '.join(CHOICES)}",
        )
    target = parse(config, wanted, pre=pre)
    present = _already_here(config, store, target, choice)
    if present:
        return present
    base = _from_source(config, store, target, choice, report)
    if base.version:
        warn_of_differences(config, store, base.version, report)
    return base


def here(config: Config, store: Path, wanted: str) -> Base | None:
    """The upstream tree that `wanted` stands for, if the store has it; asks no source."""
    return _already_here(config, store, parse(config, wanted), "auto")


def _from_source(config: Config, store: Path, target: Wanted, choice: str, report: Report) -> Base:
    if choice == "pypi":
        report(f"taking {target} from the Python index, as asked")
        try:
            return pypi.take(config, store, target, report)
        except UnreachableError as error:
            raise UserError(error.problem, hint="try again, or use --source git") from error
    try:
        _ask_git(config, store, target)
        why = "as asked" if choice == "git" else "which answers"
        report(f"taking {target} from upstream's git repository, {why}")
        return git_source.take(config, store, target)
    except UnreachableError as error:
        if choice == "git":
            raise UserError(
                error.problem, hint="try again, or take a release with --source pypi"
            ) from error
        return _instead_of_git(config, store, target, error, report)


def _ask_git(config: Config, store: Path, target: Wanted) -> None:
    """Return if upstream's repository answers; where its newest is wanted, what that is is kept.

    Raises:
        UnreachableError: It does not, and why.
    """
    if target.kind is Kind.BRANCH:
        lookup.from_git(config, store, REMOTE)
    else:
        git_source.ask(store)


def _already_here(config: Config, store: Path, target: Wanted, choice: str) -> Base | None:
    """What needs no source; upstream's own commit rather than an imported one."""
    if target.kind is Kind.BRANCH:
        return None
    base = real(config, store, target) if choice != "pypi" else None
    if base is None and choice != "git":
        base = imported(config, store, target)
    return base


def _instead_of_git(
    config: Config, store: Path, target: Wanted, no_git: UnreachableError, report: Report
) -> Base:
    report(f"git is out of reach ({_cause(no_git)}), so the Python index has to do")
    try:
        return pypi.take(config, store, target, report)
    except UnreachableError as no_index:
        if base := _newest_here(config, store, target):
            report(
                f"the index is out of reach, too ({no_index.problem}): taking {base.name}, the"
                f" newest that is here; {_when_asked(config)}"
            )
            return base
        here = ", ".join(releases(store))
        raise UserError(
            f"neither source can be reached: {no_git.problem}; {no_index.problem}",
            hint=f"name a release that is here: {here}"
            if here
            else "no release is here yet; mend the network or the proxy and run again",
        ) from no_index
    except NotListedError as error:
        raise UserError(
            f"{error.problem}, and git is out of reach ({_cause(no_git)})",
            hint=f"only releases can be had: {error.hint}",
        ) from error


def _newest_here(config: Config, store: Path, target: Wanted) -> Base | None:
    """What stands for upstream's branch when nobody can be asked."""
    if target.kind is not Kind.BRANCH:
        return None
    return stored.newest(config, store, pre=target.pre)


def _when_asked(config: Config) -> str:
    """Since when it is not known whether upstream has a newer one."""
    last = lookup.last(config)
    if last is None:
        return "upstream was never asked from here"
    return f"upstream was last asked {ago(last.age())}, {last.asked}"


def _cause(error: UnreachableError) -> str:
    return error.problem.removeprefix("git: ")
