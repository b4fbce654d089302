"""Publish the series and open its pull request, or bring both up to date.

Everything is looked at first and told; nothing is done while one reason speaks against it, nor
without the user's `--yes`. What was done is written down step by step, so that a run that ends
in between is gone on with by the next one.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from functools import partial
from hashlib import sha256

import msgspec

from carry import checkout, duplicates, fork, git, github, published, pull_request, subject, sync
from carry.config import Config
from carry.console import say
from carry.errors import UserError
from carry.fork import Fork
from carry.gate import Gate, examine
from carry.github import PullRequest
from carry.published import Published, Version
from carry.pull_request import Built
from carry.sources import Base
from carry.swap import finish_pending
from carry.workspace import ensure_submodule, locked


@dataclass(frozen=True)
class Options:
    """How it is opened: `fork` and `lease` are empty where none was given.

    `overwrite` gives up an edit that was made in the written text.
    """

    source: str = "auto"
    fork: str = ""
    lease: str = ""
    overwrite: bool = False
    yes: bool = False


@dataclass(frozen=True)
class Plan:
    """What would be published and where, as far as it is known.

    Attributes:
        base: What the series stands on.
        commit: The last commit of the series.
        lease: Where the fork's branch is expected; empty for no such branch.
        last: What was published last on this fork.
        fork: The contributor's fork.
        there: Where the fork's branch is; empty for no such branch, None if not known.
        built: The title and the text.
        present: The pull request that is open already.
    """

    base: Base
    commit: str
    lease: str
    last: Published | None
    fork: Fork | None
    there: str | None
    built: Built | None
    present: PullRequest | None


def open_pull_request(config: Config, options: Options) -> None:
    """Say what would be done and what speaks against it; do it if nothing does and it is wanted.

    Raises:
        UserError: Something speaks against it, or a step failed; the next run goes on there.
    """
    with locked(config, "pr --open"):
        ensure_submodule(config)
        finish_pending(config)
        base = sync.present_base(config, options.source)
        gate = Gate()
        examine(gate, config, base)
        plan = _plan(gate, config, base, options)
        _tell(config, plan)
        for reason in gate.reasons:
            say(f"not to be opened: {reason}", style="red")
        if gate.reasons or plan.fork is None or plan.built is None:
            raise UserError(
                f"{len(gate.reasons)} reason(s) speak against opening the pull request",
                hint="each line above says what to do; nothing was changed",
            )
        if not options.yes:
            say("dry run: nothing was changed; --yes does it")
            return
        _publish(config, plan, plan.fork, plan.built)


def _plan(gate: Gate, config: Config, base: Base, options: Options) -> Plan:
    ours = gate.ask(partial(fork.chosen, config, options.fork))
    now = subject.on(config, base)
    gate.add(gate.ask(partial(duplicates.reasons, config, now, ours)) or ())
    built = _build(gate, config, base, options)
    last = gate.ask(partial(published.last, config))
    if last and not (ours and ours.is_same(last.fork) and last.branch == config.branch):
        last = None
    commit = checkout.branch_tip(config) or ""
    there = gate.ask(partial(fork.tip, config.tree, ours, config.branch)) if ours else None
    lease = options.lease or (last.commit if last else "")
    # Where the branch is gone nothing of anybody's can be lost.
    lease = lease if there != "" else ""
    if ours and there is not None and there not in (lease, commit):
        gate.add([fork.moved(ours, config.branch, lease, there).line()])
    present = gate.ask(partial(_present, config, ours))
    return Plan(base, commit, lease, last, ours, there, built, present)


def _build(gate: Gate, config: Config, base: Base, options: Options) -> Built | None:
    """Write the text as it would be sent."""
    versions = gate.ask(partial(published.present_range_diff, config, base)) or ""
    write = partial(pull_request.write, config, options.source, options.overwrite, versions)
    built = gate.ask(write)
    gate.add([*built.problems, *built.obstacles] if built else ())
    return built


def _present(config: Config, ours: Fork | None) -> PullRequest | None:
    """The pull request that is open already; asks for gh and its login in any case."""
    github.require_login(config)
    return github.of_branch(config, ours.owner, config.branch) if ours else None


def _tell(config: Config, plan: Plan) -> None:
    """Print what would be done, as far as it is known."""
    series = len(git.commits(config.tree, plan.base.commit, plan.commit)) if plan.commit else 0
    say(f"title   {plan.built.title if plan.built else 'not known'}")
    say(f"branch  {config.branch}, {series} commit(s) on {plan.base.name}")
    say(f"commit  {plan.commit or 'none'}")
    say(f"fork    {plan.fork.address if plan.fork else 'not known'}")
    say(f"lease   {plan.lease or 'the branch is not there yet'}")
    if not plan.fork or not plan.built:
        return
    if plan.there == plan.commit:
        say("the fork has that commit already")
    else:
        words = fork.push_words(plan.fork, config.branch, plan.commit, plan.lease)
        say(shlex.join(["git", "-C", config.submodule, *words]))
    if plan.present and _is_current(plan, plan.present, plan.built):
        say(f"{plan.present.url} has this title and text already")
    else:
        say(shlex.join(["gh", *_request(config, plan, plan.fork, plan.built)]))


def _text(built: Built) -> str:
    return sha256(f"{built.title}\n\n{built.body}".encode()).hexdigest()


def _is_current(plan: Plan, present: PullRequest, built: Built) -> bool:
    """Whether what was sent last to the open pull request is what would be sent now."""
    sent = (plan.last.number, plan.last.text) if plan.last else (0, "")
    return sent == (present.number, _text(built))


def _request(config: Config, plan: Plan, ours: Fork, built: Built) -> list[str]:
    """What gh is told."""
    if plan.present:
        return github.edit_words(config, plan.present.number, built.title, built.file)
    head = f"{ours.owner}:{config.branch}"
    return github.create_words(config, head, built.title, built.file)


def _publish(config: Config, plan: Plan, ours: Fork, built: Built) -> None:
    """Push, then open or edit; each step is written down when it is done."""
    version = Published(
        fork=ours.address, branch=config.branch, commit=plan.commit, base=plan.base.commit,
        repository=github.repository(config),
    )  # fmt: skip
    if last := plan.last:
        same = last.commit == plan.commit
        before = last.before if same else Version(last.commit, last.base)
        version = msgspec.structs.replace(
            version, before=before, number=last.number, url=last.url, text=last.text
        )
    _push(config, plan, ours)
    _record(config, plan, version)
    version = _open_or_edit(config, plan, version, ours, built)
    _record(config, plan, version)
    if version != plan.last:
        say(f"commit {published.file(config)}: the next push and range-diff start from it")


def _push(config: Config, plan: Plan, ours: Fork) -> None:
    if plan.there == plan.commit:
        say("pushed already")
        return
    fork.push(config.tree, ours, config.branch, plan.commit, plan.lease)
    say(f"pushed {plan.commit[:12]} to {config.branch} on {ours.address}")


def _open_or_edit(
    config: Config, plan: Plan, version: Published, ours: Fork, built: Built
) -> Published:
    """Bring the pull request about, and say what is published then."""
    if plan.present is None:
        head = f"{ours.owner}:{config.branch}"
        number, url = github.create(config, head, built.title, built.file)
        say(f"opened {url}", style="green")
    else:
        number, url = plan.present.number, plan.present.url
        if _is_current(plan, plan.present, built):
            say(f"{url} has this title and text already")
        else:
            github.edit(config, number, built.title, built.file)
            say(f"brought {url} up to date", style="green")
    return msgspec.structs.replace(version, number=number, url=url, text=_text(built))


def _record(config: Config, plan: Plan, version: Published) -> None:
    if version != published.last(config):
        published.record(config, subject.on(config, plan.base), version)
