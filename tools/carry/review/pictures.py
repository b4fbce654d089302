"""An SVG file as a part of a page: nothing shared with other pictures, readable in the dark."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from markupsafe import Markup

from carry.errors import UserError

#: Paper and ink are the page's, so that they turn with it; other colours are lifted off the dark.
_PAPER_AND_INK = {"#ffffff": "var(--paper)", "#000000": "var(--ink)"}
_LIFTED = "color-mix(in oklab, {}, var(--ink) var(--lift))"
_SOURCE = "{http://purl.org/dc/elements/1.1/}source"
_LEFT_OUT = ("metadata", "style", "script")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_COLOUR = re.compile(r"#[0-9a-f]{6}\b", re.IGNORECASE)


def inline(file: Path, alt: str, source: str = "") -> Markup | None:
    """The picture as an element that HTML takes; None if it was drawn from something else.

    Args:
        file: An SVG file of this repository.
        alt: What it shows, for those who do not see it.
        source: What its metadata must name as its source; empty if that does not matter.

    Raises:
        UserError: The file is missing or no SVG.
    """
    try:
        root = ElementTree.fromstring(file.read_bytes())  # noqa: S314  our own file
    except FileNotFoundError as error:
        raise UserError(
            f"the picture {file.name} is missing", hint=f"restore {file}, or take it out"
        ) from error
    except ElementTree.ParseError as error:
        raise UserError(f"{file} is no SVG: {error}", hint="draw it again") from error
    if source and source not in [element.text for element in root.iter(_SOURCE)]:
        return None
    _clean(root, f"{file.stem}-")
    if "viewBox" in root.attrib:
        root.attrib.pop("width", None)
        root.attrib.pop("height", None)
    root.attrib |= {"role": "img", "aria-label": alt}
    # What was checked is XML, written out again with everything escaped.
    return Markup(ElementTree.tostring(root, encoding="unicode"))  # noqa: S704


def _clean(element: ElementTree.Element, prefix: str) -> None:
    """Drop namespaces and what is not drawn; give every id the picture's own prefix."""
    element.tag = _local(element.tag)
    element.attrib = {
        _local(name): _value(_local(name), value, prefix)
        for name, value in element.attrib.items()
        if not _local(name).startswith("on")
    }
    for child in list(element):
        if _local(child.tag) in _LEFT_OUT:
            element.remove(child)
        else:
            _clean(child, prefix)


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _value(name: str, value: str, prefix: str) -> str:
    if name == "id":
        return prefix + value
    if name == "href":
        return f"#{prefix}{value.removeprefix('#')}"
    value = _REFERENCE.sub(rf"url(#{prefix}\1)", value)
    return _COLOUR.sub(lambda match: _colour(match[0].lower()), value)


def _colour(drawn: str) -> str:
    return _PAPER_AND_INK.get(drawn) or _LIFTED.format(drawn)
