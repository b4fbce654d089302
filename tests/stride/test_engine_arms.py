"""A process that runs an arm: what it says is kept, and how it ends is told in one line."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from carry.errors import UserError
from stride.engine import arms
from stride.engine.arms import Places
from stride.engine.messages import Event, Proof, Started

from .made_up_engine import JOB, interpreter, phase

PROOF = Proof(JOB.sha256, JOB.function, 3, 32)


def lines(*events: Event) -> str:
    """Python that says these events."""
    said = "".join(msgspec.json.encode(event).decode() + "\n" for event in events)
    return f"sys.stdout.write({said!r})\nsys.stdout.flush()\n"


def places(folder: Path, body: str) -> Places:
    return Places(interpreter(folder, body), folder / "logs", folder / "kept", folder / "home")


def test_all_that_it_says_comes_back_and_is_kept(tmp_path: Path) -> None:
    one = phase()
    where = places(tmp_path, "print('vllm', file=sys.stderr)\n" + lines(Started("x"), one, PROOF))
    heard: list[str] = []
    run = arms.run(where, "patch-timed-1", JOB, heard.append)
    assert (run.phases, run.rounds, run.proof) == ((one,), (), PROOF)
    assert heard == ["x"]
    assert (where.logs / "patch-timed-1.txt").read_text() == "vllm\n"
    assert len((where.kept / "patch-timed-1.jsonl").read_text().splitlines()) == 3


def test_an_engine_that_dies_is_one_line_with_its_log(tmp_path: Path) -> None:
    body = lines(Started("hybrid: cold"), phase()) + (
        "sys.exit('[rank0]: ValueError: No available memory for the cache blocks.\\nbye')"
    )
    where = places(tmp_path, body)
    with pytest.raises(UserError) as caught:
        arms.run(where, "patch-timed-1", JOB, lambda _: None)
    line = caught.value.line()
    assert "\n" not in line
    assert "patch-timed-1 ended with 1 at hybrid: cold: ValueError: No available memory" in line
    assert str(where.logs / "patch-timed-1.txt") in line
    assert phase().title.split(",")[0] in (where.kept / "patch-timed-1.jsonl").read_text()


def test_one_that_is_killed_while_it_starts(tmp_path: Path) -> None:
    where = places(tmp_path, "import os\nos.kill(os.getpid(), 9)")
    with pytest.raises(UserError, match="ended with -9 at its start: it wrote nothing"):
        arms.run(where, "upstream", JOB, lambda _: None)


def test_one_that_ends_well_and_proves_nothing_has_failed(tmp_path: Path) -> None:
    where = places(tmp_path, lines(phase()))
    with pytest.raises(UserError, match="ended with 0"):
        arms.run(where, "upstream", JOB, lambda _: None)


@pytest.mark.parametrize(
    "proof",
    [
        replace(PROOF, sha256="6" * 64),
        replace(PROOF, function="sha256:other"),
        replace(PROOF, calls=0),
    ],
)
def test_another_function_than_the_named_one_does_not_count(proof: Proof, tmp_path: Path) -> None:
    where = places(tmp_path, lines(phase(), proof))
    with pytest.raises(UserError, match="nothing it did counts"):
        arms.run(where, "upstream", JOB, lambda _: None)
