"""Inputs from public reports, with upstream's answers written down."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stride.cache import stand_in
from stride.case import Case
from stride.exactness import faults
from stride.oracle import Oracle
from stride.real_cache import real
from stride.search import Answer, CacheOf, run_both

VECTORS = json.loads(Path(__file__).with_name("vectors.json").read_text())["vectors"]


@pytest.mark.parametrize("cache_of", [stand_in, real])
@pytest.mark.parametrize(
    "vector", VECTORS, ids=lambda vector: f"{vector['source']} {vector['shows']}"
)
def test_vector(oracle: Oracle, vector: dict[str, Any], cache_of: CacheOf) -> None:
    case = _case(vector)
    outcome = run_both(oracle, case, cache_of)
    assert faults(outcome) == []
    assert len(outcome.upstream.probes) == vector["linear_lookups"]
    assert outcome.patched.length == vector["hit_tokens"]
    assert _indices(outcome.patched, outcome.null, case) == vector["blocks"]


def _case(vector: dict[str, Any]) -> Case:
    masks = tuple("".join(map(str, mask)) for mask in vector["masks"])
    return Case(
        masks=masks,
        block_size=vector["block_size"],
        window_tokens=vector["window_tokens"],
        alignment_tokens=vector["alignment_tokens"],
        max_length=len(masks[0]) * vector["block_size"],
        hash_block_size=vector["block_size"],
        eagle=vector["eagle"],
    )


def _indices(answer: Answer, null: object, case: Case) -> list[list[int]]:
    """Each group's blocks as positions in the prompt, -1 for the null block."""
    return [
        [-1 if block is null else _position(block, len(case.masks[0])) for block in blocks]
        for blocks in answer.lists
    ]


def _position(block: Any, blocks_per_group: int) -> int:
    """A real pool hands blocks out in order, group after group, after the null block."""
    if hasattr(block, "block_id"):
        return int(block.block_id - 1) % blocks_per_group
    return int(block.index)
