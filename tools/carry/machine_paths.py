"""Paths of the machine that something ran on: they tell a reader nothing and do not go out."""

from __future__ import annotations

import re

_PATH = re.compile(
    r"(?<![\w/.:~-])(?:~|/(?:home|root|tmp|Users|var|mnt|opt|srv|private))/[^\s`)|]*"
    r"|\b[A-Za-z]:\\[^\s`)|]*"
)


def found(text: str) -> list[str]:
    """Those that a text holds."""
    return _PATH.findall(text)


def without(text: str) -> str:
    """The text with a mark in place of each."""
    return _PATH.sub("…", text)
