"""The text of a record: JSON with one line for each measured row, so that a diff can be read."""

from __future__ import annotations

from typing import Any

import msgspec


def render(value: Any) -> bytes:
    """JSON in which each key of an object and each element of a list has a line of its own.

    What is inside an element of a list stays on that line.
    """
    return _text(value, 0).encode() + b"\n"


def _text(value: Any, depth: int) -> str:
    inner = " " * (depth + 1)
    if isinstance(value, dict) and value:
        lines = [f"{inner}{_line(key)}: {_text(each, depth + 1)}" for key, each in value.items()]
        return "{\n" + ",\n".join(lines) + "\n" + " " * depth + "}"
    if isinstance(value, list) and any(isinstance(each, dict | list) for each in value):
        lines = [f"{inner}{_line(each)}" for each in value]
        return "[\n" + ",\n".join(lines) + "\n" + " " * depth + "]"
    return _line(value)


def _line(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()
