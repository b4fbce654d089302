"""Where things stand; changes nothing and asks no network."""

from __future__ import annotations

from rich.table import Table

from carry import (
    checkout,
    duplicates,
    freshness,
    git,
    manifest,
    move,
    published,
    series,
    subject,
    swap,
)
from carry.config import Config
from carry.console import show
from carry.errors import UserError
from carry.freshness import State
from carry.sources import UPSTREAM, behind


def status(config: Config) -> None:
    """Print pin, base, series, submodule, what is under way and what the records are good for."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    about = manifest.read(config.patches_dir)
    table.add_row("pin", _pin(config))
    table.add_row("base", _base(about.base))
    table.add_row("upstream", _distance(config, about.base))
    for number, name in enumerate(series.names(config.patches_dir)):
        table.add_row("" if number else "series", name)
    table.add_row(config.submodule + "/", _submodule(config))
    table.add_row("under way", _under_way(config))
    for number, line in enumerate(_evidence(config)):
        table.add_row("" if number else "evidence", line)
    if config.pull_request.repository:
        table.add_row("duplicates", _duplicates(config))
        table.add_row("published", _published(config))
    show(table)


def _pin(config: Config) -> str:
    pin = git.gitlink(config.root, config.submodule)
    if pin is None:
        return f"none: git restore --staged {config.submodule}"
    version = next((r.version for r in config.upstream.releases if r.commit == pin), "no release")
    return f"{pin} ({version})"


def _base(base: manifest.BaseEntry) -> str:
    name = base.version or base.commit
    if base.rehearsal:
        return f"{name} (a rehearsal: of the commit only {base.commit or 'the tree'} is known)"
    return f"{name} ({base.commit})" if base.version else name


def _distance(config: Config, base: manifest.BaseEntry) -> str:
    """How far the series is behind, as far as can be told without a network."""
    if git.is_repository(config.tree):
        branch = git.resolve(config.tree, f"{UPSTREAM}/heads/{config.upstream.branch}")
        commits = behind(config.tree, base.commit, branch) if branch else None
        if commits is not None:
            return f"{commits} commit(s) behind {config.upstream.branch}, as it was last fetched"
    if not base.version:
        return "not known here: nox -s rebase asks"
    known = [release.version for release in config.upstream.releases]
    if base.version not in known:
        return "not known: the base is in no table"
    newer = known[known.index(base.version) + 1 :]
    return (
        f"{len(newer)} release(s) behind: {', '.join(newer)}" if newer else "newest known release"
    )


def _submodule(config: Config) -> str:
    if not git.is_repository(config.tree):
        return "not there yet: nox -s sync"
    tip = git.head(config.tree)
    if tip is None:
        return "empty: nox -s sync"
    notes = [f"branch {git.branch(config.tree) or 'none (detached)'} at {tip[:12]}"]
    carried = checkout.Carried.read(config.tree)
    if carried is None:
        notes.append("the series is not applied: nox -s sync")
    elif carried.patches != git.write_tree(config.tree, config.patches_dir):
        notes.append(f"{config.patches}/ has changed since: nox -s sync")
    if commits := checkout.unexported(config):
        notes.append(f"{len(commits)} commit(s) not exported: carry export")
    if changed := git.changes(config.tree):
        notes.append(f"{len(changed)} uncommitted change(s), {changed[0]} first")
    return "; ".join(notes)


def _under_way(config: Config) -> str:
    try:
        if plan := swap.pending(config):
            return f"{plan.command} was stopped while it put its result in place: any command "\
                "finishes it, carry rebase --abort takes it back"  # fmt: skip
        if waiting := move.waiting(config):
            where = move.worktree_path(config)
            return f"rebase onto {waiting.new.name}, waiting in {where}: {move.ways_out(config)}"
    except UserError as error:
        return error.line()
    if git.is_repository(config.tree) and (words := checkout.operation_under_way(config.tree)):
        return f"{words} in {config.submodule}/: finish or abort it there"
    return "nothing"


def _evidence(config: Config) -> list[str]:
    """A line for each kind of record; one that is not fresh names the command that makes it."""
    if not config.evidence:
        return []
    try:
        now = subject.present(config)
    except UserError as error:
        return [f"not known: {error.line()}"]
    return [_record(one) for one in freshness.survey(config, now)]


def _record(one: freshness.Evidence) -> str:
    if one.state is State.FRESH:
        return f"{one.kind}: fresh"
    return f"{one.kind}: {one.state} ({one.why}): {one.command}"


def _duplicates(config: Config) -> str:
    """What is to be done about other pull requests, as far as the last check knows."""
    try:
        reasons = duplicates.reasons(config, subject.present(config), None)
    except UserError as error:
        return error.line()
    return "; ".join(reasons) or "fresh, and every difference is written"


def _published(config: Config) -> str:
    try:
        last = published.last(config)
    except UserError as error:
        return error.line()
    if last is None:
        return "nothing yet"
    return f"{last.commit[:12]} on {last.fork}, {last.url or 'no pull request yet'}"
