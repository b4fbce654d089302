"""A disk that is full at any moment costs a line, and nothing of the user's."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from .. import needs
from .repository import Repository, Said, State


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of two mebibytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    needs.small_disk(folder, "2m")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


STEP = 16 << 10
TARGET = ("rebase", "--onto", "1.1.0")


def test_a_rebase_on_a_full_disk_loses_nothing(synced: Repository, small_disk: Path) -> None:
    """With ever more space until it is enough, for a dry run and for the real one."""
    on_disk = Repository(small_disk / "carrying", synced.capture)
    fresh(synced, on_disk)
    before = on_disk.state()
    needed = next(spare for spare in count(0, STEP) if dry_run_fits(on_disk, spare, before))
    assert needed > 0
    states = [before]
    for spare in count(needed - STEP, STEP // 2):
        fresh(synced, on_disk)
        said = with_spare(on_disk, spare, *TARGET)
        on_disk.done("sync")
        states.append(on_disk.state())
        if said.code == 0:
            break
        assert "the disk is full" in said.err
    on_disk.done(*TARGET)
    after = on_disk.state()
    assert set(states) <= {before, after}
    assert on_disk.worktrees() == []


def fresh(synced: Repository, on_disk: Repository) -> None:
    shutil.rmtree(on_disk.root, ignore_errors=True)
    shutil.copytree(synced.root, on_disk.root, symlinks=True)


def dry_run_fits(on_disk: Repository, spare: int, before: State) -> bool:
    said = with_spare(on_disk, spare, *TARGET, "--dry-run")
    assert on_disk.state() == before
    if said.code == 0:
        return True
    assert said.code == 1, said
    assert "the disk is full" in said.err, said.err
    assert said.err.count("\n") == 1
    return False


def with_spare(on_disk: Repository, spare: int, *words: str) -> Said:
    """Run a command while the disk has no more than `spare` bytes left."""
    filler = on_disk.root.parent / "filler"
    free = shutil.disk_usage(filler.parent).free
    with filler.open("wb") as stream:
        stream.write(b"\0" * max(0, free - spare))
    try:
        return on_disk.carry(*words)
    finally:
        filler.unlink()
