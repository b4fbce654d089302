"""The model as a C library: made of the C that Lean emits, called with ctypes."""

from __future__ import annotations

import ctypes
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from carry.errors import UserError
from carry.process import run
from stride.case import Case
from stride.proof.lean_project import MODEL
from stride.proof.lean_run import Lean

_NAME = "libprefix_cache_lean.so"
_STRICT = ("-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-Wl,-z,defs")

#: Runs the model on a case, upstream's search if the second argument says so.
Model = Callable[[Case, bool], list[int]]


class NoCompilerError(UserError):
    """There is no C compiler."""

    def __init__(self) -> None:
        super().__init__("no C compiler on PATH", hint="install gcc, or name one in CC")


def build(lean: Lean) -> Path:
    """Build the library, by lake where there is one, else over this project's own header.

    Raises:
        NoCompilerError: There is no C compiler.
        UserError: It does not compile: the C names what the header does not have.
    """
    compiler = shutil.which(os.environ.get("CC", "cc")) or shutil.which("gcc")
    if compiler is None:
        raise NoCompilerError
    runtime = lean.workspace / "runtime"
    if lean.is_native:
        return _by_lake(lean, compiler, runtime / "bridge.c")
    emitted = Path("build") / (MODEL.replace(".", "/") + ".c")
    library = lean.workspace / "build" / _NAME
    _compile(
        lean, [compiler, *_STRICT, "-I", runtime, emitted, runtime / "bridge.c", "-o", library]
    )
    return library


def _by_lake(lean: Lean, compiler: str, bridge: Path) -> Path:
    """Let lake build the library, and put the plain C functions in one beside it."""
    _compile(lean, ["lake", "build", "LeanPrefixCache:shared"])
    built = next((lean.workspace / ".lake" / "build").rglob(_NAME), None)
    if built is None:
        raise UserError(f"lake made no {_NAME}", hint="see lean_prefix_cache/lakefile.toml")
    prefix = Path(_compile(lean, ["lake", "env", "lean", "--print-prefix"]).strip())
    folders = (built.parent, prefix / "lib" / "lean")
    library = built.with_name("libprefix_cache_bridge.so")
    _compile(
        lean,
        [
            compiler, "-O2", "-shared", "-fPIC", "-I", prefix / "include", bridge, "-o", library,
            *(f"-L{folder}" for folder in folders), *(f"-Wl,-rpath,{folder}" for folder in folders),
            "-lprefix_cache_lean", "-lleanshared",
        ],
    )  # fmt: skip
    return library


def _compile(lean: Lean, command: list[str | Path]) -> str:
    done = run(command, cwd=lean.workspace)
    if done.code:
        said = (done.stderr or done.stdout).strip().splitlines()
        first = next((line for line in said if "error" in line), "\n".join(said[:1]))
        raise UserError(
            f"the C that Lean made does not compile: {first}",
            hint="give lean_prefix_cache/runtime/lean/lean.h what it names, or keep it out of the"
            " model",
        )
    return done.stdout


def load(library: Path) -> Model:
    """Load the library into this process."""
    call = ctypes.CDLL(str(library)).prefix_cache_call
    size = ctypes.c_size_t
    call.restype = size
    call.argtypes = [
        ctypes.c_uint8, ctypes.c_char_p, *[size] * 5, ctypes.c_uint8, ctypes.POINTER(size), size,
    ]  # fmt: skip

    def model(case: Case, upstream: bool) -> list[int]:
        cache = bytes(case.is_cached(index) for index in range(len(case.masks[0])))
        room = 3 + 4 * (case.blocks + 1)
        out = (size * room)()
        numbers = (case.blocks, case.needed, case.block_size, case.alignment_tokens)
        count = call(upstream, cache, len(cache), *numbers, case.eagle, out, room)
        return list(out[: min(count, room)])

    return model
