"""Time a step that searches, with one search after the other in its place."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from time import perf_counter_ns
from typing import Protocol

from stride.bench.record import Step
from stride.bench.rivals import PATCH, UPSTREAM, Search
from stride.bench.swapped_search import Stopwatch, in_place
from stride.bench.timing import collector_off, ratio, spread

#: Rounds that are not counted.
WARM_UP = 2


class Situation(Protocol):
    """Something that can be done again and again."""

    @property
    def what(self) -> str:
        """The situation, in words."""

    @property
    def waiting(self) -> int:
        """Requests that wait."""

    @property
    def tokens(self) -> int:
        """Tokens in the prompt of each."""

    def prepare(self) -> None:
        """Bring everything into the state that the step starts from; not timed."""

    def step(self) -> object:
        """Do it; the result must be the same with every search."""

    def after(self) -> None:
        """Clear up; not timed."""


class DifferentStepError(AssertionError):
    """A step came out otherwise with another search in it."""


def measure(searches: Mapping[str, Search], situation: Situation, rounds: int) -> Step:
    """Do a step with upstream's search and with the patch, in turn.

    Raises:
        DifferentStepError: The steps had different results.
    """
    watches = {name: Stopwatch(searches[name]) for name in (UPSTREAM, PATCH)}
    whole: dict[str, list[float]] = {name: [] for name in watches}
    search: dict[str, list[float]] = {name: [] for name in watches}
    with collector_off():
        for number in range(-WARM_UP, rounds):
            results = {}
            for name in sorted(watches, reverse=number % 2 == 0):
                spent, results[name] = _once(situation, watches[name])
                if number >= 0:
                    whole[name].append(spent)
                    search[name].append(watches[name].spent)
            if results[UPSTREAM] != results[PATCH]:
                raise DifferentStepError(f"{situation.what}: {results}")
    return Step(
        what=situation.what,
        waiting=situation.waiting,
        tokens=situation.tokens,
        searches=watches[PATCH].calls,
        times={name: spread(times) for name, times in whole.items()},
        search_times={name: spread(times) for name, times in search.items()},
        shares={name: _share(search[name], times) for name, times in whole.items()},
        ratio=ratio(whole[UPSTREAM], whole[PATCH]),
    )


def _once(situation: Situation, watch: Stopwatch) -> tuple[int, object]:
    situation.prepare()
    watch.reset()
    with in_place(watch):
        start = perf_counter_ns()
        result = situation.step()
        spent = perf_counter_ns() - start
    situation.after()
    return spent, result


def _share(part: list[float], whole: list[float]) -> float:
    return round(median(a / b for a, b in zip(part, whole, strict=True)), 4)
