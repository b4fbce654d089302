"""What speaks against opening the pull request; where it is not known, that speaks against it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeVar

from carry import adopt, checkout, freshness, git, series, sources, subject, verify
from carry.config import Config
from carry.errors import UnreachableError, UserError
from carry.freshness import State
from carry.sources import Base

T = TypeVar("T")


class Gate:
    """Gathers reasons, each one line that says what to do next; it is open while there is none."""

    def __init__(self) -> None:
        self.reasons: list[str] = []

    def add(self, reasons: Iterable[str]) -> None:
        """Take reasons in, each once."""
        self.reasons += [each for each in dict.fromkeys(reasons) if each not in self.reasons]

    def ask(self, question: Callable[[], T]) -> T | None:
        """The answer; None when there is none, which is a reason then."""
        try:
            return question()
        except UserError as error:
            self.add([error.line()])
            return None


def examine(gate: Gate, config: Config, base: Base) -> None:
    """Look at everything that is known of the series on this machine, and at upstream's branch."""
    for check in (_author, _series, _work, _patches, _base, _behind, _evidence):
        gate.add(gate.ask(partial(check, config, base)) or ())


def _author(config: Config, base: Base) -> list[str]:
    """Whether everybody that the commits name is somebody."""
    if config.identity[1].endswith(adopt.PLACEHOLDER):
        return [f"the series is signed off by a placeholder, {config.author}; carry adopt"]
    people = {who for patch in series.read(config.patches_dir) for _, who in patch.sign_offs}
    if tip := checkout.branch_tip(config):
        people |= set(git.addresses(config.tree, base.commit, tip))
    nobody = sorted(each for each in people if each.endswith(adopt.PLACEHOLDER))
    return [f"a commit names the placeholder {each}; carry adopt" for each in nobody]


def _series(config: Config, _: Base) -> list[str]:
    return [f"{fault}; mend it, then carry verify" for fault in verify.file_faults(config)]


def _work(config: Config, base: Base) -> list[str]:
    """Whether the submodule holds the series on its base and nothing else."""
    checkout.require_untouched(config)
    carried = checkout.Carried.read(config.tree)
    name, folder = config.submodule, config.patches
    if carried is None or carried.patches != git.write_tree(config.tree, config.patches_dir):
        return [f"{name}/ does not hold the series as it is in {folder}/; nox -s sync"]
    if not checkout.stands_on(config, base.commit, carried.tip):
        return [f"{name}/ does not stand on {base.name}, the series' base; nox -s sync"]
    if not carried.tip == git.head(config.tree) == checkout.branch_tip(config):
        return [f"{name}/ does not have the series' branch {config.branch} out; nox -s sync"]
    return []


def _patches(config: Config, base: Base) -> list[str]:
    if base.rehearsal:
        # Is not to be committed.
        return []
    changed = git.changes(config.root, config.patches, config.submodule)
    return [f"{path} has uncommitted changes; commit {config.patches}/ and the pin together"
            for path in changed[:1]]  # fmt: skip


def _base(_: Config, base: Base) -> list[str]:
    if base.rehearsal:
        return [f"on {base.name} the series is a rehearsal; nox -s rebase with git in reach"]
    if base.commit != base.upstream:
        return [f"{base.name} was made from the release's archive and shares no history with "
                "upstream; nox -s rebase with git in reach"]  # fmt: skip
    return []


def _behind(config: Config, base: Base) -> list[str]:
    """How far upstream's branch is ahead, asked of upstream now."""
    branch = config.upstream.branch
    try:
        tip = sources.fetch_branch(config, config.tree)
    except UnreachableError as error:
        return [f"upstream's {branch} cannot be asked: {error.problem}; run this with git in reach"]
    commits = sources.behind(config.tree, base.commit, tip)
    if commits is None:
        return [f"it is not known how far {base.name} is behind upstream's {branch}; nox -s rebase"]
    if not git.is_ancestor(config.tree, base.commit, tip):
        return [f"{base.name} is not on upstream's {branch}; nox -s rebase"]
    if commits > config.pull_request.behind:
        return [f"{base.name} is {commits} commit(s) behind upstream's {branch}; nox -s rebase"]
    touched = {path for patch in series.read(config.patches_dir) for path in patch.paths}
    since = touched.intersection(git.changed_paths(config.tree, base.commit, tip))
    return [f"upstream's {branch} has changed {path} since {base.name}; nox -s rebase"
            for path in sorted(since)]  # fmt: skip


def _evidence(config: Config, base: Base) -> list[str]:
    """The records that are required and that show nothing of this series on this base."""
    required = {each.kind for each in config.evidence if each.required}
    if not required:
        return ["no evidence is required; mark some in [[tool.carry.evidence]]"]
    return [
        f"{each.kind} is {each.state} ({each.why}); {each.command}"
        for each in freshness.survey(config, subject.on(config, base))
        if each.kind in required and each.state is not State.FRESH
    ]
