"""Run one arm in a fresh process, and gather what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen

import msgspec

from carry import process
from carry.errors import UserError
from stride.engine.device import TOOLS
from stride.engine.messages import Event, Job, PhaseRun, Proof, Round, Started

#: Told what a process is at.
Report = Callable[[str], None]


@dataclass(frozen=True)
class Run:
    """What one process did.

    Attributes:
        phases: In order.
        rounds: Of a soak, in order.
        proof: Which function it executed.
    """

    phases: tuple[PhaseRun, ...]
    rounds: tuple[Round, ...]
    proof: Proof


@dataclass(frozen=True)
class Places:
    """Where the processes run, and what is kept of them.

    Attributes:
        python: The interpreter of the engine's environment.
        logs: What vLLM wrote, a file per process.
        kept: What the processes said, a file per process.
        home: Where vLLM and its libraries put what they like to keep.
    """

    python: Path
    logs: Path
    kept: Path
    home: Path


def run(places: Places, name: str, job: Job, report: Report) -> Run:
    """Do a job in a process of its own.

    All it says is kept line by line, whatever becomes of it.

    Raises:
        UserError: The engine died, or ran another function than it was to.
    """
    for folder in (places.logs, places.kept):
        folder.mkdir(parents=True, exist_ok=True)
    log, kept = places.logs / f"{name}.txt", places.kept / f"{name}.jsonl"
    command: list[str | Path] = [
        places.python, "-m", "stride.engine.worker", msgspec.json.encode(job).decode(),
    ]  # fmt: skip
    environment = {
        "PYTHONPATH": str(TOOLS),
        "PYTHONDONTWRITEBYTECODE": "1",
        "VLLM_CACHE_ROOT": str(places.home / "vllm"),
        "VLLM_CONFIG_ROOT": str(places.home / "vllm"),
        "HF_HOME": str(places.home / "huggingface"),
    }
    with process.running(command, cwd=places.kept, env=environment, log=log) as child:
        events = list(_events(child, kept, report))
        code = child.wait()
    proofs = [event for event in events if isinstance(event, Proof)]
    if code or not proofs:
        last = next((one.what for one in reversed(events) if isinstance(one, Started)), "its start")
        raise UserError(
            f"the engine of {name} ended with {code} at {last}: {_last_error(log)}",
            hint=f"what it and those before it gave is kept in {places.kept}",
            log=log,
        )
    require_ran(name, job, proofs[0])
    return Run(
        tuple(event for event in events if isinstance(event, PhaseRun)),
        tuple(event for event in events if isinstance(event, Round)),
        proofs[0],
    )


def require_ran(name: str, job: Job, proof: Proof) -> None:
    """Refuse a run of another function than the one that the job names.

    Raises:
        UserError: It was another one, or it was never called.
    """
    if (proof.sha256, proof.function) != (job.sha256, job.function) or not proof.calls:
        raise UserError(
            f"the engine of {name} called {proof.function[:15]} of {proof.sha256[:8]}"
            f" {proof.calls} times, not {job.function[:15]} of {job.sha256[:8]}",
            hint="nothing it did counts; is vLLM's scheduler in another process?",
        )


def _events(child: Popen[bytes], kept: Path, report: Report) -> Iterator[Event]:
    if child.stdout is None:
        raise AssertionError("the child was started without a pipe")
    with kept.open("wb") as copy:
        for line in child.stdout:
            copy.write(line)
            event = msgspec.json.decode(line, type=Event)
            if isinstance(event, Started):
                report(event.what)
            yield event


def _last_error(log: Path) -> str:
    """The line of a log that says most about why a process ended."""
    lines = [line.strip() for line in log.read_text("utf-8", "replace").splitlines()]
    errors = [line for line in lines if "Error: " in line or "Killed" in line]
    said = (errors or [line for line in lines if line] or ["it wrote nothing"])[-1]
    return said.replace("[rank0]: ", "")[:300]
