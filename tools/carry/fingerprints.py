"""Which of upstream's functions a change touches, and what upstream's text of each is.

A clean merge can still be wrong where upstream rewrote a function around the lines that
the series changes; the hash of the function's text shows it.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from hashlib import sha256

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Located:
    """A function's text and the number of its first line."""

    line: int
    text: str


def functions(source: str) -> dict[str, str]:
    """The text of each function and method, by its qualified name.

    A text runs from the first decorator to the last line, and ends in one newline. What
    does not parse has no functions.
    """
    return {name: found.text for name, found in located(source).items()}


def located(source: str) -> dict[str, Located]:
    """The same, with the place of each."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return {}
    lines = source.splitlines()
    found = {}
    for name, node in _named(tree, ""):
        first = _first_line(node)
        found[name] = Located(first, "\n".join(lines[first - 1 : node.end_lineno]) + "\n")
    return found


def _named(parent: ast.AST, prefix: str) -> list[tuple[str, Function]]:
    found: list[tuple[str, Function]] = []
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, Function):
            found.append((prefix + node.name, node))
        elif isinstance(node, ast.ClassDef):
            found += _named(node, f"{prefix}{node.name}.")
    return found


def _first_line(node: Function) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def touched(before: str, after: str) -> list[str]:
    """The functions that are there before and read otherwise, or are gone, after."""
    new = functions(after)
    return [name for name, text in functions(before).items() if new.get(name) != text]


def fingerprint(text: str) -> str:
    """The hash of a function's text, as manifest.toml has it."""
    return "sha256:" + sha256(text.encode()).hexdigest()
