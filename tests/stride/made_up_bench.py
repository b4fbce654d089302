"""A benchmark's result with figures that nobody measured."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from stride import seed_tables
from stride.bench.inputs import Input, inputs
from stride.bench.record import Audit, Bench, Probing, Row, Step
from stride.bench.rivals import NAMES, PATCH, SKIP, UPSTREAM
from stride.bench.rows import FLOOR
from stride.bench.targets import targets
from stride.bench.timing import Spread

#: Lookups and µs of each search, whatever the input.
FIGURES = dict(zip((*NAMES, FLOOR), (2048, 5, 16, 15, 2048, 3, 4), strict=True))


def row(one: Input, **changes: Any) -> Row:
    """The row of an input, on which `skip` is wrong."""
    case = one.case
    made_up = Row(
        section=one.section,
        name=one.name,
        cached=one.cached,
        density=one.density,
        blocks=case.blocks,
        window=case.window,
        block_size=case.block_size,
        alignment_tokens=case.alignment_tokens,
        groups=len(case.masks),
        eagle=case.eagle,
        hit=0,
        lookups=dict(FIGURES),
        times={name: _spread(us) for name, us in FIGURES.items() if name != SKIP},
        ratios={name: us / FIGURES[PATCH] for name, us in FIGURES.items() if name != SKIP},
        wrong=(SKIP,),
    )
    return replace(made_up, **changes)


def rows() -> list[Row]:
    """One for each input of a quick run."""
    return [row(one) for one in inputs(quick=True)]


def bench() -> Bench:
    """A whole result."""
    steps = tuple(
        _step(what, waiting, tokens)
        for what in ("room for all", "queue head never fits")
        for waiting in (1, 8, 32)
        for tokens in (32_768, 131_072)
    )
    audit = Audit(
        cases=9, wrong=1, smallest="mask 1", more_lookups=2, repeated=3, stand_in="AttributeError"
    )
    probing = Probing(
        what="trace", inputs=4, upstream=90, patch=40, forward=45, growing=41, backward=50, more=0
    )
    made_up = tuple(rows())
    return Bench(
        quick=True,
        rounds=9,
        sample_ms=1.0,
        rows=made_up,
        audits=dict.fromkeys(NAMES, audit),
        manager=(_step("windows only", 1, 32_768),),
        scheduler=steps,
        probing=(probing,),
        targets=targets(made_up),
    )


def seed_rows() -> int:
    """How many rows the first proposal's tables have."""
    return len(seed_tables.read().cases())


def _step(what: str, waiting: int, tokens: int) -> Step:
    return Step(
        what=what,
        waiting=waiting,
        tokens=tokens,
        searches=waiting,
        times={UPSTREAM: _spread(2_000.0), PATCH: _spread(200.0)},
        search_times={UPSTREAM: _spread(1_800.0), PATCH: _spread(20.0)},
        shares={UPSTREAM: 0.9, PATCH: 0.1},
        ratio=10.0,
    )


def _spread(us: float) -> Spread:
    return Spread(us * 1000, us * 990, us * 1010)
