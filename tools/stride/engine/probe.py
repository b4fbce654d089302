"""Say what an interpreter has, as JSON: `python -m stride.engine.probe`, by any interpreter.

Needs nothing but the standard library; the answer is a `messages.Device`.
"""

from __future__ import annotations

import json
import platform
from importlib import import_module
from importlib.metadata import packages_distributions, version
from importlib.util import find_spec
from typing import Any


def main() -> None:
    """Write the answer to standard output."""
    print(json.dumps({"python": platform.python_version(), **_vllm(), **_torch()}))


def _vllm() -> dict[str, Any]:
    """Where vLLM is, without importing it."""
    spec = find_spec("vllm")
    if spec is None or not spec.origin:
        return {}
    names = packages_distributions().get("vllm", [])
    folder = spec.origin.rpartition("/")[0]
    return {"vllm": version(names[0]), "package": names[0], "folder": folder} if names else {}


def _torch() -> dict[str, Any]:
    try:
        torch = import_module("torch")
    except ImportError as error:
        nothing = f"torch cannot be imported: {error}"
        return {"kind": "cpu", "why_not": {"rocm": nothing, "cuda": nothing}}
    hip, cuda = torch.version.hip or "", torch.version.cuda or ""
    built = {"torch": torch.__version__, "hip": hip, "cuda": cuda}
    why = {
        "rocm": "" if hip else f"torch {torch.__version__} is built without HIP",
        "cuda": "" if cuda else f"torch {torch.__version__} is built without CUDA",
    }
    kind = "rocm" if hip else "cuda" if cuda else "cpu"
    if kind != "cpu":
        try:
            return built | {"kind": kind, "why_not": why} | _gpu(torch, kind)
        except (RuntimeError, AssertionError) as error:
            why[kind] = f"no device answers: {' '.join(str(error).split())}"
    return built | {"kind": "cpu", "why_not": why}


def _gpu(torch: Any, kind: str) -> dict[str, Any]:
    """The first GPU, once it has computed something."""
    torch.ones(1, device="cuda").item()
    found = torch.cuda.get_device_properties(0)
    arch = found.gcnArchName if kind == "rocm" else f"{found.major}.{found.minor}"
    return {"name": found.name, "arch": arch, "memory": round(found.total_memory / 2**30, 1)}


if __name__ == "__main__":
    main()
