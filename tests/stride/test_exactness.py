"""Each check of the exactness suites fails when it should."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from stride.case import Case, one_group
from stride.exactness import faults
from stride.search import Answer, Outcome

NULL = object()
BLOCKS = [object() for _ in range(6)]
CASE = one_group("001100", block_size=4, window=2, alignment_tokens=4)
GOOD = Answer(([NULL, NULL, BLOCKS[2], BLOCKS[3]],), 16, (4, 2, 3))
LINEAR = replace(GOOD, lists=([NULL, NULL, BLOCKS[2], BLOCKS[3]],), probes=(5, 4, 3, 2))
SHARED = [NULL, NULL, BLOCKS[2], BLOCKS[3]]


def judged(patched: Answer, upstream: Answer = LINEAR, case: Case = CASE) -> str:
    return "; ".join(faults(Outcome(case, upstream, patched, NULL)))


def test_a_good_answer_has_no_fault() -> None:
    assert judged(GOOD) == ""


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"lists": (SHARED[:3],), "length": 12}, "a hit of 12 tokens, upstream's has 16"),
        ({"lists": ([object(), *SHARED[1:]],)}, "upstream's are"),
        ({"lists": ([NULL, NULL, NULL, BLOCKS[3]],)}, "a null block inside the window"),
        ({"lists": ([NULL, BLOCKS[1], NULL, BLOCKS[3]],)}, "a null block inside the window"),
        ({"lists": (tuple(SHARED),)}, "not lists of their own"),
        ({"lists": [SHARED]}, "not a tuple with one list per group"),
        ({"lists": (SHARED, SHARED)}, "not a tuple with one list per group"),
        ({"lists": (SHARED[:3],)}, "3 blocks for 16 tokens"),
        ({"lists": ([*SHARED, NULL],)}, "5 blocks for 16 tokens"),
        ({"length": 18}, "18 tokens is no multiple of the alignment"),
        ({"length": 28}, "or more than was asked for"),
        ({"probes": (5, 4, 2, 3, 1)}, "5 lookups, upstream needs 4"),
        ({"probes": (4, 2, 2)}, "a block looked up twice"),
        ({"probes": (6, 4, 2)}, "a block looked up that the query does not reach"),
        ({"probes": (-1, 4, 2)}, "a block looked up that the query does not reach"),
        ({"lists": (), "error": "IndexError: oh"}, "raised IndexError: oh where upstream"),
    ],
)
def test_a_bad_answer_has_one(change: dict[str, Any], fault: str) -> None:
    assert fault in judged(replace(GOOD, **change))


def test_groups_must_not_share_a_list() -> None:
    case = replace(CASE, masks=CASE.masks * 2)
    upstream = replace(LINEAR, lists=(list(SHARED), list(SHARED)))
    assert judged(replace(GOOD, lists=(list(SHARED), list(SHARED))), upstream, case) == ""
    assert "not lists of their own" in judged(replace(GOOD, lists=(SHARED, SHARED)), upstream, case)


def test_an_error_of_upstreams_must_be_one_of_the_patch_too() -> None:
    refused = Answer((), 0, (), "AssertionError: no")
    assert judged(refused, refused) == ""
    assert "raised nothing where upstream raised AssertionError: no" in judged(GOOD, refused)


def test_lookups_on_an_empty_cache_are_exact() -> None:
    empty = replace(CASE, masks=("000000",))
    upstream = Answer(([],), 0, (5, 4, 3, 2, 1, 0))
    assert judged(Answer(([],), 0, (4, 2, 0)), upstream, empty) == ""
    assert "4 lookups for 3 windows and 0 hits" in judged(
        Answer(([],), 0, (4, 3, 2, 0)), upstream, empty
    )
    assert "2 lookups cannot rule out 3 windows" in judged(
        Answer(([],), 0, (4, 2)), upstream, empty
    )
    coarser = replace(empty, alignment_tokens=8)
    assert judged(Answer(([],), 0, (4, 2)), upstream, coarser) == ""
