"""Words of steps as they may go out: without the folders of this machine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from carry import machine_paths


@dataclass(frozen=True)
class Words:
    """Knows the folders that a step may name; a path below one is told from there."""

    folders: tuple[Path, ...]

    def clean(self, text: str) -> str:
        """The text without them."""
        # The longest first, as one may lie in another.
        for folder in sorted(map(str, self.folders), key=len, reverse=True):
            text = text.replace(f"{folder}/", "").replace(folder, "…")
        return machine_paths.without(text)
