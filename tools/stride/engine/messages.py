"""What goes between `stride smoke` and the processes that run an engine; times in ns."""

from __future__ import annotations

import msgspec


class Device(msgspec.Struct, frozen=True, kw_only=True):
    """What an interpreter's torch and vLLM are, and the device that answers.

    Attributes:
        kind: cpu, rocm or cuda.
        name: Of the GPU; empty on a CPU.
        arch: As its maker calls it: `gfx90a`, `8.0`.
        memory: Of the GPU, in GiB.
        why_not: By kind, why there is none of it.
        python: The interpreter's version.
        torch: Its torch, empty if there is none.
        hip: The HIP that torch is built for, empty if none.
        cuda: The CUDA that torch is built for, empty if none.
        vllm: Its vLLM, empty if there is none.
        package: The distribution that vLLM came in.
        folder: Where vLLM is.
    """

    kind: str
    name: str = ""
    arch: str = ""
    memory: float = 0.0
    why_not: dict[str, str] = {}
    python: str = ""
    torch: str = ""
    hip: str = ""
    cuda: str = ""
    vllm: str = ""
    package: str = ""
    folder: str = ""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """What one process is to do.

    Attributes:
        overlay: The manager module's file that takes the place of the engine's own.
        sha256: That file's hash.
        function: The fingerprint of the search in it.
        device: cpu, rocm or cuda.
        block: Tokens in a block.
        kv_gib: Memory for the KV cache.
        counting: Count lookups and note block tables; else take times.
        quick: Fewer and shorter prompts.
        soak: Seconds to go on with random requests, 0 for none.
        rounds: For each model the rounds of a soak, where they are given.
    """

    overlay: str
    sha256: str
    function: str
    device: str
    block: int
    kv_gib: int
    counting: bool = False
    quick: bool = False
    soak: float = 0.0
    rounds: dict[str, int] = {}


class Answer(msgspec.Struct, frozen=True):
    """What became of one request.

    Attributes:
        name: The request's.
        tokens: What was generated.
        cached: Tokens of the prompt that were found in the cache.
        tables: Digest of the blocks it was found to have and was given, step by step; empty
            where they were not noted.
    """

    name: str
    tokens: tuple[int, ...]
    cached: int
    tables: str = ""


class Proof(msgspec.Struct, frozen=True, tag=True):
    """Which function a process has executed.

    Attributes:
        sha256: The hash of the file that its code says it comes from.
        function: The fingerprint of the text of the function that was called.
        calls: How often.
        block: Tokens in a block, as the engine has it.
    """

    sha256: str
    function: str
    calls: int
    block: int


class Started(msgspec.Struct, frozen=True, tag=True):
    """A phase, or a round of a soak, begins."""

    what: str


class PhaseRun(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """One phase on one engine.

    Attributes:
        model: The model's name.
        pool: How large the cache is, in words.
        phase: The phase's name.
        context: Its prompts' length.
        answers: Of each request, in the order in which they were sent.
        prompt_tokens: In all prompts.
        steps: Of the engine.
        preempted: Requests that were put back into the queue.
        searches: Calls of the search.
        lookups: Blocks looked up by it; 0 where they were not counted.
        wall: From the first request to the last answer.
        step: All steps.
        schedule: The part of them in the scheduler.
        search: The part of that in the search.
        first_token: Per request, from sending it to its first token.
        waited: Per request, the part of that in the search for it.
    """

    model: str
    pool: str
    phase: str
    context: int
    answers: tuple[Answer, ...]
    prompt_tokens: int
    steps: int
    preempted: int
    searches: int
    lookups: int
    wall: int
    step: int
    schedule: int
    search: int
    first_token: tuple[int, ...]
    waited: tuple[int, ...]

    @property
    def title(self) -> str:
        """What tells it from the other phases."""
        return f"{self.model}, {self.phase}, {self.context:,} tokens"


class Round(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """One round of a soak.

    Attributes:
        model: The model's name.
        number: The round's.
        answers: Of each request that was not cancelled.
        cancelled: Requests that were.
        preempted: Requests that were put back into the queue.
        steps: Of the engine.
        lookups: Blocks looked up by the search.
        leaked: Blocks of the cache that are not free after it.
        memory: What the process has resident, in bytes.
    """

    model: str
    number: int
    answers: tuple[Answer, ...]
    cancelled: int
    preempted: int
    steps: int
    lookups: int
    leaked: int
    memory: int


Event = Proof | Started | PhaseRun | Round
