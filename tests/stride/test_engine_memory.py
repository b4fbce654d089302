"""A KV cache that does not fit is refused before an engine dies of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from carry.errors import UserError
from stride.engine.memory import ENGINE_GIB, require_memory


def test_what_fits_and_what_does_not(tmp_path: Path) -> None:
    memory = tmp_path / "meminfo"
    memory.write_text(f"MemTotal: 99999999 kB\nMemAvailable: {(ENGINE_GIB + 4) * 2**20} kB\n")
    require_memory(4, memory)
    with pytest.raises(UserError, match=r"5 GiB .* 7 GiB of memory, 6.0 are available; .*--kv-c"):
        require_memory(5, memory)


def test_this_machine_says_how_much_it_has() -> None:
    with pytest.raises(UserError, match="are available"):
        require_memory(1 << 20)
