"""Orders of probing are counted without a pool, and the patch's own as the patch counts."""

from __future__ import annotations

import pytest

from stride import workloads
from stride.bench import traces
from stride.bench.probing import (
    Order,
    backward,
    forward,
    growing,
    lookups,
    measure,
    order_of_the_patch,
)
from stride.cache import stand_in
from stride.case import one_group
from stride.hybrid import Layers, Model
from stride.oracle import Oracle
from stride.search import run_both


@pytest.mark.parametrize("order", [forward, growing, backward])
@pytest.mark.parametrize("span", [(0, 0), (3, 4), (0, 5), (5, 38)])
def test_an_order_leaves_nothing_out(order: Order, span: tuple[int, int]) -> None:
    assert set(order(*span)) == set(range(*span))


def test_growing_steps_come_before_what_they_step_over() -> None:
    assert list(growing(10, 20))[:6] == [10, 11, 13, 17, 10, 11]


def test_the_patch_has_its_order_and_no_order_needs_more_than_upstream(oracle: Oracle) -> None:
    for case in workloads.random_cases(3, 300, 128, alignments=True):
        outcome = run_both(oracle, case, stand_in)
        assert lookups(case, order_of_the_patch(case)) == len(outcome.patched.probes), case
        for order in (forward, growing, backward):
            assert lookups(case, order) <= len(outcome.upstream.probes), case


def test_sums_over_a_set(oracle: Oracle) -> None:
    case = one_group("0" * 8, block_size=1, window=4, alignment_tokens=1)
    found = measure(oracle, "two", [case, case])
    assert (found.inputs, found.upstream, found.patch, found.growing) == (2, 16, 4, 4)
    assert found.more == 0


def test_a_trace_is_what_the_manager_searched(oracle: Oracle) -> None:
    model = Model((Layers(16), Layers(4, window_tokens=13)), 0, 120)
    cases = traces.record(oracle, model, lives=1, steps=60)
    assert cases == traces.record(oracle, model, lives=1, steps=60)
    assert len(cases) > 20
    assert {(case.block_size, case.window_tokens, case.alignment_tokens) for case in cases} == {
        (4, 13, 16)
    }
    assert any("1" in case.masks[0] and "0" in case.masks[0] for case in cases)
    assert all(len(case.masks[0]) == case.blocks for case in cases)
