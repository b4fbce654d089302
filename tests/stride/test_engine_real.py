"""A real engine runs the patch, and notices one that is wrong; needs a vLLM that is built."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from carry.fingerprints import fingerprint, functions
from stride.bench.rivals import PATCH, UPSTREAM
from stride.engine import device, overlay
from stride.engine.arms import Places
from stride.engine.compare import DifferentError
from stride.engine.messages import Job
from stride.engine.overlay import NAME, Overlay
from stride.engine.progress import Progress
from stride.engine.session import Session
from stride.oracle import MANAGER_FILE

from .. import needs

PYTHON = os.environ.get("STRIDE_ENGINE_PYTHON", "")
BASE = Path(os.environ.get("STRIDE_BASE_TREE", "none"))
PATCHED = Path(os.environ.get("STRIDE_PATCHED_TREE", "none"))

pytestmark = pytest.mark.skipif(
    not PYTHON, reason=needs.reason("no engine", "nox -s smoke -- --self-test")
)
#: How many blocks a hit may have.
BLOCKS = "max_length // kv_cache_spec.block_size"


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """The patched tree's search with one change: it forgets the last block."""
    text = (PATCHED / MANAGER_FILE).read_text("utf-8")
    right = functions(text)[NAME]
    assert right.count(BLOCKS) == 1
    file = tmp_path / "wrong" / MANAGER_FILE
    file.parent.mkdir(parents=True)
    changed = right.replace(BLOCKS, f"max({BLOCKS} - 1, 0)")
    file.write_text(text.replace(right, changed), "utf-8")
    return tmp_path / "wrong"


def session(folder: Path, patched: Path) -> Session:
    found = device.choose("auto", device.probe(Path(PYTHON)))
    before, after = overlay.make(Path(found.folder), BASE, patched, folder / "overlay")
    job = Job(
        overlay="", sha256="", function="",
        device=found.kind, block=32, kv_gib=1, quick=True,
    )  # fmt: skip
    home = folder / "home"
    places = Places(Path(PYTHON).absolute(), folder / "logs", folder / "kept", home)
    return Session(places, found, {UPSTREAM: before, PATCH: after}, job, Progress())


def test_a_wrong_search_is_noticed_and_the_request_named(tmp_path: Path, wrong: Path) -> None:
    told = r"windows only, round 0, request \d+: (cached tokens|block tables)"
    with pytest.raises(DifferentError, match=told):
        session(tmp_path, wrong).soak(1)


def test_the_installed_package_is_as_it_was(tmp_path: Path) -> None:
    """After a round of each model in both arms, in which all that must be the same is."""
    whole = session(tmp_path, PATCHED)
    file = Path(whole.device.folder).parent / MANAGER_FILE
    own = file.read_bytes()
    before, after = whole.soak(1)
    assert {one.model for one in before} == {one.model for one in after}
    assert whole.compared and file.read_bytes() == own
    result = whole.result("passed")
    assert result.arms[UPSTREAM].calls == result.arms[PATCH].calls > 0
    patched = functions((PATCHED / MANAGER_FILE).read_text("utf-8"))[NAME]
    assert result.arms[PATCH].function == fingerprint(patched)


def test_an_overlay_that_was_changed_is_not_run(tmp_path: Path) -> None:
    one = session(tmp_path, PATCHED)
    overlays = {arm: Overlay(*vars(each).values()) for arm, each in one.overlays.items()}
    with overlays[UPSTREAM].file.open("a") as file:
        file.write("# changed\n")
    with pytest.raises(Exception, match=r"WrongModuleError: .* is not what was written there"):
        Session(
            one.places, one.device, overlays, replace(one.job, quick=True), Progress()
        ).measure()
