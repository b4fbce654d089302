"""Time several functions in turn, so that they meet the same disturbances."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat
from random import Random
from statistics import median, quantiles
from time import perf_counter_ns
from typing import Any

import msgspec


@dataclass(frozen=True)
class Plan:
    """How long to measure.

    Attributes:
        rounds: In each, every function is sampled once.
        sample_ns: A sample calls its function until so much time has passed, at least.
    """

    rounds: int
    sample_ns: int


@dataclass(frozen=True)
class Call:
    """A function, and the arguments of each of the calls that are timed together."""

    function: Callable[..., Any]
    calls: Sequence[tuple[Any, ...]]


class Spread(msgspec.Struct, frozen=True):
    """The median of a row of samples, and its quartiles; in ns where they are times."""

    median: float
    low: float
    high: float


def spread(samples: Sequence[float]) -> Spread:
    """Median and quartiles."""
    if len(samples) == 1:
        return Spread(samples[0], samples[0], samples[0])
    low, middle, high = quantiles(samples, n=4, method="inclusive")
    return Spread(_short(middle), _short(low), _short(high))


def ratio(slower: Sequence[float], faster: Sequence[float]) -> float:
    """The median of the ratios within each round.

    A disturbance that lasts longer than a round is the same for both, and falls out.
    """
    return _short(median(a / b for a, b in zip(slower, faster, strict=True)))


def _short(figure: float) -> float:
    """Four significant digits, which is more than any of them is good for."""
    return float(f"{figure:.4g}")


def in_turn(calls: Mapping[str, Call], plan: Plan) -> dict[str, list[float]]:
    """Sample all functions, one after the other, round after round.

    The order is another one in each round, and each sample begins after calls that are not
    counted: the first ones meet what the search before has left in the processor.

    Returns:
        Per function the mean time of its calls in ns, one figure per round.
    """
    samples: dict[str, list[float]] = {name: [] for name in calls}
    names, random = list(calls), Random(1)  # noqa: S311  no secret is made of it
    with collector_off():
        loops = {name: _loops(call, plan.sample_ns) for name, call in calls.items()}
        for _ in range(plan.rounds):
            random.shuffle(names)  # what the one before leaves in the CPU's caches is nobody's
            for name in names:
                _time(calls[name], 1)
                times = loops[name] * len(calls[name].calls)
                samples[name].append(_time(calls[name], loops[name]) / times)
    return samples


@contextmanager
def collector_off() -> Iterator[None]:
    """Collect garbage first, and then not until the end."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _loops(call: Call, sample_ns: int) -> int:
    loops = 1
    while (spent := _time(call, loops)) < sample_ns:
        loops = max(loops + 1, min(loops * 10, int(loops * sample_ns / max(spent, 1) * 1.1)))
    return loops


def _time(call: Call, loops: int) -> int:
    function, calls = call.function, call.calls
    start = perf_counter_ns()
    for _ in repeat(None, loops):
        for arguments in calls:
            function(*arguments)
    return perf_counter_ns() - start
