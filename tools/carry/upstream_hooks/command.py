"""Upstream's own hooks on the files that the series changes, and on its messages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from carry import checkout, git, series, subject, sync
from carry.config import Config
from carry.console import say
from carry.errors import UserError
from carry.sources import Base
from carry.swap import finish_pending
from carry.upstream_hooks import amending, configuration, record, report, sources, table
from carry.upstream_hooks.messages import Messages
from carry.upstream_hooks.outcomes import Run
from carry.upstream_hooks.pre_commit import PreCommit
from carry.upstream_hooks.preparing import Prepared, prepare
from carry.upstream_hooks.running import Runner
from carry.workspace import ensure_submodule, locked, throwaway_worktree


@dataclass(frozen=True)
class _Hooks:
    """Upstream's hooks, ready to run."""

    upstream: configuration.Configuration
    prepared: tuple[Prepared, ...]
    notes: tuple[str, ...]
    from_packages: bool


def hooks(config: Config, source: str, *, fix: bool) -> None:
    """Run upstream's hooks on the series as it stands in the patches folder.

    Args:
        config: The configuration.
        source: Where the base, if it is not here yet, and the hooks come from.
        fix: Put what hooks change into the patches, and run them again.

    Raises:
        UserError: A hook fails, would change something or cannot be run.
    """
    started = datetime.now(UTC)
    with locked(config, "hooks"):
        ensure_submodule(config)
        finish_pending(config)
        checkout.require_untouched(config)
        if fix:
            checkout.require_own_patches(config)
        base = sync.present_base(config, source)
        ready = _ready(config, base, source)
        run = _run(config, base, ready, fix=fix)
        if fix and run.fixable:
            say("the hooks again, on the series as it is now", style="bold")
            run = _run(config, base, ready, fix=False)
        report.end(run, base.name)
        for words in record.since_the_last(config.root, run):
            say(words, style="yellow")
        record.write(config.root, run, subject.on(config, base), started)
    if run.bad:
        _refuse(run)


def _ready(config: Config, base: Base, source: str) -> _Hooks:
    """Read upstream's configuration at the base, and choose where its hooks come from."""
    text = git.show(config.tree, f"{base.commit}:{configuration.FILE}")
    if text is None:
        raise UserError(f"{base.name} has no {configuration.FILE}", hint="there is nothing to run")
    upstream = configuration.read(text)
    known = table.load(config.root, config.hooks.table)
    wanted = [hook for hook in upstream.hooks if hook.id not in known.notes]
    packages, why = sources.from_packages(config.tree, wanted, source)
    where = "packages" if packages else "their repositories"
    say(f"upstream's hooks at {base.name} come from {where}, {why}")
    return _Hooks(
        upstream,
        tuple(prepare(hook, known, base.name, from_packages=packages) for hook in wanted),
        tuple(hook.id for hook in upstream.hooks if hook.id in known.notes),
        packages,
    )


def _run(config: Config, base: Base, ready: _Hooks, *, fix: bool) -> Run:
    """Run the hooks on the series, and say whose lines they would change."""
    snapshot = sync.build(config, base)
    commits = git.commits(config.tree, base.commit, f"{snapshot}^")
    files = git.changed_paths(config.tree, base.commit, f"{snapshot}^", present=True)
    patches = series.names(config.patches_dir)
    if not commits:
        raise UserError(f"{config.patches}/ has no patch", hint="there is nothing to run")
    with (
        throwaway_worktree(config, "hooks", commits[-1]) as worktree,
        TemporaryDirectory(dir=config.state_dir, prefix="hooks-") as scratch,
    ):
        home = config.state_dir / "pre-commit"
        program = PreCommit(worktree, home, Path(scratch), ready.upstream.settings)
        messages = Messages(worktree, commits, patches)
        runner = Runner(program, config.state_dir / "hooks", report.line)
        outcomes = runner.run_all(ready.prepared, files, messages)
        found = amending.find(worktree, messages)
        if fix and found.belong:
            amending.amend(config, base, worktree, messages, found)
    return Run(outcomes, ready.notes, tuple(files), ready.from_packages, found.belong)


def _refuse(run: Run) -> None:
    names = ", ".join(dict.fromkeys(each.hook.hook.id for each in run.bad))
    hint = "what each says stands above"
    if run.fixable:
        hint += "; nox -s lint -- --fix puts the changes into the patches whose lines they are"
    raise UserError(f"upstream's hooks do not all pass: {names}", hint=hint)
