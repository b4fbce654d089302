"""Random rounds that are the same every time, and what may not happen between them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from carry.errors import UserError
from stride.engine import soak
from stride.engine.messages import Round
from stride.engine.models import HYBRID, MODELS

from .made_up_engine import ROUND


def rounds(*mib: int, model: str = "hybrid") -> list[Round]:
    return [replace(ROUND, model=model, number=at, memory=one << 20) for at, one in enumerate(mib)]


def test_a_round_follows_from_its_number() -> None:
    assert soak.lives(7) == soak.lives(7) != soak.lives(8)


def test_rounds_have_what_a_soak_is_for() -> None:
    many = [life for number in range(20) for life in soak.lives(number)]
    cancelled = [life for life in many if life.cancel is not None]
    assert 0.1 < len(cancelled) / len(many) < 0.4
    assert all(len(life.prompt) + life.output <= soak.LONGEST for life in many)
    beginnings = [life.prompt[:64] for life in many]
    assert len(set(beginnings)) < len(beginnings) / 2
    one = soak.lives(3)
    assert len({life.name for life in one}) == len(one)
    longer = [
        life
        for life in one
        if any(life.prompt[: len(other.prompt)] == other.prompt for other in one if other != life)
    ]
    assert len(longer) > len(one) / 5


def test_the_cache_is_too_small_for_a_round() -> None:
    for model in MODELS:
        groups = len(HYBRID.layers) if model == HYBRID else 1
        needed = sum(len(life.prompt) // 32 for life in soak.lives(1)) * groups
        assert soak.LONGEST // 32 * groups < soak.blocks(model, 32) < needed


def test_memory_may_settle_and_then_not_grow() -> None:
    steady = rounds(500, 900, 900, 950, 940, 955, 950, 900)
    soak.require_steady("patch", steady)
    assert soak.growths([*steady, *rounds(100, 100, model="other")]) == {"hybrid": 55, "other": 0}
    grown = rounds(500, 900, 900, 950, 940, 955, 950, 900 + soak.GROWTH_MIB + 1)
    with pytest.raises(UserError, match=r"hybrid: the engine grew by 65 MiB .* patch, at most 64"):
        soak.require_steady("patch", grown)


def test_a_block_that_is_not_free_after_a_round_fails() -> None:
    with pytest.raises(UserError, match="round 1: 2 blocks are not free with the search of patch"):
        soak.require_steady("patch", [ROUND, replace(ROUND, number=1, leaked=2)])
