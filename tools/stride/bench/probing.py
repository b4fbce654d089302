"""An experiment: would another order of probing a window need fewer lookups?

Nothing is looked up twice, so an order decides only how soon a block is met that is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from stride.bench import traces
from stride.bench.inputs import ALIGNED, CLUSTERED, DENSITY, Input
from stride.bench.record import Probing
from stride.cache import stand_in
from stride.case import Case
from stride.hybrid import Layers, Model
from stride.oracle import Oracle
from stride.search import run_both

#: In which order the blocks of a window, from its start to its end, are probed.
Order = Callable[[int, int], Iterator[int]]

_ONE_WINDOW = (Layers(1, window_tokens=33),)
_WITH_FULL = (Layers(16), Layers(1, window_tokens=33))
_COARSE = (Layers(64), Layers(1, window_tokens=25))
_KINDS = {"windows only": _ONE_WINDOW, "full, 16": _WITH_FULL, "full, 64": _COARSE}
_RETENTIONS = {"all kept": None, "last kept": 0}
_POOL_BLOCKS = 2_500


def forward(start: int, end: int) -> Iterator[int]:
    """From the left: the first block that is missing moves the end furthest."""
    yield from range(start, end)


def growing(start: int, end: int) -> Iterator[int]:
    """In steps of 1, 2, 4, …; then what was stepped over."""
    index, step = start, 1
    while index < end:
        yield index
        index += step
        step *= 2
    yield from range(start, end)


def backward(start: int, end: int) -> Iterator[int]:
    """The first, then from the right, as the first proposal does; but nothing twice."""
    yield from range(start, min(start + 1, end))
    yield from range(end - 1, start, -1)


def order_of_the_patch(case: Case) -> Order:
    """Backward where any missing block of a window moves the end equally far."""
    return forward if case.alignment_blocks < case.window else backward


def measure(oracle: Oracle, what: str, cases: Sequence[Case]) -> Probing:
    """Count the lookups of each order over some inputs."""
    totals: dict[Order, int] = dict.fromkeys((forward, growing, backward), 0)
    upstream = patch = more = 0
    for case in cases:
        outcome = run_both(oracle, case, stand_in)
        counts = {order: lookups(case, order) for order in totals}
        counted, needed = counts[order_of_the_patch(case)], len(outcome.patched.probes)
        if counted != needed:
            raise AssertionError(f"{case}: {counted} lookups, not the {needed} of the patch")
        upstream += len(outcome.upstream.probes)
        patch += needed
        more += counts[growing] > len(outcome.upstream.probes)
        for order, count in counts.items():
            totals[order] += count
    return Probing(
        what=what,
        inputs=len(cases),
        upstream=upstream,
        patch=patch,
        forward=totals[forward],
        growing=totals[growing],
        backward=totals[backward],
        more=more,
    )


def lookups(case: Case, order: Order) -> int:
    """What a search needs that probes in an order and remembers what it has found."""
    drop, step = int(case.eagle), case.alignment_blocks
    found: set[int] = set()
    misses = 0
    end = case.blocks - (case.blocks - drop) % step
    while True:
        new = (index for index in order(max(end - case.window, 0), end) if index not in found)
        for index in new:
            if case.is_cached(index):
                found.add(index)
            else:
                misses += 1
                end = index - (index - drop) % step
                break
        else:
            return len(found) + misses


def sets_of_inputs(
    oracle: Oracle, rows: Sequence[Input], *, quick: bool
) -> Iterator[tuple[str, list[Case]]]:
    """Traces of upstream's KV cache manager, then the rows of the benchmark."""
    lives, steps = (1, 100) if quick else (4, 200)
    for (kind, groups), (kept, retention) in (
        (one, other) for one in _KINDS.items() for other in _RETENTIONS.items()
    ):
        for eagle in (False, True):
            model = Model(groups, retention, _POOL_BLOCKS, eagle)
            name = f"trace: {kind}, {kept}{', EAGLE' * eagle}"
            yield name, traces.record(oracle, model, lives=lives, steps=steps)
    for section in (DENSITY, CLUSTERED, ALIGNED):
        for row in rows:
            if row.section == section:
                yield f"{section}: {row.name}, {row.cached}", list(row.cases)
