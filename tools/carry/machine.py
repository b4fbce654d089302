"""What can be told of the machine that something ran on."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec


class Machine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a check ran with; `memory` is in GiB, `torch` empty where there is none."""

    cpu: str
    cores: int
    memory: float
    system: str
    python: str
    torch: str
    device: str


def this_machine(device: str) -> Machine:
    """What can be told of this machine."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / (1 << 30)
    return Machine(
        cpu=_cpu_model(),
        cores=len(os.sched_getaffinity(0)),
        memory=round(memory, 1),
        system=f"{platform.system()} {platform.release()}",
        python=platform.python_version(),
        torch=_version_of("torch"),
        device=device,
    )


def _cpu_model() -> str:
    file = Path("/proc/cpuinfo")
    lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    models = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.machine())


def _version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
