"""From what the processes saw to the rows of the record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median

from stride.bench.rivals import PATCH, UPSTREAM
from stride.engine.messages import PhaseRun
from stride.engine.record import Row, Side

ARMS = (UPSTREAM, PATCH)
_MS = 1_000_000


def rows(
    counted: Mapping[str, Sequence[PhaseRun]], timed: Mapping[str, Sequence[Sequence[PhaseRun]]]
) -> tuple[Row, ...]:
    """One per phase.

    Args:
        counted: By arm, the phases of the run that counted.
        timed: By arm, the phases of each run that took times.
    """
    return tuple(
        _row(
            {arm: counted[arm][index] for arm in ARMS},
            {arm: [run[index] for run in timed[arm]] for arm in ARMS},
        )
        for index in range(len(counted[UPSTREAM]))
    )


def walls(timed: Mapping[str, Sequence[Sequence[PhaseRun]]]) -> dict[str, tuple[float, ...]]:
    """Seconds of all phases together, by arm and run."""
    return {
        arm: tuple(round(sum(one.wall for one in run) / 1e9, 2) for run in runs)
        for arm, runs in timed.items()
    }


def _row(counted: Mapping[str, PhaseRun], timed: Mapping[str, Sequence[PhaseRun]]) -> Row:
    one = counted[UPSTREAM]
    output = sum(len(answer.tokens) for answer in one.answers)
    tokens = one.prompt_tokens + output
    sides = {arm: _side(counted[arm], timed[arm], tokens) for arm in ARMS}
    return Row(
        model=one.model,
        pool=one.pool,
        phase=one.phase,
        context=one.context,
        requests=len(one.answers),
        cached=sum(answer.cached for answer in one.answers),
        prompt_tokens=one.prompt_tokens,
        output_tokens=output,
        steps=one.steps,
        preempted=one.preempted,
        searches=one.searches,
        sides=sides,
        saved=round(sides[UPSTREAM].of_step - sides[PATCH].of_step, 6),
        wall_ratio=round(sides[UPSTREAM].wall / sides[PATCH].wall, 3),
    )


def _side(counted: PhaseRun, timed: Sequence[PhaseRun], tokens: int) -> Side:
    """The least of each time: what is above it came from outside."""

    def least(time: Callable[[PhaseRun], float]) -> float:
        return min(map(time, timed))

    wall, search = least(lambda run: run.wall), least(lambda run: run.search)
    schedule = least(lambda run: run.schedule)
    waited, first = least(lambda run: sum(run.waited)), least(lambda run: sum(run.first_token))
    return Side(
        lookups=counted.lookups,
        wall=round(wall / _MS, 3),
        schedule=round(schedule / _MS, 3),
        search=round(search / _MS, 4),
        of_step=_share(search, least(lambda run: run.step)),
        of_schedule=_share(search, schedule),
        first_token=round(least(lambda run: median(run.first_token)) / _MS, 3),
        of_first_token=_share(waited, first),
        tokens_per_second=round(tokens / wall * 1e9, 1),
    )


def _share(part: float, whole: float) -> float:
    return round(part / max(1, whole), 6)
