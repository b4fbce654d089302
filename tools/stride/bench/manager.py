"""Lookups by upstream's real KV cache manager, `get_computed_blocks`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

from stride.real_cache import make_request
from stride.search import spec

#: Prompts, in tokens; one past a whole block, as the last token is always computed.
PROMPTS = (32_768, 131_072)
WINDOW_TOKENS = 1_024
_BLOCK_TOKENS = 16


@dataclass(frozen=True)
class Lookup:
    """A request is looked up in a cache.

    Attributes:
        what: The model and the cache, in words.
        tokens: Tokens in its prompt.
        full_attention: Whether the model has full attention too, besides sliding windows.
        shared: The part of the prompt that an earlier request had too, in tokens; of its
            window blocks only the last are kept.
    """

    what: str
    tokens: int
    full_attention: bool
    shared: int
    waiting = 1

    @cached_property
    def _state(self) -> tuple[Any, Any]:
        """The manager and the request."""
        manager = _manager(self.tokens // _BLOCK_TOKENS * 4, self.full_attention)
        text = list(range(self.tokens + 1))
        if self.shared:
            other = text[: self.shared] + [token + 1 for token in text[self.shared :]]
            earlier = make_request("earlier", other, _BLOCK_TOKENS)
            if manager.allocate_slots(earlier, len(other)) is None:
                raise RuntimeError(f"no room for {len(other)} tokens")
            manager.free(earlier)
        return manager, make_request("request", text, _BLOCK_TOKENS)

    def prepare(self) -> None:
        """Have the cache ready."""
        self._state  # noqa: B018

    def step(self) -> object:
        """Look the request up, and give the hit in tokens."""
        manager, request = self._state
        return manager.get_computed_blocks(request)[1]

    def after(self) -> None:
        """Nothing has changed."""


def lookups() -> Iterator[Lookup]:
    """Where the search costs something, and where it does not."""
    for tokens in PROMPTS:
        yield Lookup("windows only, nothing cached", tokens, False, 0)
        yield Lookup("full attention too, nothing cached", tokens, True, 0)
        yield Lookup("full attention too, 3/4 of the prompt cached", tokens, True, tokens // 4 * 3)


def _manager(blocks: int, full_attention: bool) -> Any:
    """A manager that keeps of a prompt what vLLM keeps by default: retention interval 0."""
    interface = import_module("vllm.v1.kv_cache_interface")
    window = spec(_BLOCK_TOKENS, WINDOW_TOKENS)
    full = interface.FullAttentionSpec(
        block_size=_BLOCK_TOKENS, num_kv_heads=1, head_size=1, dtype=window.dtype
    )
    specs = [full, window] if full_attention else [window]
    groups = [interface.KVCacheGroupSpec([str(index)], one) for index, one in enumerate(specs)]
    config = interface.KVCacheConfig(
        num_blocks=blocks,
        kv_cache_tensors=[],
        kv_cache_groups=groups,
        prefix_cache_retention_interval=0,
    )
    return import_module("vllm.v1.core.kv_cache_manager").KVCacheManager(
        config,
        max_model_len=2 * max(PROMPTS),
        scheduler_block_size=_BLOCK_TOKENS,
        hash_block_size=_BLOCK_TOKENS,
        enable_caching=True,
    )
