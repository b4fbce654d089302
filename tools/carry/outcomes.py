"""What tests did in two runs, compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Outcome(StrEnum):
    """What became of one test, the worst last."""

    PASSED = "passed"
    SKIPPED = "skipped"
    FAILED = "failed"
    ERROR = "error"

    @property
    def is_bad(self) -> bool:
        """Whether the test did not hold."""
        return self in (Outcome.FAILED, Outcome.ERROR)


def worst(outcomes: Iterable[Outcome]) -> Outcome:
    """The worst of several; passed when there is none."""
    return max(outcomes, key=tuple(Outcome).index, default=Outcome.PASSED)


#: Outcomes by test, each named as pytest's command line takes it.
Outcomes = Mapping[str, Outcome]


@dataclass(frozen=True)
class Comparison:
    """What each test did without the series and with it; absent where it does not exist."""

    before: Outcomes
    after: Outcomes
    #: Why a file could not be loaded, by its name; its outcome stands for its tests.
    unloadable: Mapping[str, str] = field(default_factory=dict)

    def _tests(self, chosen: Callable[[Outcome | None, Outcome | None], bool]) -> tuple[str, ...]:
        names = sorted(self.before.keys() | self.after.keys())
        return tuple(n for n in names if chosen(self.before.get(n), self.after.get(n)))

    @property
    def passed_before(self) -> tuple[str, ...]:
        """Tests that pass without the series."""
        return self._tests(lambda before, _: before is Outcome.PASSED)

    @property
    def passed_after(self) -> tuple[str, ...]:
        """Tests that pass with the series."""
        return self._tests(lambda _, after: after is Outcome.PASSED)

    @property
    def new(self) -> tuple[str, ...]:
        """Tests that exist with the series only."""
        names = self._tests(lambda before, _: before is None)
        return tuple(name for name in names if name != _file(name))

    @property
    def regressions(self) -> tuple[str, ...]:
        """Tests that pass without the series and fail, are skipped or are gone with it."""
        return self._tests(
            lambda before, after: before is Outcome.PASSED and after is not Outcome.PASSED
        )

    @property
    def new_failures(self) -> tuple[str, ...]:
        """Tests that fail with the series and, without it, do not exist or are skipped."""
        return self._tests(
            lambda before, after: before in (None, Outcome.SKIPPED) and _is_bad(after)
        )

    @property
    def failed_in_both(self) -> tuple[str, ...]:
        """Tests that fail with or without the series, which is not to blame for them."""
        return self._tests(lambda before, after: _is_bad(before) and _is_bad(after))

    @property
    def fixed(self) -> tuple[str, ...]:
        """Tests that fail without the series and pass with it."""
        return self._tests(lambda before, after: _is_bad(before) and after is Outcome.PASSED)

    @property
    def differing(self) -> tuple[str, ...]:
        """Tests that the series makes, unmakes or gives another outcome."""
        return self._tests(lambda before, after: before is not after)

    @property
    def ok(self) -> bool:
        """Whether the series breaks nothing."""
        return not self.regressions and not self.new_failures

    @property
    def files(self) -> tuple[str, ...]:
        """The files that the tests are in."""
        return tuple(sorted({_file(name) for name in self.before.keys() | self.after.keys()}))

    def of(self, file: str) -> Comparison:
        """The part that concerns one file."""
        return Comparison(
            before={name: what for name, what in self.before.items() if _file(name) == file},
            after={name: what for name, what in self.after.items() if _file(name) == file},
            unloadable={name: why for name, why in self.unloadable.items() if _file(name) == file},
        )

    def described(self, name: str) -> str:
        """The test's name; with the reason if it is a file that could not be loaded."""
        reason = self.unloadable.get(name)
        return f"{name} (cannot be loaded: {reason})" if reason else name


def _is_bad(outcome: Outcome | None) -> bool:
    return outcome is not None and outcome.is_bad


def _file(name: str) -> str:
    return name.partition("::")[0]
