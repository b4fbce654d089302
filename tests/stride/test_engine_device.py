"""Which device is found, and what is said of one that is not there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from carry.errors import UserError
from stride.engine import device
from stride.engine.device import NoDeviceError, choose, described, probe

from .made_up_engine import DEVICE, interpreter

#: A torch as far as it is asked, with one GPU that answers or does not.
TORCH = """
from types import SimpleNamespace
__version__ = "2.13.0+made.up"
version = SimpleNamespace(hip={hip!r}, cuda={cuda!r})
class _Properties:
    name, gcnArchName, major, minor, total_memory = "A GPU", "gfx906", 8, 9, 32 * 2**30
cuda = SimpleNamespace(get_device_properties=lambda _: _Properties)
def ones(*_, **__):
    {ones}
"""
ANSWERS = "return SimpleNamespace(item=lambda: 1.0)"


def with_torch(folder: Path, *, hip: str | None, cuda: str | None, ones: str = ANSWERS) -> Path:
    """This interpreter, with another torch before its own."""
    (folder / "torch").mkdir()
    (folder / "torch" / "__init__.py").write_text(TORCH.format(hip=hip, cuda=cuda, ones=ones))
    program = folder / "python"
    program.write_text(
        f'#!/bin/sh\nPYTHONPATH="{folder}:$PYTHONPATH" exec "{sys.executable}" "$@"\n'
    )
    program.chmod(0o755)
    return program


def test_rocm_is_described_with_all_that_matters(tmp_path: Path) -> None:
    found = probe(with_torch(tmp_path, hip="7.1.2", cuda=None))
    assert (found.kind, found.name, found.arch, found.memory) == ("rocm", "A GPU", "gfx906", 32.0)
    text = described(found)
    for part in ("ROCm; A GPU (gfx906), 32 GiB", "HIP 7.1.2", "torch 2.13.0+made.up"):
        assert part in text
    assert device.short(found) == "rocm A GPU gfx906"


def test_cuda_is_found_the_same_way(tmp_path: Path) -> None:
    found = probe(with_torch(tmp_path, hip=None, cuda="13.0"))
    assert (found.kind, found.arch, found.cuda) == ("cuda", "8.9", "13.0")
    with pytest.raises(NoDeviceError, match=r"no ROCm device .*is built without HIP"):
        choose("rocm", found)


def test_a_gpu_that_does_not_answer_is_none(tmp_path: Path) -> None:
    broken = 'raise RuntimeError("No HIP GPUs are available")'
    found = probe(with_torch(tmp_path, hip="7.1.2", cuda=None, ones=broken))
    assert found.kind == "cpu"
    with pytest.raises(NoDeviceError, match="no device answers: No HIP GPUs are available"):
        choose("rocm", found)


def test_a_torch_for_cpus_has_neither() -> None:
    found = probe(Path(sys.executable))
    assert found.kind == "cpu" and found.torch
    for kind, name in (("rocm", "HIP"), ("cuda", "CUDA")):
        with pytest.raises(NoDeviceError, match=f"built without {name}"):
            choose(kind, found)


def test_what_is_wanted_is_chosen_or_nothing() -> None:
    assert choose("auto", DEVICE) == choose("cpu", DEVICE) == DEVICE
    rocm = replace(DEVICE, kind="rocm", why_not={"rocm": "", "cuda": "torch 1 is built without"})
    assert choose("rocm", rocm) == choose("auto", rocm) == rocm
    with pytest.raises(NoDeviceError, match=r"no CPU device \(this vLLM runs on ROCm\)"):
        choose("cpu", rocm)


def test_an_environment_without_vllm_is_one_line() -> None:
    with pytest.raises(UserError, match="there is no vLLM in the engine's environment; nox -s"):
        choose("auto", replace(DEVICE, vllm=""))


def test_an_interpreter_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="there is no interpreter"):
        probe(tmp_path / "python")
    silent = interpreter(tmp_path, "sys.exit('ImportError: too old')")
    with pytest.raises(UserError, match="does not say what it has: ImportError: too old"):
        probe(silent)


def test_a_gpu_that_is_not_used_is_spoken_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(device, "_DRIVERS", {"rocm": tmp_path, "cuda": tmp_path / "none"})
    assert "built without HIP: see docs/rocm.md" in device.unused(DEVICE)
    assert not device.unused(replace(DEVICE, kind="rocm"))
    monkeypatch.setattr(device, "_DRIVERS", {"rocm": tmp_path / "none"})
    assert not device.unused(DEVICE)
