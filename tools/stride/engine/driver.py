"""Make an engine in this process, and drive it step by step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from time import perf_counter_ns
from typing import Any

from stride.engine.instruments import END, Instruments, sent_name
from stride.engine.messages import Answer, PhaseRun
from stride.engine.models import Model
from stride.engine.workloads import MOST_AT_ONCE, STEP_TOKENS, Ask, Phase, Plan


def make(folder: str, model: Model, *, blocks: int, block: int, longest: int, device: str) -> Any:
    """An engine whose scheduler runs in this process, one step per call, nothing in parallel."""
    vllm = import_module("vllm")
    # A tiny model on a GPU that others may use too.
    more: dict[str, Any] = {} if device == "cpu" else {"gpu_memory_utilization": 0.5}
    if model.keeps_all and hasattr(vllm.EngineArgs, "prefix_cache_retention_interval"):
        more["prefix_cache_retention_interval"] = None
    arguments = vllm.EngineArgs(
        model=folder,
        skip_tokenizer_init=True,
        load_format="safetensors",
        enforce_eager=True,
        async_scheduling=False,
        enable_prefix_caching=True,
        max_model_len=longest + 1,
        max_num_batched_tokens=STEP_TOKENS,
        max_num_seqs=MOST_AT_ONCE,
        num_gpu_blocks_override=blocks,
        block_size=block,
        seed=0,
        disable_log_stats=False,
        **more,
    )
    return vllm.LLMEngine.from_engine_args(arguments)


def scheduler_of(engine: Any) -> Any:
    """The scheduler of an engine that runs in this process."""
    return engine.engine_core.engine_core.scheduler


@dataclass
class Drive:
    """Requests on their way through an engine.

    Attributes:
        engine: The engine.
        instruments: What watches it.
        steps: Done so far.
        step: Time in them.
    """

    engine: Any
    instruments: Instruments
    steps: int = 0
    step: int = 0
    _sent: dict[str, int] = field(default_factory=dict)
    _first: dict[str, tuple[int, int]] = field(default_factory=dict)
    _done: dict[str, Any] = field(default_factory=dict)

    def send(self, name: str, prompt: Sequence[int], output: int) -> None:
        """Give the engine a request; it answers with its most likely tokens."""
        vllm = import_module("vllm")
        parameters = vllm.SamplingParams(
            temperature=0, max_tokens=output, ignore_eos=True, detokenize=False
        )
        self._sent[name] = perf_counter_ns()
        self.engine.add_request(name + END, {"prompt_token_ids": list(prompt)}, parameters)

    def advance(self) -> None:
        """One step."""
        start = perf_counter_ns()
        outputs = self.engine.step()
        now = perf_counter_ns()
        self.step += now - start
        self.steps += 1
        for output in outputs:
            name = sent_name(output.request_id)
            if name not in self._first and output.outputs[0].token_ids:
                waited = self.instruments.searched_for(name)
                self._first[name] = (now - self._sent[name], waited)
            if output.finished:
                self._done[name] = output

    def cancel(self, name: str) -> None:
        """Take a request back."""
        self.engine.abort_request([name + END])

    def is_open(self, name: str) -> bool:
        """Whether a request was sent and has no whole answer yet."""
        return name in self._sent and name not in self._done

    @property
    def is_busy(self) -> bool:
        """Whether a request waits for its answer."""
        return bool(self.engine.has_unfinished_requests())

    def answer(self, name: str, shown: str) -> Answer:
        """What became of a request that has ended."""
        output = self._done[name]
        return Answer(
            shown,
            tuple(output.outputs[0].token_ids),
            output.num_cached_tokens or 0,
            self.instruments.tables_of(name),
        )

    def first_tokens(self, names: Iterable[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Per request the time to its first token, and what of it went into the search."""
        pairs = [self._first[name] for name in names]
        return tuple(one for one, _ in pairs), tuple(two for _, two in pairs)


def run_phase(engine: Any, instruments: Instruments, plan: Plan, phase: Phase) -> PhaseRun:
    """Send a phase's waves, one after the other."""
    instruments.reset()
    drive = Drive(engine, instruments)
    begin = perf_counter_ns()
    names: dict[str, Ask] = {}
    for wave in phase.waves:
        for ask in wave:
            name = f"{phase.name}, {phase.context}, {ask.name}"
            names[name] = ask
            drive.send(name, ask.prompt, ask.output)
        while drive.is_busy:
            drive.advance()
    wall = perf_counter_ns() - begin
    first, waited = drive.first_tokens(names)
    return PhaseRun(
        model=plan.model.name,
        pool=plan.pool,
        phase=phase.name,
        context=phase.context,
        answers=tuple(drive.answer(name, ask.name) for name, ask in names.items()),
        prompt_tokens=sum(len(ask.prompt) for ask in names.values()),
        steps=drive.steps,
        preempted=instruments.preempted,
        searches=instruments.searches,
        lookups=instruments.lookups,
        wall=wall,
        step=drive.step,
        schedule=instruments.schedule,
        search=instruments.search,
        first_token=first,
        waited=waited,
    )
