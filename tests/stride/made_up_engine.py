"""Engine runs and results with figures that nobody measured, and interpreters that are none."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from stride.bench.rivals import PATCH, UPSTREAM
from stride.engine import figures, workloads
from stride.engine.messages import Answer, Device, Job, PhaseRun, Round
from stride.engine.record import Arm, Result

DEVICE = Device(
    kind="cpu",
    why_not={"rocm": "torch 1 is built without HIP", "cuda": "torch 1 is built without CUDA"},
    python="3.11.4",
    torch="1",
    vllm="0.1.0",
    package="vllm-made-up",
)
JOB = Job(
    overlay="manager.py", sha256="5" * 64, function="sha256:f", device="cpu", block=32, kv_gib=1
)
ROUND = Round(
    model="hybrid",
    number=0,
    answers=(),
    cancelled=1,
    preempted=2,
    steps=40,
    lookups=9,
    leaked=0,
    memory=1 << 30,
)


def answer(**changes: Any) -> Answer:
    """A request's answer."""
    return replace(Answer("prompt 0", (5, 6, 7), 64, "abc"), **changes)


def phase(**changes: Any) -> PhaseRun:
    """A phase of one request, in which the search takes a fifth of the step."""
    made_up = PhaseRun(
        model="windows only",
        pool="roomy",
        phase=workloads.EXTENDED,
        context=4_096,
        answers=(answer(),),
        prompt_tokens=4_608,
        steps=3,
        preempted=0,
        searches=1,
        lookups=128,
        wall=12_000_000,
        step=10_000_000,
        schedule=4_000_000,
        search=2_000_000,
        first_token=(8_000_000,),
        waited=(2_000_000,),
    )
    return replace(made_up, **changes)


def result() -> Result:
    """A whole session: one workload where the patch matters, one where it does not."""
    rows = figures.rows(
        {UPSTREAM: phases(), PATCH: phases(lookups=4)},
        {UPSTREAM: [phases(), phases()], PATCH: [phases(search=10_000), phases(search=10_000)]},
    )
    arm = Arm(sha256="5" * 64, function="sha256:" + "f" * 64, calls=6)
    return Result(
        outcome="passed",
        quick=False,
        device=DEVICE,
        block=32,
        runs=("upstream counted 1", "patch counted 1"),
        compared=2,
        arms={UPSTREAM: arm, PATCH: replace(arm, sha256="6" * 64)},
        walls={UPSTREAM: (10.0, 12.0), PATCH: (9.0, 11.0)},
        rows=rows,
    )


def phases(**changes: Any) -> list[PhaseRun]:
    """A warm phase with these changes, and a cold one of the hybrid, whose search is short."""
    cold = phase(model="hybrid", phase=workloads.COLD, search=1_000, waited=(1_000,), lookups=0)
    return [phase(**changes), cold]


def interpreter(folder: Path, body: str) -> Path:
    """A program that is called as an interpreter is, and does what its Python body says.

    The body finds the words after `-m MODULE` in `arguments`.
    """
    script = folder / "body.py"
    script.write_text(f"import sys\narguments = sys.argv[3:]\n{body}", "utf-8")
    program = folder / "python"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}" "$@"\n', "utf-8")
    program.chmod(0o755)
    return program
