"""`stride smoke`: run the real engine with upstream's search and with the patch."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import click

from carry import evidence
from carry.console import is_terminal, say, show
from carry.errors import from_os_error
from stride import recording
from stride.bench.report import at_full_width
from stride.bench.rivals import PATCH, UPSTREAM
from stride.engine import device, overlay, page, plot, report, soak
from stride.engine.arms import Places
from stride.engine.compare import DifferentError
from stride.engine.memory import require_memory
from stride.engine.messages import Device, Job, Round
from stride.engine.progress import Progress
from stride.engine.record import Result
from stride.engine.session import Session

KIND = "engine"
#: Where a quick run writes, so that it never replaces the committed record.
QUICK_OUT = Path("build/engine")
STATE = Path(".carry")

_TREE = click.Path(path_type=Path)
_UNITS = {"s": 1, "m": 60, "h": 3600}


class Duration(click.ParamType[float]):
    """A length of time on the command line."""

    name = "time"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Seconds, from `90s`, `10m` or `1h`."""
        match = re.fullmatch(r"(\d+)([smh])", str(value))
        if match is None or not int(match[1]):
            self.fail(f"{value} is no time such as 60s, 10m or 1h", param, ctx)
        return int(match[1]) * _UNITS[match[2]]


@click.command("smoke")
@click.option("--base", type=_TREE, required=True, help="Upstream's tree without the series.")
@click.option("--patched", type=_TREE, required=True, help="The same tree with the series on it.")
@click.option(
    "--python",
    type=_TREE,
    default=sys.executable,
    envvar="STRIDE_ENGINE_PYTHON",
    show_envvar=True,
    help="The interpreter of an environment with a built vLLM.",
)
@click.option(
    "--device",
    "wanted",
    type=click.Choice(device.KINDS),
    default="auto",
    show_default=True,
    help="Without such a device nothing is run or recorded, and the exit code is 0: skipped.",
)
@click.option("--quick", is_flag=True, help="Fewer runs and shorter prompts; kept apart.")
@click.option("--soak", "soaking", type=Duration(), help="Random requests for so long: 60s, 10m.")
@click.option(
    "--kv-cache-gib",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Memory for the KV cache of the CPU engine.",
)
@click.option("--out", type=_TREE, help="Where to write; else here, or build/engine if quick.")
def smoke_command(
    *,
    base: Path,
    patched: Path,
    python: Path,
    wanted: str,
    quick: bool,
    soaking: float | None,
    kv_cache_gib: int,
    out: Path | None,
) -> None:
    """The real engine, upstream's search against the patch: same answers, and what it costs."""
    root = out or (QUICK_OUT if quick else Path())
    subject = recording.subject("smoke")
    recording.refuse_what_would_fail_later(root, "smoke", quick=quick)
    found = device.probe(python)
    try:
        chosen = device.choose(wanted, found)
    except device.NoDeviceError as error:
        say(f"skipped: {error}; docs/rocm.md says what it needs", style="yellow")
        return
    job = _job(chosen, kv_cache_gib, quick=quick)
    session = _session(base, patched, python, chosen, job)
    started = datetime.now(UTC)
    try:
        if soaking:
            _soak(session, soaking)
        else:
            _measure(session, root, subject, started)
    except OSError as error:
        raise from_os_error(error) or error from error
    finally:
        session.progress.stop()


def _job(chosen: Device, kv_gib: int, *, quick: bool) -> Job:
    """What all processes have in common; the CPU engine wants blocks of 32."""
    if chosen.kind == "cpu":
        require_memory(kv_gib)
    return Job(
        overlay="",
        sha256="",
        function="",
        device=chosen.kind,
        block=32 if chosen.kind == "cpu" else 16,
        kv_gib=kv_gib,
        quick=quick,
    )


def _session(base: Path, patched: Path, python: Path, chosen: Device, job: Job) -> Session:
    say(f"device: {device.described(chosen)}", style="bold")
    if more := device.unused(chosen):
        say(more, style="yellow")
    state = STATE.resolve()
    places = Places(
        python.absolute(), state / "logs" / "engine", state / "engine" / "kept",
        state / "engine" / "home",
    )  # fmt: skip
    before, after = overlay.make(Path(chosen.folder), base, patched, state / "engine" / "overlay")
    say(
        f"the engine is {chosen.package} {chosen.vllm}, its search is the base's"
        f" ({before.function[:15]}); after: {after.function[:15]}, put into the engine's own file"
    )
    return Session(places, chosen, {UPSTREAM: before, PATCH: after}, job, Progress())


def _measure(session: Session, root: Path, subject: evidence.Subject, started: datetime) -> None:
    try:
        result = session.measure()
    except DifferentError as error:
        _keep(session.result("failed", error.problem), root, subject, started)
        raise
    for table in report.tables(result):
        show(table if is_terminal() else at_full_width(table))
    for line in report.summary(result):
        say(line)
    file = _keep(result, root, subject, started)
    drawn = plot.draw(result, root / "docs" / "plots")
    page.refresh(root, result)
    say(f"passed; written: {file} and {drawn[0]}")


def _keep(result: Result, root: Path, subject: evidence.Subject, started: datetime) -> Path:
    record = evidence.new(
        KIND,
        result.as_result(),
        command=f"nox -s smoke{' -- --quick' if result.quick else ''}",
        started=started,
        subject=subject,
        device=device.short(result.device),
    )
    root.mkdir(parents=True, exist_ok=True)
    return evidence.write(root, record)


def _soak(session: Session, seconds: float) -> None:
    before, after = session.soak(seconds)
    for arm, rounds in ((UPSTREAM, before), (PATCH, after)):
        growth = max(soak.growths(rounds).values())
        say(
            f"{arm}: {len(rounds)} rounds, {sum(one.steps for one in rounds):,} steps,"
            f" {sum(one.cancelled for one in rounds):,} requests cancelled,"
            f" {sum(one.preempted for one in rounds):,} preempted,"
            f" {sum(one.lookups for one in rounds):,} lookups, {_cached(rounds):,} tokens found,"
            f" memory grew by {growth:.0f} MiB at most ({soak.GROWTH_MIB} allowed)"
        )
    say(f"passed: {session.compared:,} requests with the same answers, tokens found and blocks")


def _cached(rounds: Iterable[Round]) -> int:
    return sum(answer.cached for one in rounds for answer in one.answers)
