"""The whole benchmark, section by section."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from stride.bench import probing as orders
from stride.bench import rows as timed
from stride.bench import steps as stepped
from stride.bench.audit import audit
from stride.bench.inputs import Input, inputs
from stride.bench.manager import lookups
from stride.bench.record import Bench, Row, Step
from stride.bench.rivals import Search, searches
from stride.bench.scheduler import situations
from stride.bench.targets import targets
from stride.bench.timing import Plan
from stride.oracle import Oracle

FULL = Plan(rounds=61, sample_ns=2_000_000)
QUICK = Plan(rounds=9, sample_ns=1_000_000)

#: Told of each part that begins.
OnPart = Callable[[str], None]


def parts(*, quick: bool) -> int:
    """How often a run says that a part begins."""
    steps = [*lookups(), *situations()]
    return len(inputs(quick=quick)) + len(steps) + 2


def run(oracle: Oracle, on_part: OnPart, *, quick: bool) -> Bench:
    """Run all of it."""
    plan = QUICK if quick else FULL
    by_name = searches(oracle)
    chosen = inputs(quick=quick)
    with _what_is_loaded_is_no_garbage():
        rows = tuple(_row(by_name, one, plan, on_part) for one in chosen)
        on_part("every small case")
        audits = {name: audit(by_name, name, quick=quick) for name in by_name}
        manager = _steps(by_name, lookups(), plan.rounds, on_part)
        scheduler = _steps(by_name, situations(), plan.rounds, on_part)
        on_part("orders of probing")
        sets = orders.sets_of_inputs(oracle, chosen, quick=quick)
        probing = tuple(orders.measure(oracle, what, cases) for what, cases in sets)
    return Bench(
        quick=quick,
        rounds=plan.rounds,
        sample_ms=plan.sample_ns / 1e6,
        rows=rows,
        audits=audits,
        manager=manager,
        scheduler=scheduler,
        probing=probing,
        targets=targets(rows),
    )


def _row(by_name: dict[str, Search], one: Input, plan: Plan, on_part: OnPart) -> Row:
    on_part(f"{one.section}: {one.name}")
    return timed.measure(by_name, one, plan)


def _steps(
    by_name: dict[str, Search],
    what: Iterable[stepped.Situation],
    rounds: int,
    on_part: OnPart,
) -> tuple[Step, ...]:
    steps = []
    for situation in what:
        on_part(f"{situation.what}: {situation.waiting} x {situation.tokens // 1024}K tokens")
        steps.append(stepped.measure(by_name, situation, rounds))
    return tuple(steps)


@contextmanager
def _what_is_loaded_is_no_garbage() -> Iterator[None]:
    """Keep the collector off torch and the like, or it takes longer than the measuring."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
