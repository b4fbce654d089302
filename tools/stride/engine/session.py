"""The whole session: which processes run, in which order, and what must hold of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from carry.errors import UserError
from stride.bench.rivals import PATCH, UPSTREAM
from stride.engine import arms, compare, figures, soak
from stride.engine.arms import Places, Run
from stride.engine.messages import Device, Job, PhaseRun, Round
from stride.engine.overlay import Overlay
from stride.engine.progress import Progress
from stride.engine.record import Arm, Result
from stride.engine.workloads import WARM

#: Upstream first and last in times, so that what drifts is nobody's advantage.
ORDER = ((UPSTREAM, True), (PATCH, True))
TIMED = ((UPSTREAM, False), (PATCH, False), (PATCH, False), (UPSTREAM, False))


@dataclass
class Session:
    """One A/B: both arms in fresh processes, in turn, each held against the first.

    Attributes:
        places: Where the processes run.
        device: On what.
        overlays: By arm, the module it is to run.
        job: What all processes have in common.
        progress: Told what goes on.
    """

    places: Places
    device: Device
    overlays: Mapping[str, Overlay]
    job: Job
    progress: Progress
    compared: int = 0
    names: list[str] = field(default_factory=list)
    _runs: list[tuple[str, bool, Run]] = field(default_factory=list)

    def measure(self) -> Result:
        """Count, then take times.

        Raises:
            UserError: An engine died, or nothing was found in a cache where it had to be.
            DifferentError: The arms differ.
        """
        for arm, counting in (*ORDER, *(TIMED[:2] if self.job.quick else TIMED)):
            run = self._run(arm, replace(self.job, counting=counting))
            first = self._runs[0][2]
            self.compared = compare.require_same(self.names[-1], first.phases, run.phases)
        counted = {arm: run.phases for arm, counting, run in self._runs if counting}
        require_hits(counted[UPSTREAM])
        require_no_more_lookups(counted)
        timed: dict[str, list[Sequence[PhaseRun]]] = {UPSTREAM: [], PATCH: []}
        for arm, counting, run in self._runs:
            if not counting:
                timed[arm].append(run.phases)
        return replace(
            self.result("passed"), rows=figures.rows(counted, timed), walls=figures.walls(timed)
        )

    def soak(self, seconds: float) -> tuple[tuple[Round, ...], tuple[Round, ...]]:
        """Random rounds with upstream's search for half of the time, then the same with ours.

        Raises:
            UserError: An engine died, leaked blocks, or grew.
            DifferentError: The arms differ.
        """
        job = replace(self.job, counting=True)
        before = self._run(UPSTREAM, replace(job, soak=seconds / 2)).rounds
        rounds: dict[str, int] = {}
        for one in before:
            rounds[one.model] = one.number + 1
        after = self._run(PATCH, replace(job, rounds=rounds)).rounds
        self.compared = compare.require_same_rounds(PATCH, before, after)
        for arm, its in ((UPSTREAM, before), (PATCH, after)):
            soak.require_steady(arm, its)
        return before, after

    def result(self, outcome: str, problem: str = "") -> Result:
        """What is known so far, without figures."""
        return Result(
            outcome=outcome,
            problem=problem,
            quick=self.job.quick,
            device=replace(self.device, folder=""),  # of this machine, and nobody else's
            block=self._runs[0][2].proof.block if self._runs else self.job.block,
            runs=tuple(self.names),
            compared=self.compared,
            arms={arm: self._arm(arm) for arm in self.overlays},
        )

    def _arm(self, name: str) -> Arm:
        calls = sum(run.proof.calls for arm, _, run in self._runs if arm == name)
        overlay = self.overlays[name]
        return Arm(sha256=overlay.sha256, function=overlay.function, calls=calls)

    def _run(self, arm: str, job: Job) -> Run:
        what = "soak" if job.soak or job.rounds else "counted" if job.counting else "timed"
        name = f"{arm} {what}"
        name += f" {sum(earlier.startswith(name) for earlier in self.names) + 1}"
        self.names.append(name)
        overlay = self.overlays[arm]
        job = replace(
            job, overlay=str(overlay.file), sha256=overlay.sha256, function=overlay.function
        )
        self.progress.begin(name)
        run = arms.run(
            self.places, name.replace(" ", "-"), job, lambda at: self.progress.at(f"{name}: {at}")
        )
        answers = sum(map(_answers, run.phases)) + sum(map(_answers, run.rounds))
        self.progress.end(name, f"{answers} requests, {run.proof.calls} searches by its function")
        self._runs.append((arm, job.counting, run))
        return run


def _answers(part: PhaseRun | Round) -> int:
    return len(part.answers)


def require_hits(phases: Sequence[PhaseRun]) -> None:
    """Refuse a session in which a warm phase found nothing in the cache.

    Raises:
        UserError: One did.
    """
    for phase in phases:
        if phase.phase in WARM and not sum(answer.cached for answer in phase.answers):
            raise UserError(
                f"{phase.title}: no token was found in the cache, so nothing was shown",
                hint="does this engine cache prefixes?",
            )


def require_no_more_lookups(counted: Mapping[str, Sequence[PhaseRun]]) -> None:
    """Refuse a patch that looks up more than upstream.

    Raises:
        DifferentError: It does, in a phase.
    """
    for before, after in zip(counted[UPSTREAM], counted[PATCH], strict=True):
        if after.lookups > before.lookups:
            raise compare.DifferentError(
                f"{after.title}: {after.lookups:,} lookups, upstream's search needs"
                f" {before.lookups:,}",
                hint="mend the patch",
            )
