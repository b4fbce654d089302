"""What came of both arms, as it is kept in evidence/engine.json; times in ms."""

from __future__ import annotations

from typing import Any

import msgspec

from stride.engine.messages import Device


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One arm in one phase; of each time the least of the runs that took times.

    Attributes:
        lookups: Blocks looked up, from the run that counted.
        wall: From the first request to the last answer.
        schedule: In the scheduler.
        search: In `find_longest_cache_hit`.
        of_step: The search's share of the engine's steps.
        of_schedule: Its share of the scheduler's time.
        first_token: To the first token, median over requests.
        of_first_token: The search's share of all requests' time to their first token.
        tokens_per_second: Prompt and output tokens over the wall time.
    """

    lookups: int
    wall: float
    schedule: float
    search: float
    of_step: float
    of_schedule: float
    first_token: float
    of_first_token: float
    tokens_per_second: float


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One phase in both arms.

    Attributes:
        model: The model's name.
        pool: How large the cache was, in words.
        phase: The phase's name.
        context: Tokens in its prompts.
        requests: How many.
        cached: Tokens found in the cache, of all requests.
        prompt_tokens: Of all requests.
        output_tokens: Of all requests.
        steps: Of the engine.
        preempted: Requests put back into the queue.
        searches: Calls of the search.
        sides: By arm.
        saved: The share of the engine's step that the search no longer takes.
        wall_ratio: The wall time before over that after.
    """

    model: str
    pool: str
    phase: str
    context: int
    requests: int
    cached: int
    prompt_tokens: int
    output_tokens: int
    steps: int
    preempted: int
    searches: int
    sides: dict[str, Side]
    saved: float
    wall_ratio: float

    @property
    def title(self) -> str:
        """What tells it from the other rows."""
        return f"{self.model}, {self.phase}, {self.context // 1024}K"


class Arm(msgspec.Struct, frozen=True, kw_only=True):
    """Which function an arm executed.

    Attributes:
        sha256: The hash of the module's file.
        function: The fingerprint of the function's text.
        calls: How often it was called, over all runs.
    """

    sha256: str
    function: str
    calls: int


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The whole session.

    Attributes:
        outcome: passed or failed.
        problem: What differs, where it failed.
        quick: Whether it was a quick run.
        device: The device and the software.
        block: Tokens in a block.
        runs: The processes, in the order in which they ran.
        compared: Requests that were the same in all of them.
        arms: By name.
        walls: Seconds of all phases together, by arm, a figure per run that took times.
        rows: The phases.
    """

    outcome: str
    problem: str = ""
    quick: bool
    device: Device
    block: int
    runs: tuple[str, ...]
    compared: int = 0
    arms: dict[str, Arm]
    walls: dict[str, tuple[float, ...]] = {}
    rows: tuple[Row, ...] = ()

    def as_result(self) -> dict[str, Any]:
        """As it stands in a record."""
        result: dict[str, Any] = msgspec.to_builtins(self)
        return result


def from_result(result: dict[str, Any]) -> Result:
    """The counterpart of `as_result`."""
    return msgspec.convert(result, Result)
