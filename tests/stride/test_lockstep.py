"""The real KV cache manager with the patched search does what upstream's does, step by step."""

from __future__ import annotations

import inspect
from collections import Counter
from dataclasses import replace

import pytest

from stride import hybrid
from stride.hybrid import Call, Layers, Model
from stride.lockstep import Lockstep
from stride.oracle import SEARCH, Oracle, Side, side_from_source
from stride.twins import DivergedError

WINDOW_ONLY = (Layers(4, window_tokens=13),)
FULL_AND_WINDOW = (Layers(16), Layers(4, window_tokens=30))
THREE_SIZES = (Layers(8), Layers(4, window_tokens=21), Layers(16, window_tokens=50))
DRAFT_IN_A_GROUP = (Layers(8), Layers(8, window_tokens=30), Layers(4, window_tokens=9, drafts=True))
SHARED_SPEC = (Layers(8), Layers(4, window_tokens=21), Layers(4, window_tokens=21))
WINDOWS_ONLY = (Layers(4, window_tokens=13), Layers(8, window_tokens=40))

GROUPS = [
    WINDOW_ONLY,
    FULL_AND_WINDOW,
    THREE_SIZES,
    DRAFT_IN_A_GROUP,
    SHARED_SPEC,
    WINDOWS_ONLY,
]
POOL_BLOCKS = 120


@pytest.mark.parametrize("retention_interval", [None, 0, 64])
@pytest.mark.parametrize("eagle", [False, True])
@pytest.mark.parametrize("groups", GROUPS)
def test_same_blocks_and_hits(
    oracle: Oracle, groups: tuple[Layers, ...], eagle: bool, retention_interval: int | None
) -> None:
    calls = {side: _calls(side) for side in (oracle.base, oracle.patched)}
    for one in calls.values():
        one.clear()
    events: Counter[str] = Counter()
    for seed in range(4):
        life = Lockstep(oracle, Model(groups, retention_interval, POOL_BLOCKS, eagle), seed)
        life.run(200)
        events += life.events
    assert all(
        events[what] > 5 for what in ("hit", "no room", "preempted", "finished", "evicted")
    ), events
    _compare(calls[oracle.base], calls[oracle.patched])


def _compare(upstream: list[Call], patched: list[Call]) -> None:
    """Every search had the same hit, and none needed more lookups than upstream's."""
    assert len(upstream) == len(patched) > 100
    for theirs, mine in zip(upstream, patched, strict=True):
        assert mine == replace(theirs, lookups=mine.lookups)
        assert mine.lookups <= theirs.lookups
    assert any(call.nulls for call in patched)
    assert sum(call.lookups for call in patched) < sum(call.lookups for call in upstream)


def test_each_manager_runs_the_search_of_its_own_tree(oracle: Oracle) -> None:
    model = Model(THREE_SIZES, 0, POOL_BLOCKS)
    for side in (oracle.base, oracle.patched):
        manager = hybrid.manager(side, model).coordinator.single_type_managers[1]
        assert isinstance(manager, side.module.SlidingWindowManager)
        overridden = super(type(manager), type(manager)).find_longest_cache_hit
        assert overridden.__func__ is side.search.__func__  # type: ignore[attr-defined]
        assert inspect.getsourcefile(overridden) == str(side.module.__file__)
    texts = {inspect.getsource(side.search) for side in (oracle.base, oracle.patched)}
    assert len(texts) == 2


@pytest.mark.parametrize("groups", GROUPS)
def test_a_hit_that_is_one_block_short_is_noticed(
    oracle: Oracle, groups: tuple[Layers, ...]
) -> None:
    source = inspect.getsource(oracle.base.module)
    wrong = source.replace(
        "max_num_blocks = max_length // kv_cache_spec.block_size",
        "max_num_blocks = max(0, max_length // kv_cache_spec.block_size - 1)",
    )
    assert wrong != source
    short = side_from_source(oracle.base.tree, wrong, f"stride_short_{len(groups)}_manager")
    with pytest.raises(DivergedError, match=r"seed 0, step \d+: hit"):
        Lockstep(replace(oracle, patched=short), Model(groups, None, POOL_BLOCKS), 0).run(500)


def _calls(side: Side) -> list[Call]:
    _, manager = hybrid.recorded(side)
    assert hasattr(manager, SEARCH)
    log: list[Call] = manager.calls
    return log
