"""What the engines are asked is what the workloads' names say."""

from __future__ import annotations

from itertools import pairwise

import pytest

from stride.engine import models, workloads
from stride.engine.workloads import Phase, Plan

BLOCK = 32


@pytest.fixture(scope="module")
def plans() -> list[Plan]:
    return list(workloads.plans(BLOCK, quick=False))


def shared(one: tuple[int, ...], two: tuple[int, ...]) -> int:
    """How many tokens two prompts have in common from their beginning."""
    pairs = enumerate(zip(one, two, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(two)))


def of(plans: list[Plan], name: str) -> list[Phase]:
    return [phase for plan in plans for phase in plan.phases if phase.name == name]


def test_the_same_every_time(plans: list[Plan]) -> None:
    assert list(workloads.plans(BLOCK, quick=False)) == plans


def test_every_context_is_asked_of_a_model_with_windows_only(plans: list[Plan]) -> None:
    asked = {
        model.name: {
            phase.context
            for plan in plans
            for phase in plan.phases
            if plan.model == model and phase.name == workloads.COLD
        }
        for model in models.MODELS
    }
    assert asked == {
        "windows only": {4_096, 32_768, 131_072},
        "hybrid": {4_096, 32_768},
        "small window": {4_096, 32_768, 131_072},
    }
    quick = list(workloads.plans(BLOCK, quick=True))
    assert {phase.context for phase in of(quick, workloads.COLD)} == {4_096}


def test_warm_prompts_begin_as_cold_ones_do(plans: list[Plan]) -> None:
    colds = {phase.context: phase for phase in of(plans, workloads.COLD)}
    for context, cold in colds.items():
        prompt = cold.asks[0].prompt
        for name, common in (
            (workloads.EXTENDED, context),
            (workloads.LAST_BLOCK, context - BLOCK // 2),
            (workloads.HALF_WAY, context // 2),
        ):
            phase = next(one for one in of(plans, name) if one.context == context)
            assert shared(prompt, phase.asks[0].prompt) == common
            assert len(phase.asks[0].prompt) > context - BLOCK


def test_nine_share_a_prefix_and_come_at_once(plans: list[Plan]) -> None:
    nines = (workloads.NINE, workloads.SHAPE_A_WARM, workloads.SHAPE_B_WARM)
    for phase in (one for name in nines for one in of(plans, name)):
        (wave,) = phase.waves
        assert len(wave) == 9
        for one, two in pairwise(wave):
            assert BLOCK < shared(one.prompt, two.prompt) < len(one.prompt)


def test_benchmarks_a_and_b_have_the_shape_that_was_reported(plans: list[Plan]) -> None:
    for cold, warm, tokens, batch in (
        (workloads.SHAPE_A_COLD, workloads.SHAPE_A_WARM, 809, 7_298),
        (workloads.SHAPE_B_COLD, workloads.SHAPE_B_WARM, 547, 4_943),
    ):
        one, nine = of(plans, cold)[0], of(plans, warm)[0]
        assert len(one.asks[0].prompt) == tokens and one.asks[0].output == 64
        assert abs(sum(len(ask.prompt) for ask in nine.asks) - batch) < 9


def test_pools_are_as_large_as_their_names_say(plans: list[Plan]) -> None:
    for plan in plans:
        needed = {
            phase.name: sum(len(ask.prompt) for ask in phase.asks) // BLOCK for phase in plan.phases
        }
        if plan.pool == "roomy":
            waves = [wave for phase in plan.phases for wave in phase.waves]
            longest = (max(len(ask.prompt) for ask in wave) for wave in waves)
            assert plan.blocks >= sum(longest) // BLOCK
        if workloads.EVICTION in needed and not plan.model.is_hybrid:
            assert plan.blocks < needed[workloads.EVICTION] / 2
        if workloads.QUEUE in needed:
            assert plan.blocks < sum(needed.values())


def test_no_two_requests_of_an_engine_have_the_same_name(plans: list[Plan]) -> None:
    for plan in plans:
        names = [
            (phase.name, phase.context, ask.name) for phase in plan.phases for ask in phase.asks
        ]
        assert len(set(names)) == len(names)


def test_the_longest_request_is_no_longer_than_the_model_takes(plans: list[Plan]) -> None:
    for plan in plans:
        assert plan.longest < models.LONGEST
        assert plan.longest >= max(phase.context for phase in plan.phases)
