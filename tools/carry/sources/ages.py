"""How long ago something was, in words."""

from __future__ import annotations

_UNITS = (("day", 86400), ("hour", 3600), ("minute", 60))


def ago(seconds: float) -> str:
    """An age in its largest unit: `3 days ago`, `just now`."""
    for name, length in _UNITS:
        count = int(seconds // length)
        if count > 0:
            return f"{count} {name}{'s' if count > 1 else ''} ago"
    return "just now"
