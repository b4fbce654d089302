"""The page as HTML: carry's own frame, and in it the parts that the configuration names."""

from __future__ import annotations

import re
from pathlib import Path

import jinja2
from markupsafe import Markup

from carry.config import Config, ReviewPart
from carry.errors import UserError
from carry.freshness import State
from carry.review.page import Page
from carry.review.parts import FRAME, environment, shown


def render(page: Page) -> str:
    """The whole page.

    Raises:
        UserError: A configured part cannot be made, or the page would not be fit for others.
    """
    templates = environment(page.config)
    parts = [(part, _part(templates, page, part)) for part in page.config.review.parts]
    style = Markup((FRAME / "page.css").read_text("utf-8"))  # noqa: S704  our own file
    text = templates.get_template("page.html.j2").render(page=page, parts=parts, style=style)
    _require_no_own_path(page.config, text)
    return text


def _part(templates: jinja2.Environment, page: Page, part: ReviewPart) -> Markup | None:
    """A part's HTML; None if there is no fresh record for it to show."""
    found = page.of(part)
    if part.kind and found is None:
        raise UserError(
            f"[tool.carry.review] part {part.title!r} shows {part.kind!r}, which is no evidence",
            hint="name a kind of [[tool.carry.evidence]]",
        )
    if found and found.state is not State.FRESH:
        return None
    return shown(templates, part, found.record if found else None)


def _require_no_own_path(config: Config, text: str) -> None:
    """The page goes to others, whom this machine's folders do not concern."""
    for folder in (config.root, Path.home()):
        if len(folder.parts) > 1 and re.search(rf"(?<![\w/]){re.escape(str(folder))}\b", text):
            raise UserError(
                f"the page would show a folder of this machine, {folder}",
                hint="run the check again whose record holds it (grep evidence/), or mend the "
                "template or message that does",
            )
