"""Which processes run, in which order, and what makes a session fail."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from carry.errors import UserError
from stride.bench.rivals import PATCH, UPSTREAM
from stride.engine.arms import Places
from stride.engine.compare import DifferentError
from stride.engine.messages import PhaseRun
from stride.engine.overlay import Overlay
from stride.engine.progress import Progress
from stride.engine.session import Session, require_hits, require_no_more_lookups

from .made_up_engine import DEVICE, JOB, answer, interpreter, phase

#: Says a phase that is in a file, by arm and by whether it counts, then proves what was asked.
BODY = """
import json
from pathlib import Path
job = json.loads(arguments[0])
kind = "counted" if job["counting"] else "timed"
print((Path({folder!r}) / f"{{Path(job['overlay']).stem}}-{{kind}}").read_text())
print(json.dumps({{"type": "Proof", "sha256": job["sha256"], "function": job["function"],
                   "calls": 1, "block": 32}}))
"""


def session(
    folder: Path, patched: Mapping[str, PhaseRun] | None = None, *, quick: bool = False
) -> Session:
    """One with a made-up engine, and what it says with the patch where that is another phase."""
    for arm in (UPSTREAM, PATCH):
        for kind in ("counted", "timed"):
            said = phase(lookups=128 if kind == "counted" else 0)
            said = (patched or {}).get(kind, said) if arm == PATCH else said
            (folder / f"{arm}-{kind}").write_bytes(msgspec.json.encode(said))
    return Session(
        Places(
            interpreter(folder, BODY.format(folder=str(folder))),
            folder / "logs",
            folder / "kept",
            folder / "home",
        ),
        DEVICE,
        {arm: Overlay(folder / f"{arm}.py", arm * 8, f"sha256:{arm}") for arm in (UPSTREAM, PATCH)},
        replace(JOB, quick=quick),
        Progress(),
    )


def test_both_arms_count_and_then_take_times_in_turn(tmp_path: Path) -> None:
    result = session(tmp_path, {"counted": phase(lookups=4)}).measure()
    assert result.runs == (
        "upstream counted 1", "patch counted 1",
        "upstream timed 1", "patch timed 1", "patch timed 2", "upstream timed 2",
    )  # fmt: skip
    assert result.outcome == "passed" and result.compared == 1
    assert [row.sides[PATCH].lookups for row in result.rows] == [4]
    assert result.arms[UPSTREAM].calls == result.arms[PATCH].calls == 3
    assert result.arms[UPSTREAM].function != result.arms[PATCH].function
    assert all(len(walls) == 2 for walls in result.walls.values())


def test_a_quick_session_takes_times_once(tmp_path: Path) -> None:
    result = session(tmp_path, quick=True).measure()
    assert len(result.runs) == 4 and result.quick


@pytest.mark.parametrize("kind", ["counted", "timed"])
def test_a_difference_in_any_run_ends_it_at_once(kind: str, tmp_path: Path) -> None:
    wrong = {kind: phase(answers=(answer(tokens=(1,)),))}
    broken = session(tmp_path, wrong)
    with pytest.raises(DifferentError, match="prompt 0: token ids"):
        broken.measure()
    failed = broken.result("failed", "prompt 0 differs")
    assert failed.runs[-1] == f"patch {kind} 1" and not failed.rows
    assert (tmp_path / "kept" / "upstream-counted-1.jsonl").exists()


def test_a_patch_that_needs_more_lookups_fails(tmp_path: Path) -> None:
    with pytest.raises(DifferentError, match="129 lookups, upstream's search needs 128"):
        session(tmp_path, {"counted": phase(lookups=129)}).measure()
    require_no_more_lookups({UPSTREAM: [phase()], PATCH: [phase()]})


def test_a_warm_phase_without_a_hit_fails() -> None:
    missed = phase(answers=(answer(cached=0),))
    with pytest.raises(UserError, match="no token was found in the cache"):
        require_hits([phase(), missed])
    require_hits([phase(), replace(missed, phase="cold")])
