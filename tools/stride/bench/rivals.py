"""The searches that others proposed, written from their public descriptions alone.

Each is written as tightly as it goes: the patch is to be held against their best.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stride.bench.rivals_scanning import EmptyGuard, Skip
from stride.bench.rivals_striding import LatticeExpand, RightToLeft
from stride.oracle import Oracle

Search = Callable[..., Any]

UPSTREAM = "upstream"
PATCH = "patch"
RIGHT_TO_LEFT = "right-to-left"
LATTICE_EXPAND = "lattice-expand"
SKIP = "skip"
EMPTY_GUARD = "empty-guard"
#: All searches, in the order in which they are shown.
NAMES = (UPSTREAM, PATCH, RIGHT_TO_LEFT, LATTICE_EXPAND, EMPTY_GUARD, SKIP)


def searches(oracle: Oracle) -> dict[str, Search]:
    """Upstream's search, the patch and the rivals, by name."""
    side = oracle.base
    return {
        UPSTREAM: oracle.base.search,
        PATCH: oracle.patched.search,
        RIGHT_TO_LEFT: RightToLeft(side).find_longest_cache_hit,
        LATTICE_EXPAND: LatticeExpand(side).find_longest_cache_hit,
        EMPTY_GUARD: EmptyGuard(side).find_longest_cache_hit,
        SKIP: Skip(side).find_longest_cache_hit,
    }
