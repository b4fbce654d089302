"""A step with one search after the other in it, in upstream's own classes."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from stride.bench import manager, steps
from stride.bench.manager import Lookup
from stride.bench.rivals import PATCH, UPSTREAM, Search, searches
from stride.bench.swapped_search import Stopwatch, in_place
from stride.oracle import MANAGER_CLASS, SEARCH, Oracle

ROOT = Path(__file__).parents[2]
ONE_OF_EACH = """
import json, sys
from pathlib import Path
from stride.bench import steps
from stride.bench.home import hub_home
from stride.bench.scheduler import NeverFits, RoomForAll
from stride.oracle import load
from stride.bench.rivals import searches
with hub_home():
    by_name = searches(load(*map(Path, sys.argv[1:])))
    for situation in (RoomForAll(3, 8192), NeverFits(2, 32768)):
        step = steps.measure(by_name, situation, 2)
        print(json.dumps([step.searches, step.shares["upstream"], step.shares["patch"]]))
"""


def test_upstreams_scheduler_takes_a_step_with_each(oracle: Oracle) -> None:
    """In a process of its own: here, `tests` means this folder and not upstream's."""
    done = subprocess.run(
        [sys.executable, "-c", ONE_OF_EACH, str(oracle.base.tree), str(oracle.patched.tree)],
        env={"PYTHONPATH": str(ROOT / "tools")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    room, never = (eval(line) for line in done.stdout.splitlines())  # noqa: S307  numbers
    assert (room[0], never[0]) == (3, 1)
    assert all(0 < share < 1 for share in (*room[1:], *never[1:]))


@pytest.mark.parametrize("lookup", list(manager.lookups())[:3], ids=lambda one: one.what)
def test_upstreams_manager_looks_up_with_each(oracle: Oracle, lookup: Lookup) -> None:
    step = steps.measure(searches(oracle), lookup, 1)
    assert step.searches == 1
    assert set(step.times) == {UPSTREAM, PATCH}


class Two:
    """A step whose result depends on the search."""

    what, waiting, tokens = "made up", 1, 1

    def __init__(self) -> None:
        self.events: list[str] = []

    def prepare(self) -> None:
        self.events.append("prepare")

    def step(self) -> object:
        module: Any = import_module("vllm.v1.core.single_type_kv_cache_manager")
        found = getattr(module, MANAGER_CLASS).find_longest_cache_hit()
        self.events.append(f"step {found}")
        return found

    def after(self) -> None:
        self.events.append("after")


def both(upstream: Search, patch: Search) -> dict[str, Search]:
    return {UPSTREAM: upstream, PATCH: patch}


def test_every_round_prepares_each(oracle: Oracle) -> None:
    situation = Two()
    step = steps.measure(both(lambda: 1, lambda: 1), situation, 3)
    assert situation.events == ["prepare", "step 1", "after"] * 2 * (3 + steps.WARM_UP)
    assert step.searches == 1


def test_another_result_is_an_error(oracle: Oracle) -> None:
    with pytest.raises(steps.DifferentStepError, match="made up"):
        steps.measure(both(lambda: 1, lambda: 2), Two(), 1)


def test_upstreams_own_search_comes_back(oracle: Oracle) -> None:
    module: Any = import_module("vllm.v1.core.single_type_kv_cache_manager")
    upstreams = getattr(module, MANAGER_CLASS)
    own = upstreams.__dict__[SEARCH]
    with pytest.raises(KeyError), in_place(lambda: 1):
        assert upstreams.find_longest_cache_hit() == 1
        raise KeyError
    assert upstreams.__dict__[SEARCH] is own


def test_a_stopwatch_adds_up() -> None:
    watch = Stopwatch(lambda number, *, more: number + more)
    assert watch(1, more=2) == 3
    assert watch(2, more=2) == 4
    assert watch.calls == 2 and watch.spent > 0
    watch.reset()
    assert (watch.calls, watch.spent) == (0, 0)
