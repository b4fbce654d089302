"""What a canary found, as one value: what the JSON holds and the Markdown shows."""

from __future__ import annotations

from enum import StrEnum

import msgspec

SCHEMA = 1


class Outcome(StrEnum):
    """What became of a step, and of the whole."""

    PASSED = "passed"
    CONFLICT = "conflict"
    FAILED = "failed"
    NOT_RUN = "not run"


class Step(msgspec.Struct, frozen=True):
    """One step: how it ended, what came out, and where it did not pass why."""

    name: str
    outcome: Outcome
    result: str = ""
    problem: str = ""
    seconds: float = 0.0


class End(msgspec.Struct, frozen=True):
    """A base by its name and upstream's commit id, as far as either is known."""

    base: str
    commit: str = ""


class Conflict(msgspec.Struct, frozen=True):
    """A patch that does not fit any more, and the files in which it does not."""

    patch: str
    files: tuple[str, ...]


class Change(msgspec.Struct, frozen=True):
    """What the move did to a patch: unchanged, changed, dropped or added."""

    subject: str
    change: str


class Function(msgspec.Struct, frozen=True):
    """A function that the series touches and upstream has rewritten, with upstream's change."""

    name: str
    diff: str


class Test(msgspec.Struct, frozen=True):
    """A test of upstream's with another outcome after the series; "" where it does not exist."""

    name: str
    before: str
    after: str


class Tests(msgspec.Struct, frozen=True):
    """Upstream's tests on the new base, without the series and with it."""

    passed_before: int
    passed_after: int
    broken: int
    differ: tuple[Test, ...]


class Hooks(msgspec.Struct, frozen=True):
    """Upstream's hooks on what the series changes; `failed` has those that could not run too."""

    total: str
    failed: tuple[str, ...]


class Commit(msgspec.Struct, frozen=True):
    """A commit of upstream's, and the files of the series that it changes."""

    commit: str
    date: str
    subject: str
    files: tuple[str, ...]


class Nearby(msgspec.Struct, frozen=True):
    """Upstream's commits since the old base that change a file of the series.

    `since` counts all commits since then, `why` says why nothing of this is known.
    """

    known: bool
    why: str = ""
    since: int = 0
    commits: tuple[Commit, ...] = ()


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All of it. `checked` is the carrying repository's commit, `started` in UTC."""

    schema: int = SCHEMA
    outcome: Outcome
    started: str
    seconds: float
    checked: str
    origin: End = msgspec.field(name="from")
    onto: End
    patches: int
    steps: tuple[Step, ...]
    checks: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    landed: tuple[str, ...] = ()
    range_diff: tuple[Change, ...] = ()
    changed_functions: tuple[Function, ...] = ()
    tests: Tests | None = None
    hooks: Hooks | None = None
    nearby: Nearby

    @property
    def worst(self) -> Step:
        """The step that the outcome comes from."""
        bad = [step for step in self.steps if step.outcome is self.outcome]
        return (bad or list(self.steps))[0]


def worst(steps: tuple[Step, ...]) -> Outcome:
    """The outcome of the whole: what was not run has passed nothing."""
    outcomes = {step.outcome for step in steps}
    if Outcome.CONFLICT in outcomes:
        return Outcome.CONFLICT
    return Outcome.PASSED if outcomes == {Outcome.PASSED} else Outcome.FAILED
