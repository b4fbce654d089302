"""The rivals do what they are described to do, right or wrong."""

from __future__ import annotations

import pytest

from stride import seed_tables, workloads
from stride.bench.audit import audit
from stride.bench.rivals import (
    EMPTY_GUARD,
    LATTICE_EXPAND,
    NAMES,
    PATCH,
    RIGHT_TO_LEFT,
    SKIP,
    UPSTREAM,
    searches,
)
from stride.bench.rows import same
from stride.cache import stand_in
from stride.case import one_group
from stride.oracle import Oracle
from stride.real_cache import real
from stride.search import CacheOf, run

KNOWN_WRONG = one_group("101", block_size=16, window=3, alignment_tokens=16)


@pytest.mark.parametrize("name", [RIGHT_TO_LEFT, LATTICE_EXPAND])
def test_right_on_every_small_cache_of_one_and_two_groups(oracle: Oracle, name: str) -> None:
    by_name = searches(oracle)
    for blocks, groups in ((0, 1), (3, 1), (6, 1), (3, 2)):
        for case in workloads.exhaustive(blocks, groups, workloads.ALIGNMENTS):
            cache = stand_in(case)
            upstream = run(by_name[UPSTREAM], case, cache)
            assert same(upstream, run(by_name[name], case, cache)), case


@pytest.mark.parametrize("name", [RIGHT_TO_LEFT, LATTICE_EXPAND, EMPTY_GUARD])
def test_right_on_upstreams_own_pool(oracle: Oracle, name: str) -> None:
    by_name = searches(oracle)
    for case in workloads.random_cases(1, 100, 256, alignments=True):
        cache = real(case)
        upstream = run(by_name[UPSTREAM], case, cache)
        assert same(upstream, run(by_name[name], case, cache)), case


@pytest.mark.parametrize("cache_of", [stand_in, real])
def test_skip_misses_a_hit(oracle: Oracle, cache_of: CacheOf) -> None:
    cache = cache_of(KNOWN_WRONG)
    assert run(searches(oracle)[UPSTREAM], KNOWN_WRONG, cache).length == 16
    assert run(searches(oracle)[SKIP], KNOWN_WRONG, cache).length == 0


def test_empty_guard_looks_nothing_up_in_an_empty_pool(oracle: Oracle) -> None:
    case = one_group("0" * 50, block_size=16, window=8, alignment_tokens=16)
    answer = run(searches(oracle)[EMPTY_GUARD], case, real(case))
    assert (answer.lists, answer.length, answer.probes) == (([],), 0, ())


def test_right_to_left_needs_the_lookups_of_the_first_proposal(oracle: Oracle) -> None:
    search = searches(oracle)[RIGHT_TO_LEFT]
    for row, case in seed_tables.read().cases():
        assert len(run(search, case, stand_in(case)).probes) == row.lookups_stride


def test_the_audit_tells_them_apart(oracle: Oracle) -> None:
    by_name = searches(oracle)
    audits = {name: audit(by_name, name, quick=True) for name in NAMES}
    assert [name for name, one in audits.items() if one.wrong] == [SKIP]
    assert [name for name, one in audits.items() if one.stand_in] == [EMPTY_GUARD]
    assert "AttributeError" in audits[EMPTY_GUARD].stand_in
    assert audits[SKIP].smallest.startswith("mask 10, window of 2, block of 1, alignment 1: 0 ")
    assert not audits[PATCH].more_lookups and not audits[PATCH].repeated
    assert audits[RIGHT_TO_LEFT].more_lookups and audits[RIGHT_TO_LEFT].repeated
