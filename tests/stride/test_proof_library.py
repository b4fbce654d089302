"""The header that stands for Lean's runtime: what it refuses."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from carry.errors import UserError
from stride.case import one_group
from stride.proof.lean_project import FOLDER
from stride.proof.lean_run import Lean
from stride.proof.library import NoCompilerError, build, load

from .. import needs

PROJECT = Path(__file__).parents[2] / FOLDER

pytestmark = pytest.mark.skipif(
    not (shutil.which("cc") or shutil.which("gcc")),
    reason=needs.package("no C compiler", "gcc libc6-dev"),
)

#: What Lean would emit for a model that answers start, end, length and one probe, all `{number}`.
EMITTED = """
#include <lean/lean.h>
lean_object* initialize_LeanPrefixCache_Model(uint8_t builtin) {{
  return initialize_Init(builtin);
}}
lean_object* prefix_cache_run(uint8_t linear, lean_object* cache, lean_object* blocks,
    lean_object* needed, lean_object* block_size, lean_object* alignment, uint8_t eagle) {{
  lean_object* list = lean_box(0);
  for (int i = 0; i < 4; i++) {{
    lean_object* cell = lean_alloc_ctor(1, 2, 0);
    lean_ctor_set(cell, 0, {number});
    lean_ctor_set(cell, 1, list);
    list = cell;
  }}
  (void)linear; (void)blocks; (void)needed; (void)block_size; (void)alignment; (void)eagle;
  lean_dec(cache);
  return list;
}}
"""


def _lean(workspace: Path, number: str) -> Lean:
    shutil.copytree(PROJECT / "runtime", workspace / "runtime")
    emitted = workspace / "build" / "LeanPrefixCache" / "Model.c"
    emitted.parent.mkdir(parents=True)
    emitted.write_text(EMITTED.format(number=number))
    return Lean("stand-in", (), workspace, {}, sees_library=False, is_native=False)


def test_numbers_go_in_and_come_out(tmp_path: Path) -> None:
    model = load(build(_lean(tmp_path, "lean_nat_add(lean_array_get_size(cache), blocks)")))
    case = one_group("0110" * 20, block_size=16, window=3, alignment_tokens=16)
    assert model(case, True) == [160] * 4


@pytest.mark.parametrize(
    "number", ["lean_nat_shiftr(blocks, blocks)", "lean_nat_big_add(blocks, blocks)"]
)
def test_an_operation_that_the_header_has_not_fails_to_compile(tmp_path: Path, number: str) -> None:
    with pytest.raises(UserError, match=f"does not compile: .*{number.partition('(')[0]}"):
        build(_lean(tmp_path, number))


@pytest.mark.parametrize(
    "number",
    [
        "lean_nat_mul(lean_box(1ull << 62), lean_box(2))",
        "lean_nat_mul(lean_box(1ull << 62), lean_box(1ull << 62))",
        "lean_nat_add(lean_box(1ull << 62), lean_box(1ull << 62))",
    ],
)
def test_an_overflow_aborts(tmp_path: Path, number: str) -> None:
    library = build(_lean(tmp_path, number))
    call = f"import ctypes; ctypes.CDLL({str(library)!r}).prefix_cache_call(*[0] * 10)"
    done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True)
    assert done.returncode < 0
    assert done.stderr == "libprefix_cache_lean: a natural of 2^63 or more\n"


def test_without_a_compiler_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoCompilerError, match="no C compiler on PATH"):
        build(_lean(tmp_path / "workspace", "blocks"))
