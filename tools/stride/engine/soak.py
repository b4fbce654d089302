"""Random requests, cancelled and preempted at random: the same ones in both arms.

A round begins and ends with nothing on its way. What happens in it follows from its number
alone, so that the arms can be compared round by round.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from carry.errors import UserError
from stride.engine import driver
from stride.engine.instruments import Instruments
from stride.engine.messages import Round
from stride.engine.models import Model
from stride.engine.workloads import tokens

#: How much the memory of an engine may grow after the first rounds.
GROWTH_MIB = 64
#: Rounds of a model after which its memory is not to grow any more, as a share of all.
SETTLED = 0.25
_REQUESTS, _LONGEST_PROMPT, _LONGEST_ANSWER = 32, 3_000, 300
#: Tokens of the longest request with its answer.
LONGEST = _LONGEST_PROMPT + _LONGEST_ANSWER


def blocks(model: Model, block: int) -> int:
    """So few that requests which have begun are put back for others."""
    groups = len(model.layers) if model.is_hybrid else 1
    return groups * (LONGEST // block + 4)


@dataclass(frozen=True)
class _Life:
    """One request: when it is sent, and after how many steps it is cancelled, if at all."""

    name: str
    prompt: tuple[int, ...]
    output: int
    at: int
    cancel: int | None


def run_round(engine: Any, instruments: Instruments, model: Model, number: int) -> Round:
    """One round, from its seed."""
    instruments.reset()
    drive = driver.Drive(engine, instruments)
    all_lives = lives(number)
    waiting, cancelled = list(all_lives), set[str]()
    while waiting or drive.is_busy:
        for life in [one for one in waiting if one.at <= drive.steps or not drive.is_busy]:
            drive.send(life.name, life.prompt, life.output)
            waiting.remove(life)
        drive.advance()
        for life in all_lives:
            if life not in waiting and life.cancel == drive.steps and drive.is_open(life.name):
                drive.cancel(life.name)
                cancelled.add(life.name)
    pool = driver.scheduler_of(engine).kv_cache_manager.block_pool
    return Round(
        model=model.name,
        number=number,
        answers=tuple(
            drive.answer(life.name, life.name) for life in all_lives if life.name not in cancelled
        ),
        cancelled=len(cancelled),
        preempted=instruments.preempted,
        steps=drive.steps,
        lookups=instruments.lookups,
        leaked=pool.num_gpu_blocks - 1 - pool.get_num_free_blocks(),
        memory=_resident(),
    )


def lives(number: int) -> list[_Life]:
    """Prompts that share a beginning with those of any round, or go on from one of this round."""
    random = Random(number)  # noqa: S311
    made: list[_Life] = []
    for index in range(_REQUESTS):
        # Short ones are let in together and then grow, until one of them must make room.
        short = random.random() < 0.75
        longest = _LONGEST_PROMPT // 10 if short else _LONGEST_PROMPT
        if made and random.random() < 0.4:
            beginning = random.choice(made).prompt
        else:
            family = tokens(f"family {random.randrange(6)}", longest)
            beginning = family[: random.randrange(longest)]
        own = random.randrange(1, _LONGEST_PROMPT // 10)
        at = random.randrange(10)
        made.append(
            _Life(
                name=f"request {index}",
                prompt=(beginning + tokens(f"{number} {index}", own))[:_LONGEST_PROMPT],
                output=random.randrange(1, _LONGEST_ANSWER if short else _LONGEST_ANSWER // 10),
                at=at,
                cancel=at + random.randrange(1, 60) if random.random() < 0.25 else None,
            )
        )
    return sorted(made, key=lambda life: life.at)


def _resident() -> int:
    gc.collect()
    pages = Path("/proc/self/statm").read_text("utf-8").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def require_steady(arm: str, rounds: Sequence[Round]) -> None:
    """Refuse rounds that leave blocks behind, or between which the memory grows.

    Raises:
        UserError: They do.
    """
    for one in rounds:
        if one.leaked:
            raise UserError(
                f"{one.model}, round {one.number}: {one.leaked} blocks are not free with the"
                f" search of {arm}",
                hint="is it so with the other too? then it is vLLM's",
            )
    for model, growth in growths(rounds).items():
        if growth > GROWTH_MIB:
            raise UserError(
                f"{model}: the engine grew by {growth:.0f} MiB with the search of {arm}, at most"
                f" {GROWTH_MIB} are allowed",
                hint="is it so with the other too? then it is vLLM's",
            )


def growths(rounds: Sequence[Round]) -> dict[str, float]:
    """By model, how much the memory grew in MiB, from when it had settled to its most."""
    found = {}
    for model in dict.fromkeys(one.model for one in rounds):
        its = [one.memory for one in rounds if one.model == model]
        settled = max(its[: int(len(its) * SETTLED) + 1])
        found[model] = max(0, max(its) - settled) / 2**20
    return found
