"""Whether the memory that an engine on the CPU asks for is there."""

from __future__ import annotations

from pathlib import Path

from carry.errors import UserError

#: What an engine takes besides its KV cache: torch, vLLM and a tiny model.
ENGINE_GIB = 2
_MEMORY = Path("/proc/meminfo")


def require_memory(kv_gib: int, memory: Path = _MEMORY) -> None:
    """Refuse a KV cache that does not fit, before an engine dies of it.

    Raises:
        UserError: There is too little memory.
    """
    available = next(
        int(line.split()[1]) / 2**20
        for line in memory.read_text("utf-8").splitlines()
        if line.startswith("MemAvailable:")
    )
    if kv_gib + ENGINE_GIB > available:
        raise UserError(
            f"a KV cache of {kv_gib} GiB and an engine need {kv_gib + ENGINE_GIB} GiB of memory,"
            f" {available:.1f} are available",
            hint="give a smaller --kv-cache-gib, or free some memory",
        )
