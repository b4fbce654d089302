"""Upstream's own template of a pull request's text: its headings, and its checklist."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_HEADING = re.compile(r"^#{1,6} +(.+?) *$")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_BOX = re.compile(r"^(\s*[-*] )\[ \] (.*)$")


def headings(template: str) -> list[str]:
    """The template's heading lines, in order."""
    lines = _COMMENT.sub("", template).splitlines()
    return [line.strip() for line in lines if _HEADING.match(line)]


def name(heading: str) -> str:
    """What a heading line says."""
    match = _HEADING.match(heading)
    return match.group(1) if match else heading


def fill(template: str, contents: Mapping[str, str], ticked: Sequence[str]) -> str:
    """The template with a text below each heading, and boxes ticked.

    What it says above the first heading and in comments is for who fills it in and goes out;
    all the rest stays.

    Args:
        template: Upstream's text.
        contents: The texts, by what the headings say.
        ticked: How the boxes begin that are ticked; emphasis does not count.
    """
    first = next(iter(headings(template)), "")
    start = template.index(first)
    lines = _COMMENT.sub("", template[start:]).splitlines()
    filled = []
    for line in lines:
        filled.append(_ticked(line, ticked))
        if _HEADING.match(line):
            filled += ["", contents.get(name(line), "")]
    return _spaced("\n".join(filled))


def unticked(text: str) -> list[str]:
    """The boxes that are not ticked and not optional, each as it begins."""
    boxes = (_BOX.match(line) for line in text.splitlines())
    said = [_plain(box.group(2)) for box in boxes if box]
    return [
        one.split(". ")[0].split(": ")[0] for one in said if not one.lower().startswith("(optional")
    ]


def _ticked(line: str, ticked: Sequence[str]) -> str:
    box = _BOX.match(line)
    if box and any(_plain(box.group(2)).startswith(_plain(begins)) for begins in ticked):
        return f"{box.group(1)}[x] {box.group(2)}"
    return line


def _plain(text: str) -> str:
    return text.replace("*", "")


def _spaced(text: str) -> str:
    """No more than one empty line at a time, none at the ends."""
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"
