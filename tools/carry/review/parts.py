"""The templates: what they may use, and the parts of the page that are a series' own."""

from __future__ import annotations

from pathlib import Path

import jinja2
from markupsafe import Markup

from carry import evidence
from carry.config import Config, ReviewPart
from carry.errors import UserError
from carry.evidence import Record
from carry.review import numbers, pictures, texts

FRAME = Path(__file__).parent
_FILTERS = {
    "anchor": texts.anchor,
    "breakable": texts.breakable,
    "coded": texts.coded,
    "duration": numbers.duration,
    "figures": numbers.figures,
    "machine": numbers.machine,
    "microseconds": numbers.microseconds,
    "moment": numbers.moment,
    "percent": numbers.percent,
    "thousands": numbers.thousands,
    "times": numbers.times,
}


def environment(config: Config) -> jinja2.Environment:
    """Where templates are found, carry's own before those below the root."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader([FRAME, config.root]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= _FILTERS

    def picture(file: str, alt: str, record: Record | None = None) -> Markup | None:
        source = evidence.result_id(record.result) if record else ""
        return pictures.inline(config.root / file, alt, source)

    made.globals["picture"] = picture
    return made


def shown(templates: jinja2.Environment, part: ReviewPart, record: Record | None) -> Markup:
    """A part's HTML, made of its record.

    Raises:
        UserError: Its template is missing, does not parse or asks for what the record lacks.
    """
    try:
        text = templates.get_template(part.template).render(record=record)
    except jinja2.TemplateNotFound as error:
        raise UserError(
            f"[tool.carry.review] names {error.name}, which is not there",
            hint="restore it, or take the part out of pyproject.toml",
        ) from error
    except jinja2.TemplateSyntaxError as error:
        raise UserError(
            f"{error.name or part.template}, line {error.lineno}: {error.message}", hint="mend it"
        ) from error
    except (jinja2.UndefinedError, TypeError, ValueError) as error:
        raise UserError(
            f"{part.template} asks for what the record of {part.kind or 'nothing'} lacks: {error}",
            hint="mend the template, or make the record anew"
            + (f": {record.command}" if record else ""),
        ) from error
    # The template has escaped what it was given.
    return Markup(text)  # noqa: S704
