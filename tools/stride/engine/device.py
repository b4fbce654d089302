"""Which device an engine runs on, and why not on another."""

from __future__ import annotations

from pathlib import Path

import msgspec

from carry import process
from carry.errors import UserError
from stride.engine.messages import Device

#: Where this package is imported from, for an interpreter in which it is not installed.
TOOLS = Path(__file__).parents[2]
KINDS = ("auto", "cpu", "rocm", "cuda")
#: Is there if the kernel has a driver for such a GPU.
_DRIVERS = {"rocm": Path("/dev/kfd"), "cuda": Path("/dev/nvidia0")}
NAMES = {"rocm": "ROCm", "cuda": "CUDA", "cpu": "CPU"}
_HINT = "nox -s smoke makes one; name another with --python or STRIDE_ENGINE_PYTHON"


class NoDeviceError(Exception):
    """There is no device of the kind that was asked for; the message says why."""


def probe(python: Path) -> Device:
    """What an interpreter has, found out in a process of its own.

    Raises:
        UserError: It cannot be started, or does not say.
    """
    if not python.is_file():
        raise UserError(f"there is no interpreter {python}", hint=_HINT)
    done = process.run(
        [python, "-m", "stride.engine.probe"], cwd=Path.cwd(), env={"PYTHONPATH": str(TOOLS)}
    )
    last = (done.stdout.splitlines() or [""])[-1]
    try:
        return msgspec.json.decode(last, type=Device)
    except msgspec.MsgspecError as error:
        said = (done.stderr.splitlines() or ["nothing"])[-1]
        raise UserError(
            f"{python} does not say what it has: {said}",
            hint="name an interpreter of 3.11 or later",
        ) from error


def choose(wanted: str, found: Device) -> Device:
    """The device to run on.

    Args:
        wanted: One of `KINDS`.
        found: What the interpreter has.

    Raises:
        NoDeviceError: None of the wanted kind answers.
        UserError: The interpreter has no vLLM.
    """
    if wanted not in ("auto", found.kind):
        why = found.why_not.get(wanted) or f"this vLLM runs on {NAMES[found.kind]}"
        raise NoDeviceError(f"no {NAMES[wanted]} device ({why})")
    if not found.vllm:
        raise UserError("there is no vLLM in the engine's environment", hint=_HINT)
    return found


def described(device: Device) -> str:
    """A device with its software, on one line."""
    parts = [NAMES[device.kind]]
    if device.name:
        parts.append(f"{device.name} ({device.arch}), {device.memory:.0f} GiB")
    if device.hip:
        parts.append(f"HIP {device.hip}")
    if device.cuda:
        parts.append(f"CUDA {device.cuda}")
    software = (f"torch {device.torch}", f"{device.package} {device.vllm}")
    return "; ".join([*parts, *software, f"Python {device.python}"])


def short(device: Device) -> str:
    """A device as it stands among a machine's properties."""
    return f"{device.kind} {device.name} {device.arch}".strip()


def unused(device: Device) -> str:
    """What is to be said of a GPU that seems to be there and is not used; else empty."""
    drivers = [kind for kind, file in _DRIVERS.items() if file.exists()]
    if device.kind != "cpu" or not drivers:
        return ""
    kind = drivers[0]
    return f"{_DRIVERS[kind]} is there, but {device.why_not[kind]}: see docs/rocm.md"
