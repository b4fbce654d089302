"""What hooks did, and how many did what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from carry.upstream_hooks.applying import COMMIT
from carry.upstream_hooks.preparing import Prepared


class Verdict(StrEnum):
    """What became of one hook."""

    PASSED = "passed"
    FAILED = "failed"
    WITHOUT_FILES = "without files"
    NOT_RUN = "not run"
    #: For want of a Python that a machine need not have.
    NOT_HERE = "not run here"

    @property
    def is_bad(self) -> bool:
        """Whether the series cannot be said to pass."""
        return self in (Verdict.FAILED, Verdict.NOT_RUN)


@dataclass(frozen=True)
class Outcome:
    """One hook at one stage.

    Attributes:
        hook: Which.
        stage: At which stage.
        verdict: What became of it.
        reason: Why it was not run.
        seconds: How long it took, without its installation.
        files: What it was given.
        output: What it wrote.
        diff: What it changed.
    """

    hook: Prepared
    stage: str
    verdict: Verdict
    reason: str = ""
    seconds: float = 0.0
    files: tuple[str, ...] = ()
    output: str = ""
    diff: str = ""


@dataclass(frozen=True)
class Run:
    """All of them.

    Attributes:
        outcomes: One for each hook, in upstream's order, stage by stage.
        notes: The hooks that check nothing.
        files: The files that the series changes.
        from_packages: Whether packages stood in for repositories.
        fixable: Whether some patch can take what hooks changed.
    """

    outcomes: tuple[Outcome, ...]
    notes: tuple[str, ...]
    files: tuple[str, ...]
    from_packages: bool = False
    fixable: bool = False

    def of(self, stage: str) -> list[Outcome]:
        """The part of one stage."""
        return [each for each in self.outcomes if each.stage == stage]

    @property
    def bad(self) -> list[Outcome]:
        """What keeps the series from passing."""
        return [each for each in self.outcomes if each.verdict.is_bad]

    @property
    def total(self) -> str:
        """The numbers of the stage before a commit, in words."""
        return count(self.of(COMMIT))


def count(outcomes: Sequence[Outcome]) -> str:
    """How many did what; what never happened is left out but for the first three."""
    numbers = {each: sum(o.verdict is each for o in outcomes) for each in Verdict}
    always = (Verdict.PASSED, Verdict.FAILED, Verdict.WITHOUT_FILES)
    return ", ".join(f"{n} {each}" for each, n in numbers.items() if n or each in always)
