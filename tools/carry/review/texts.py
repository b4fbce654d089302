"""Words of patches and claims as HTML; filters of the templates."""

from __future__ import annotations

import re

from markupsafe import Markup, escape


def breakable(text: str) -> Markup:
    """A text with long names, which may be broken after a dot, a slash or an underscore."""
    # Escaped before the tags are put in.
    return Markup(re.sub(r"(?<=\w)([._/])(?=\w)", r"\1<wbr>", str(escape(text))))  # noqa: S704


def coded(text: str) -> Markup:
    """A text with Markdown's marks around code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))  # noqa: S704


def anchor(title: str) -> str:
    """The name of a section for links."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
