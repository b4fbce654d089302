"""What a benchmark finds, as it is kept in its record; times in ns, sizes as named."""

from __future__ import annotations

from typing import Any

import msgspec

from stride.bench.timing import Spread


class Row(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One input, and what each search made of it.

    Attributes:
        section: What the input is there to show.
        name: Model, or shape of the prompt.
        cached: What the cache holds, in words.
        density: The share of the blocks that are cached, where that is what varies.
        blocks: The most blocks that a hit may have.
        window: Contiguous blocks that make a hit.
        block_size: Tokens in a block.
        alignment_tokens: What a hit's length is a multiple of.
        groups: Groups looked up together.
        draws: How many inputs of this shape there were, each drawn at random.
        eagle: Whether the last block is dropped.
        hit: The answer's length in tokens, the mean over all draws.
        lookups: By search, the mean; those of the floor are the fewest for an empty cache.
        times: By search, for those that gave upstream's answer, and of the floor.
        ratios: How many times as long as the patch each of these took.
        wrong: The searches that gave another answer, on one draw at least.
    """

    section: str
    name: str
    cached: str
    density: float | None = None
    blocks: int
    window: int
    block_size: int
    alignment_tokens: int
    groups: int
    eagle: bool
    draws: int = 1
    hit: float
    lookups: dict[str, float]
    times: dict[str, Spread]
    ratios: dict[str, float]
    wrong: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What tells it from the other rows."""
        return f"{self.section}: {self.name}, {self.cached} cached"


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """How one search did on every small case.

    Attributes:
        cases: How many there were.
        wrong: On how many it did not give upstream's answer.
        smallest: The smallest such case, and what is wrong with the answer; empty if none.
        more_lookups: On how many it needed more lookups than upstream.
        repeated: On how many it looked a block up twice.
        stand_in: What it says of a pool that has no more than the search may touch.
    """

    cases: int
    wrong: int
    smallest: str
    more_lookups: int
    repeated: int
    stand_in: str


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One scheduling step, or one lookup of the KV cache manager, with each search in place.

    Attributes:
        what: The situation, in words.
        waiting: Requests that wait.
        tokens: Tokens in the prompt of each.
        searches: How often the search is called.
        times: Of the whole, by search.
        search_times: Of the search alone, by search.
        shares: The search's part of the whole, by search, 0 to 1.
        ratio: How many times as long the whole takes with upstream's search as with the patch.
    """

    what: str
    waiting: int
    tokens: int
    searches: int
    times: dict[str, Spread]
    search_times: dict[str, Spread]
    shares: dict[str, float]
    ratio: float


class Probing(msgspec.Struct, frozen=True, kw_only=True):
    """A set of inputs, with the lookups of each order of probing a window; sums over all.

    Attributes:
        what: Where the inputs come from.
        inputs: How many.
        upstream: Upstream's search.
        patch: The patch's, which is one of the next and of the last.
        forward: Block by block from the left.
        growing: In growing steps.
        backward: From the right, after the first.
        more: On how many inputs growing steps needed more than upstream.
    """

    what: str
    inputs: int
    upstream: int
    patch: int
    forward: int
    growing: int
    backward: int
    more: int


class Target(msgspec.Struct, frozen=True):
    """Something that was promised, and what came out."""

    goal: str
    figure: str
    met: bool


class Bench(msgspec.Struct, frozen=True, kw_only=True):
    """Everything one run found."""

    quick: bool
    rounds: int
    sample_ms: float
    rows: tuple[Row, ...]
    audits: dict[str, Audit]
    manager: tuple[Step, ...]
    scheduler: tuple[Step, ...]
    probing: tuple[Probing, ...]
    targets: tuple[Target, ...]

    def as_result(self) -> dict[str, Any]:
        """As it stands in a record."""
        result: dict[str, Any] = msgspec.to_builtins(self)
        return result


def from_result(result: dict[str, Any]) -> Bench:
    """The counterpart of `as_result`."""
    return msgspec.convert(result, Bench)
