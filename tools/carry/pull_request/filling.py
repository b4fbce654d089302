"""Placeholders in people's words, filled from records: the only way a number gets in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import floor, log10
from typing import Any

import jinja2
import msgspec
from jinja2 import meta
from jinja2.sandbox import ImmutableSandboxedEnvironment

from carry.evidence import Record

_PLACEHOLDER = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_SET = re.compile(r"\{%-?\s*set\b.*?%\}", re.DOTALL)


class FillError(ValueError):
    """A passage asks for what its record does not say."""


class Filling:
    """Fills the placeholders of passages.

    In a passage the name of a kind is the result of its record, `record.<kind>` the whole of
    it, and `let` gives further names, each by an expression. Only the kind that a passage is
    bound to is known in it. Filters: `one(key=value, …)` is the one entry of a list, `n` writes
    a whole number with commas, `sig(3)` one with three significant digits.
    """

    def __init__(self, records: Mapping[str, Record]) -> None:
        self._records = records
        # Markdown, not HTML.
        self._engine = ImmutableSandboxedEnvironment(
            undefined=jinja2.StrictUndefined, autoescape=False, keep_trailing_newline=True
        )
        self._engine.filters |= {"one": _one, "n": _whole, "sig": _significant}

    def text(self, text: str, kind: str = "", let: Mapping[str, str] | None = None) -> str:
        """A passage, filled.

        Raises:
            FillError: It asks for a record it is not bound to, or for what that does not say.
        """
        names = self._names(kind, let or {})
        try:
            unknown = meta.find_undeclared_variables(self._engine.parse(text)) - set(names)
            if unknown:
                bound = f"it rests on {kind}" if kind else "it rests on no record"
                raise FillError(f"asks for {', '.join(sorted(unknown))}, but {bound}")
            return self._engine.from_string(text).render(names).strip()
        except (jinja2.TemplateError, TypeError, ZeroDivisionError) as error:
            raise FillError(str(error)) from error

    def holds(self, condition: str, kind: str, let: Mapping[str, str]) -> bool:
        """Whether an expression is true of a record; an empty one is.

        Raises:
            FillError: It asks for what the record does not say.
        """
        return not condition or bool(self._value(condition, self._names(kind, let)))

    def _names(self, kind: str, let: Mapping[str, str]) -> dict[str, Any]:
        names: dict[str, Any] = {}
        if record := self._records.get(kind):
            whole = msgspec.to_builtins(record)
            names = {kind: whole["result"], "record": {kind: whole}}
        for name, expression in let.items():
            names[name] = self._value(expression, names)
        return names

    def _value(self, expression: str, names: Mapping[str, Any]) -> Any:
        try:
            value = self._engine.compile_expression(expression, undefined_to_none=False)(names)
            if isinstance(value, jinja2.Undefined):
                raise FillError(f"nothing is known as {expression}")
        except (jinja2.TemplateError, TypeError, ZeroDivisionError) as error:
            raise FillError(f"{expression}: {error}") from error
        return value


def constants(text: str) -> list[str]:
    """The placeholders of a passage that ask no record, so that what they write is made up."""
    engine = ImmutableSandboxedEnvironment()
    found = []
    for placeholder in _PLACEHOLDER.findall(text):
        try:
            asked = meta.find_undeclared_variables(engine.parse(placeholder))
        except jinja2.TemplateError:
            continue  # Filling it says what is wrong.
        if not asked:
            found.append(placeholder)
    return found + _SET.findall(text)


def _one(entries: Sequence[Mapping[str, Any]], **wanted: Any) -> Mapping[str, Any]:
    found = [
        entry
        for entry in entries
        if all(entry.get(name) == value for name, value in wanted.items())
    ]
    if len(found) != 1:
        raise jinja2.TemplateRuntimeError(f"{len(found)} entries have {wanted}, not one")
    return found[0]


def _whole(value: float) -> str:
    return f"{round(value):,}"


def _significant(value: float, digits: int = 3) -> str:
    """A number as people write it: 4,630, 44.7, 0.89."""
    if not value:
        return "0"
    places = digits - 1 - floor(log10(abs(value)))
    return f"{round(value, places):,.{max(places, 0)}f}"
