"""One arm in a process of its own: `python -m stride.engine.worker JOB`, started by `arms`.

Its events go to what was its standard output, one JSON object a line; all that vLLM writes
goes to the log. It ends when its standard input does, so that it never outlives its parent.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import monotonic
from typing import Any

import msgspec

from stride.bench.timing import collector_off
from stride.engine import driver, models, served, soak, workloads
from stride.engine.instruments import Instruments
from stride.engine.messages import Event, Job, Proof, Started
from stride.engine.models import Model
from stride.engine.workloads import Plan

Send = Callable[[Event], None]


def main() -> None:
    """Do the job that the command line holds."""
    send = _events()
    Thread(target=_end_with_parent, daemon=True).start()
    job = msgspec.json.decode(sys.argv[1], type=Job)
    _settle_environment(job)
    served.serve(Path(job.overlay), job.sha256)
    instruments = Instruments(counting=job.counting)
    with TemporaryDirectory() as folder:
        work = _Work(job, instruments, Path(folder), send)
        if job.soak or job.rounds:
            work.soak()
        else:
            work.plans()
    digest, function = served.what_ran(instruments.function)
    send(Proof(digest, function, instruments.calls, work.cache.block_size))


def _events() -> Send:
    """Keep standard output for the events, and let all others write to standard error."""
    stream = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)

    def send(event: Event) -> None:
        stream.write(msgspec.json.encode(event) + b"\n")

    return send


def _end_with_parent() -> None:
    """End when the other end of standard input is closed, by whatever has happened there."""
    os.read(0, 1)
    os._exit(1)


def _settle_environment(job: Job) -> None:
    """What vllm must find before it is imported."""
    os.environ.update(
        {
            "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
            "VLLM_NO_USAGE_STATS": "1",
            "HF_HUB_OFFLINE": "1",
            "TRANSFORMERS_OFFLINE": "1",
        }
    )
    if job.device == "cpu":
        os.environ["VLLM_CPU_KVCACHE_SPACE"] = str(job.kv_gib)
        # A tiny model gains nothing from more threads, and on a busy machine they wait for
        # each other.
        os.environ["OMP_NUM_THREADS"] = "1"
        os.environ["VLLM_CPU_OMP_THREADS_BIND"] = "nobind"
    if job.soak or job.rounds:
        # It keeps a kernel for each shape of a batch, up to 1,024 of them, which looks like a
        # leak for a long time.
        os.environ["ONEDNN_PRIMITIVE_CACHE_CAPACITY"] = "16"


class _Work:
    """The engines of a job, one after the other: when one is made, the one before is gone."""

    def __init__(self, job: Job, instruments: Instruments, folder: Path, send: Send) -> None:
        self._job = job
        self._instruments = instruments
        self._folder = folder
        self._send = send
        #: The last engine's settings of its cache.
        self.cache: Any = None

    def plans(self) -> None:
        """Run every phase of every plan."""
        for plan in workloads.plans(self._job.block, quick=self._job.quick):
            work = partial(self._phases, plan)
            self._with_engine(plan.model, plan.blocks, plan.longest, work)

    def _phases(self, plan: Plan, engine: Any) -> None:
        for phase in plan.phases:
            self._send(Started(f"{plan.model.name}: {phase.name}, {phase.context:,} tokens"))
            # All runs do the same, so a collection would fall on the same call in each of them.
            with collector_off():
                done = driver.run_phase(engine, self._instruments, plan, phase)
            self._send(done)

    def soak(self) -> None:
        """Go on with random rounds, for a time or as many as are given."""
        for model in models.MODELS:
            blocks = soak.blocks(model, self._job.block)
            self._with_engine(model, blocks, soak.LONGEST, partial(self._rounds, model))

    def _rounds(self, model: Model, engine: Any) -> None:
        number, end = 0, monotonic() + self._job.soak / len(models.MODELS)
        given = self._job.rounds.get(model.name)
        while number < given if given is not None else monotonic() < end:
            self._send(Started(f"{model.name}: round {number}"))
            self._send(soak.run_round(engine, self._instruments, model, number))
            number += 1

    def _with_engine(
        self, model: Model, blocks: int, longest: int, work: Callable[[Any], None]
    ) -> None:
        folder = models.write(model, self._folder / model.name.replace(" ", "-"))
        engine = driver.make(
            str(folder),
            model,
            blocks=blocks,
            block=self._job.block,
            longest=longest,
            device=self._job.device,
        )
        self._instruments.attach(driver.scheduler_of(engine))
        work(engine)
        self.cache = engine.vllm_config.cache_config
        del engine
        gc.collect()


if __name__ == "__main__":
    main()
