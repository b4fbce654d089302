"""Upstream's real scheduler, made as its own tests make it, and requests for it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from importlib import import_module
from typing import Any

from stride.search import spec

BLOCK_TOKENS = 16
#: The window of all layers, as in Mistral 7B and StarCoder2.
WINDOW_TOKENS = 4_096
#: What one step may compute, vLLM's default for serving.
STEP_TOKENS = 8_192
#: What one request may compute in a step, so that 32 are let in within one.
_REQUEST_TOKENS = 256
_LONGEST = 1 << 18


def make(blocks: int) -> Any:
    """The scheduler that upstream's tests make, for a cache of so many blocks."""
    upstream_tests = import_module("tests.v1.core.utils")
    with _quiet(), _triton_taken_as_there():
        return upstream_tests.create_scheduler(
            max_num_seqs=64,
            max_num_batched_tokens=STEP_TOKENS,
            long_prefill_token_threshold=_REQUEST_TOKENS,
            enable_prefix_caching=True,
            num_blocks=blocks,
            block_size=BLOCK_TOKENS,
            max_model_len=_LONGEST,
            kv_cache_spec=spec(BLOCK_TOKENS, WINDOW_TOKENS),
            skip_tokenizer_init=True,
        )


@contextmanager
def _quiet() -> Iterator[None]:
    """Hold back the warnings about a model that is described but not there."""
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


@contextmanager
def _triton_taken_as_there() -> Iterator[None]:
    """Let a configuration for the CPU be made without Triton.

    From 0.34.0 on vLLM refuses to make one on x86 without a Triton for CPUs. The scheduler runs
    no kernel, so that it needs none.
    """
    triton = import_module("vllm.triton_utils")
    before = triton.HAS_TRITON
    triton.HAS_TRITON = True  # type: ignore[attr-defined]
    try:
        yield
    finally:
        triton.HAS_TRITON = before  # type: ignore[attr-defined]


def requests(count: int, tokens: int) -> list[Any]:
    """Requests that share nothing, of so many tokens each, which never stop by themselves."""
    names = [f"{tokens} tokens, {index}" for index in range(count)]
    made: list[Any] = import_module("tests.v1.core.utils").create_requests(
        count, tokens, max_tokens=_LONGEST, ignore_eos=True, req_ids=names
    )
    return made


def model_output(names: list[str], tokens: list[list[int]]) -> Any:
    """What the model hands back of a step: the tokens of each request."""
    kind = import_module("vllm.v1.outputs").ModelRunnerOutput
    told: dict[str, Any] = {"req_ids": names, "sampled_token_ids": tokens}
    # Up to 0.33 the places in the lists are told too.
    if "req_id_to_index" in {field.name for field in fields(kind)}:
        told["req_id_to_index"] = {name: index for index, name in enumerate(names)}
    return kind(**told)


def again(request: Any) -> Any:
    """The same request as it was before it was scheduled, without hashing its prompt again."""
    hashes = request.block_hashes
    return type(request)(
        request_id=request.request_id,
        prompt_token_ids=request.prompt_token_ids,
        sampling_params=request.sampling_params,
        pooling_params=None,
        block_hasher=lambda one: hashes[len(one.block_hashes) :],
    )
