"""Two KV cache managers, one over each search, that must do the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from stride import hybrid
from stride.hybrid import Model
from stride.oracle import Oracle
from stride.real_cache import make_request


class DivergedError(AssertionError):
    """The two managers did not do the same."""


@dataclass(frozen=True)
class Pair:
    """One request, as either manager knows it."""

    requests: tuple[Any, Any]

    @property
    def first(self) -> Any:
        """The one that is asked where both are the same."""
        return self.requests[0]

    @property
    def to_compute(self) -> int:
        """Tokens without a KV cache yet."""
        return int(self.first.num_tokens - self.first.num_computed_tokens)

    def set_computed(self, tokens: int) -> None:
        """Say how many tokens have a KV cache."""
        for request in self.requests:
            request.num_computed_tokens = tokens

    def append(self, token: int) -> None:
        """Add a token to the output."""
        for request in self.requests:
            request.append_output_token_ids(token)


class Twins:
    """Upstream's manager and the patched one, each with a pool of its own."""

    def __init__(self, oracle: Oracle, model: Model) -> None:
        self.model = model
        self.managers = tuple(hybrid.manager(side, model) for side in (oracle.base, oracle.patched))

    def pair(self, name: str, tokens: list[int]) -> Pair:
        """A new request for both."""
        size = self.model.hash_block_size
        return Pair((make_request(name, tokens, size), make_request(name, tokens, size)))

    def same(
        self, what: str, act: Callable[[Any, Any], Any], pair: Pair | None = None
    ) -> tuple[Any, Any]:
        """Do one thing with both managers.

        Args:
            what: What it is called when it goes wrong.
            act: Takes a manager and its side of the pair.
            pair: The request it is about, None if about none.

        Raises:
            DivergedError: The results are not the same; blocks are told apart by their ids.
        """
        requests = pair.requests if pair else (None, None)
        first, second = map(act, self.managers, requests)
        upstream, patched = _ids(first), _ids(second)
        if upstream != patched:
            raise DivergedError(f"{what}: {patched}, upstream's manager: {upstream}")
        return first, second

    def compare_state(self, running: Iterable[Pair]) -> None:
        """Hold all that the managers keep together.

        Raises:
            DivergedError: They do not keep the same.
        """
        for pair in running:
            self.same("blocks", lambda manager, one: manager.get_block_ids(one.request_id), pair)
        self.same("free blocks", lambda manager, _: manager.block_pool.get_num_free_blocks())
        self.same(
            "cached blocks", lambda manager, _: len(manager.block_pool.cached_block_hash_to_block)
        )


def _ids(result: Any) -> Any:
    """A result with block ids in the place of blocks."""
    if hasattr(result, "get_block_ids"):
        return result.get_block_ids()
    if isinstance(result, (list, tuple)):
        return [_ids(part) for part in result]
    return getattr(result, "block_id", result)
