"""Every small cache there is: same answer, and no bound on lookups broken."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from stride import check, workloads
from stride.oracle import Oracle

SHAPES = [(1, blocks) for blocks in range(13)]
SHAPES += [(2, blocks) for blocks in range(6)]
SHAPES += [(3, blocks) for blocks in range(4)]


@pytest.fixture(scope="module")
def alignments(oracle: Oracle) -> tuple[int, ...]:
    return tuple(filter(check.alignment_filter(oracle), workloads.ALIGNMENTS))


@pytest.mark.parametrize(("groups", "blocks"), SHAPES)
def test_every_cache_of_this_size(
    oracle: Oracle, alignments: tuple[int, ...], groups: int, blocks: int
) -> None:
    batch = check.exhaustive(blocks, groups, alignments)
    tally = check.run(oracle, batch, lambda _: None)
    assert tally.cases == batch.size > 0
    assert tally.patched_lookups <= tally.upstream_lookups


def test_the_cases_are_what_they_claim_to_be() -> None:
    cases = list(workloads.exhaustive(3, 2, (4, 8)))
    assert len(set(cases)) == len(cases) == workloads.exhaustive_size(3, 2, (4, 8))
    assert {case.masks for case in cases} == {(a, b) for a in _masks(3) for b in _masks(3)}
    assert {case.needed for case in cases if not case.eagle} == set(range(6))
    assert {case.blocks for case in cases} == {3}


def test_the_alignments_are_of_every_kind() -> None:
    block = workloads.BLOCK_TOKENS
    finer = [tokens for tokens in workloads.ALIGNMENTS if tokens < block]
    coarser = [tokens for tokens in workloads.ALIGNMENTS if tokens > block]
    assert block in workloads.ALIGNMENTS
    assert {block % tokens == 0 for tokens in finer} == {True, False}
    assert {tokens % block == 0 for tokens in coarser} == {True, False}


def test_alignments_that_upstream_refuses_are_refused_with_the_patch_too(
    oracle: Oracle, alignments: tuple[int, ...]
) -> None:
    refused = tuple(set(workloads.ALIGNMENTS) - set(alignments))
    assert check.run(oracle, check.exhaustive(2, 1, refused), lambda _: None).patched_lookups == 0


def _masks(blocks: int) -> Iterator[str]:
    return (format(bits, f"0{blocks}b") for bits in range(1 << blocks))
