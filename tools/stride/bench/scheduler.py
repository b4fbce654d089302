"""Steps of upstream's real scheduler, in a model that has sliding windows only."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from importlib import import_module
from itertools import product
from typing import Any

from stride.bench import upstream_scheduler
from stride.bench.upstream_scheduler import BLOCK_TOKENS, STEP_TOKENS, WINDOW_TOKENS

#: Requests that wait, and tokens in the prompt of each.
WAITING, PROMPTS = (1, 8, 32), (32_768, 131_072)

#: Blocks that a waiting request must find free, whatever the length of its prompt.
_BLOCKS_TO_ENTER = (WINDOW_TOKENS + STEP_TOKENS) // BLOCK_TOKENS + 2
#: Requests that decode while another waits, and tokens in the prompt of each.
_RUNNING, _RUNNING_TOKENS = 8, 1_024


def situations() -> Iterator[Situation]:
    """Room for all, and a queue head that never fits; let go of each before the next."""
    for kind in (RoomForAll, NeverFits):
        for shape in product(WAITING, PROMPTS):
            yield kind(*shape)


class Situation(ABC):
    """A scheduler with requests that wait; `tokens` are in the prompt of each."""

    what: str

    def __init__(self, waiting: int, tokens: int) -> None:
        self.waiting, self.tokens = waiting, tokens
        self.scheduler: Any = None
        self._output: Any = None

    @abstractmethod
    def prepare(self) -> None:
        """Bring the scheduler into the state that a step starts from."""

    def step(self) -> object:
        """Schedule, and say how much of what."""
        self._output = self.scheduler.schedule()
        return self._output.num_scheduled_tokens

    def after(self) -> None:
        """Tell the scheduler that the model has run, with a token for all that decode."""
        names = list(self._output.num_scheduled_tokens)
        requests = self.scheduler.requests
        tokens = [[] if requests[name].is_prefill_chunk else [1] for name in names]
        self.scheduler.update_from_output(
            self._output, upstream_scheduler.model_output(names, tokens)
        )


class RoomForAll(Situation):
    """All that wait are looked up and let in within one step; nothing is cached."""

    what = "room for all"

    def prepare(self) -> None:
        """Let the same requests come in, as if for the first time."""
        if self.scheduler is None:
            self.scheduler = upstream_scheduler.make(self.waiting * _BLOCKS_TO_ENTER + 1)
            self._originals = upstream_scheduler.requests(self.waiting, self.tokens)
        for request in self._originals:
            self.scheduler.add_request(upstream_scheduler.again(request))

    def after(self) -> None:
        """Let all of them go, and the cache with them."""
        super().after()
        if len(self.scheduler.running) != self.waiting:
            raise RuntimeError(f"{len(self.scheduler.running)} of {self.waiting} were let in")
        aborted = import_module("vllm.v1.request").RequestStatus.FINISHED_ABORTED
        self.scheduler.finish_requests(None, aborted)
        if not self.scheduler.kv_cache_manager.reset_prefix_cache():
            raise RuntimeError("the prefix cache is still in use")


class NeverFits(Situation):
    """Some decode; the head of the queue finds no room, and is looked up at every step."""

    what = "queue head never fits"

    def prepare(self) -> None:
        """The first time, let some in until they decode, and others queue up."""
        if self.scheduler is not None:
            return
        running = _RUNNING * _RUNNING_TOKENS // BLOCK_TOKENS
        self.scheduler = upstream_scheduler.make(running + _BLOCKS_TO_ENTER // 2)
        requests = upstream_scheduler.requests(_RUNNING, _RUNNING_TOKENS)
        for request in requests:
            self.scheduler.add_request(request)
        while any(request.num_output_tokens == 0 for request in requests):
            self.step()
            super().after()
        for request in upstream_scheduler.requests(_RUNNING + self.waiting, self.tokens)[_RUNNING:]:
            self.scheduler.add_request(request)

    def after(self) -> None:
        """Go on decoding."""
        super().after()
        if len(self.scheduler.waiting) != self.waiting or len(self.scheduler.running) != _RUNNING:
            raise RuntimeError("the queue has moved")
