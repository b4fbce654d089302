"""Writing a file so that a reader never sees half of it."""

from __future__ import annotations

import os
from pathlib import Path


def write_atomically(file: Path, content: bytes) -> None:
    """Write a file so that it is there whole or as it was before, even after a power cut."""
    partial = file.with_name(f".{file.name}.partial")
    try:
        with partial.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)
