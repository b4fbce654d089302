"""What the engines are asked: prompts, in the order in which they are sent.

A phase is what is measured. The phases of a plan run one after the other on one engine, so
that a later one finds in the cache what the earlier ones left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from random import Random

from stride.engine import models
from stride.engine.models import Model

COLD = "cold"
EXTENDED = "extended past a cached prompt"
LAST_BLOCK = "diverges in the last block"
HALF_WAY = "leaves a cached prompt half way"
NINE = "nine that share a prefix"
SHAPE_A_COLD, SHAPE_A_WARM = "shape of benchmark A, cold", "shape of benchmark A, warm nine"
SHAPE_B_COLD, SHAPE_B_WARM = "shape of benchmark B, cold", "shape of benchmark B, warm nine"
EVICTION_FILL, EVICTION = "eviction pressure, filling", "eviction pressure, asked again"
QUEUE = "queue of which few fit"
#: Where cached tokens must be found, or the phase shows nothing.
WARM = frozenset({EXTENDED, LAST_BLOCK, NINE, SHAPE_A_WARM, SHAPE_B_WARM})

CONTEXTS = (4_096, 32_768, 131_072)
#: What one step may compute.
STEP_TOKENS = 8_192
#: Requests that may run at the same time.
MOST_AT_ONCE = 16
_MORE, _QUESTION, _ANSWER = 512, 64, 16


@dataclass(frozen=True)
class Ask:
    """One request; it never stops before it has `output` tokens."""

    name: str
    prompt: tuple[int, ...]
    output: int


@dataclass(frozen=True)
class Phase:
    """Requests whose waves are sent one after the other, each once the one before is answered."""

    name: str
    context: int
    waves: tuple[tuple[Ask, ...], ...]

    @property
    def asks(self) -> tuple[Ask, ...]:
        """All requests."""
        return tuple(chain.from_iterable(self.waves))


@dataclass(frozen=True)
class Plan:
    """What one engine is asked.

    Attributes:
        model: The model.
        pool: How large its cache is, in words.
        blocks: The same in blocks.
        phases: In order.
    """

    model: Model
    pool: str
    blocks: int
    phases: tuple[Phase, ...]

    @property
    def longest(self) -> int:
        """Tokens of the longest request with its answer."""
        asks = chain.from_iterable(phase.asks for phase in self.phases)
        return max(len(ask.prompt) + ask.output for ask in asks)


def plans(block: int, *, quick: bool) -> Iterator[Plan]:
    """All plans; `quick` has fewer and shorter prompts.

    Args:
        block: Tokens in a block.
        quick: Whether it is a quick run.
    """
    for model in models.MODELS[: 2 if quick else 3]:
        phases = tuple(_roomy(model, block, quick))
        yield Plan(model, "roomy", _room(model, phases, block), phases)
        if not quick:
            yield _eviction(model, block)
        yield _queue(model, block, quick)


def tokens(seed: str, count: int) -> tuple[int, ...]:
    """A prompt, the same for the same seed; no token of it has a meaning of its own."""
    return tuple(Random(seed).choices(range(3, models.VOCABULARY), k=count))  # noqa: S311


def _room(model: Model, phases: tuple[Phase, ...], block: int) -> int:
    """Blocks for all that is asked; requests of one wave have their beginning in common."""
    waves = chain.from_iterable(phase.waves for phase in phases)
    needed = (
        max(len(ask.prompt) for ask in wave) + len(wave) * (_QUESTION + _ANSWER + block)
        for wave in waves
    )
    return _groups(model) * (sum(needed) // block + 1)


def _groups(model: Model) -> int:
    """Groups of layers, each of which has blocks of its own."""
    return len(model.layers) if model.is_hybrid else 1


def _roomy(model: Model, block: int, quick: bool) -> Iterator[Phase]:
    yield from _shape("A", 809, 7_298 // 9, 266 // 9, (SHAPE_A_COLD, SHAPE_A_WARM))
    yield from _shape("B", 547, 4_943 // 9, 64, (SHAPE_B_COLD, SHAPE_B_WARM))
    for context in contexts(model, quick=quick):
        yield from _warm_and_cold(model, context, block)


def contexts(model: Model, *, quick: bool) -> tuple[int, ...]:
    """The prompt lengths that a model is asked in the roomy cache.

    With full attention the time of a cold prompt grows with its square: 128K would take the
    CPU engine a quarter of an hour over all runs.
    """
    return CONTEXTS[: 1 if quick else 2 if model.is_hybrid else 3]


def _shape(seed: str, cold: int, warm: int, output: int, names: tuple[str, str]) -> Iterator[Phase]:
    """The two runs of the first proposal: one prompt, then nine with the same beginning."""
    first = Ask("cold", tokens(seed, cold), 64)
    shared = first.prompt[: cold - _QUESTION]
    nine = (
        Ask(f"question {index}", shared + tokens(f"{seed}{index}", warm - len(shared)), output)
        for index in range(9)
    )
    yield Phase(names[0], cold, ((first,),))
    yield Phase(names[1], warm, (tuple(nine),))


def _warm_and_cold(model: Model, context: int, block: int) -> Iterator[Phase]:
    count = 1 if context == CONTEXTS[-1] or (model.is_hybrid and context > CONTEXTS[0]) else 3
    prompts = [tokens(f"{context} {index}", context) for index in range(count)]
    half, inside = context // 2, context - block // 2

    def phase(name: str, asked: list[tuple[int, ...]]) -> Phase:
        waves = ((Ask(f"prompt {at}", one, _ANSWER),) for at, one in enumerate(asked))
        return Phase(name, context, tuple(waves))

    yield phase(COLD, prompts)
    yield phase(EXTENDED, [one + tokens(f"more {len(one)}", _MORE) for one in prompts])
    yield phase(LAST_BLOCK, [one[:inside] + tokens("other", block // 2) for one in prompts])
    yield phase(HALF_WAY, [one[:half] + tokens("half", half) for one in prompts])
    nine = (
        Ask(f"question {index}", prompts[0] + tokens(f"question {index}", _QUESTION), _ANSWER)
        for index in range(9)
    )
    yield Phase(NINE, context, (tuple(nine),))


def _eviction(model: Model, block: int) -> Plan:
    """More prompts than the cache holds, then each again, the last one first."""
    context = CONTEXTS[0] if model.is_hybrid else CONTEXTS[1]
    prompts = [tokens(f"eviction {index}", context) for index in range(8)]
    fill = tuple((Ask(f"prompt {at}", one, 4),) for at, one in enumerate(prompts))
    again = tuple(
        (Ask(f"prompt {at}", one + tokens("again", _MORE), 4),)
        for at, one in reversed(tuple(enumerate(prompts)))
    )
    return Plan(
        model,
        "a third of what is asked",
        _groups(model) * 3 * context // block,
        (Phase(EVICTION_FILL, context, fill), Phase(EVICTION, context, again)),
    )


def _queue(model: Model, block: int, quick: bool) -> Plan:
    """Long requests that come at once: two are let in, the first of the others is tried in vain.

    One is let in if the cache has room for what it may hold at most, that is its window and
    what a step computes; later it holds the window alone.
    """
    context = CONTEXTS[2 - quick - model.is_hybrid]
    asks = tuple(
        Ask(f"waiting {index}", tokens(f"queue {index}", context), 48)
        for index in range(4 if model.is_hybrid else 6)
    )
    windows = _groups(model) - model.is_hybrid
    whole = context // block + 2 if model.is_hybrid else 0
    at_most = windows * ((STEP_TOKENS + model.window) // block + 1) + whole
    later = windows * (model.window // block + 1) + whole
    blocks = at_most + later * 3 // 2 + 1
    return Plan(model, "two requests", blocks, (Phase(QUEUE, context, (asks,)),))
