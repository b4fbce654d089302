"""Every small fault that can be put into a function, one at a time."""

from __future__ import annotations

import ast
import copy
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, cast

_SWAPPED: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.FloorDiv,),
    ast.FloorDiv: (ast.Mult, ast.Mod),
    ast.Mod: (ast.FloorDiv,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
}
_RENAMED = {"max": "min", "min": "max", "gcd": "lcm"}


@dataclass(frozen=True)
class Mutant:
    """The function with one change."""

    line: int
    change: str
    tree: ast.FunctionDef

    def __str__(self) -> str:
        return f"line {self.line}: {self.change}"


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    """Each node that may stand in a node's place, its children as they are."""
    match node:
        case ast.Compare(ops=[op]):
            for other in _SWAPPED.get(type(op), ()):
                yield _with(node, ops=[other()])
        case ast.BinOp(op=op) | ast.BoolOp(op=op) | ast.AugAssign(op=op):
            for other in _SWAPPED[type(op)]:
                yield _with(node, op=other())
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            yield _with(node, value=value + 1)
            yield _with(node, value=value - 1)
        case ast.Name(id=name) if name in _RENAMED:
            yield _with(node, id=_RENAMED[name])
        case ast.Attribute(attr=name) if name in _RENAMED:
            yield _with(node, attr=_RENAMED[name])
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
    if isinstance(node, ast.Assign) and isinstance(node.value, (ast.BinOp, ast.IfExp, ast.Call)):
        yield from _off_by_one(node)
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr)):
        yield ast.Pass()


def _off_by_one(node: ast.Assign) -> Iterator[ast.AST]:
    for op in (ast.Add(), ast.Sub()):
        yield _with(node, value=ast.BinOp(node.value, op, ast.Constant(1)))


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def mutants(function: Callable[..., Any]) -> list[Mutant]:
    """Every mutant of a function: comparisons, constants, operators, conditions, statements."""
    lines, first = inspect.getsourcelines(function)
    original = cast("ast.FunctionDef", ast.parse(textwrap.dedent("".join(lines))).body[0])
    found = []
    for node, around in _sites(original):
        for new in _changes(node):
            change = f"{_text(around)} -> {_text(_put(around, node, new))}"
            tree = ast.fix_missing_locations(_put(original, node, new))
            found.append(Mutant(first + node.lineno - 1, change, cast("ast.FunctionDef", tree)))
    return found


def _sites(function: ast.FunctionDef) -> Iterator[tuple[ast.stmt | ast.expr, ast.AST]]:
    """Each node of the body, and the node that it is named by: a bare word by its parent."""
    parents = {child: node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
    for node in chain.from_iterable(map(ast.walk, function.body)):
        if isinstance(node, (ast.Constant, ast.Name)):
            yield node, parents[node]
        elif isinstance(node, (ast.stmt, ast.expr)):
            yield node, node


def _text(node: ast.AST) -> str:
    return ast.unparse(node).splitlines()[0]


def _put(root: ast.AST, old: ast.AST, new: ast.AST) -> ast.AST:
    """A copy of a tree with one node exchanged."""

    class Exchange(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return new if node is old else self.generic_visit(node)

    # The copy has this very node in it, so that it can be told from others like it.
    memo: dict[int, object] = {id(old): old}
    return Exchange().visit(copy.deepcopy(root, memo))
