"""Upstream's search and the patched one, side by side in one process.

Both come from the trees that are given, at run time; nothing of upstream's is copied here.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from carry.errors import UserError
from stride.tree import use_tree

#: Where the search is, in every tree.
MANAGER_FILE = Path("vllm/v1/core/single_type_kv_cache_manager.py")
MANAGER_CLASS = "SlidingWindowManager"
SEARCH = "find_longest_cache_hit"

#: What the search is called with. Other names mean that upstream has changed its meaning.
PARAMETERS = (
    "block_hashes",
    "max_length",
    "kv_cache_group_ids",
    "block_pool",
    "kv_cache_spec",
    "drop_eagle_block",
    "alignment_tokens",
)


@dataclass(frozen=True)
class Side:
    """One tree's manager module, and the search in it as it is called by users."""

    tree: Path
    module: ModuleType
    search: Callable[..., Any]


@dataclass(frozen=True)
class Oracle:
    """The unpatched search, which is the specification, and the patched one.

    Block pool, specs and all else are one and the same for both: the patched tree's.
    """

    base: Side
    patched: Side


def load(base: Path, patched: Path) -> Oracle:
    """Load the manager module of both trees over the patched tree's `vllm`.

    Args:
        base: The top of upstream's tree without the series.
        patched: The top of the same tree with the series on it.

    Raises:
        UserError: A tree is none of vLLM's, cannot be imported here, has another signature,
            or both have the same search, so that there is nothing to compare.
    """
    base, patched = base.resolve(), patched.resolve()
    upstream, ours = read_manager(base), read_manager(patched)
    use_tree(patched)
    oracle = Oracle(
        base=side_from_source(base, upstream, "stride_base_manager"),
        patched=side_from_source(patched, ours, "stride_patched_manager"),
    )
    if inspect.getsource(oracle.base.search) == inspect.getsource(oracle.patched.search):
        raise UserError(
            f"{SEARCH} is the same text in {base} and {patched}, so there is nothing to compare",
            hint="apply the series to the second; if upstream has taken it in, drop the patch",
        )
    return oracle


def read_manager(tree: Path) -> str:
    """The text of a tree's manager module.

    Raises:
        UserError: The tree has none.
    """
    file = tree / MANAGER_FILE
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(
            f"{tree} has no readable {MANAGER_FILE}", hint="name the top folder of a vLLM tree"
        ) from error


def side_from_source(tree: Path, source: str, name: str) -> Side:
    """Run a manager module's text as a module of its own, beside the imported one.

    Raises:
        UserError: It does not run over the tree in use, or the search is not in it, or takes
            other arguments than we give.
    """
    module = ModuleType(name)
    module.__file__ = str(tree / MANAGER_FILE)
    sys.modules[name] = module
    try:
        exec(compile(source, module.__file__, "exec"), module.__dict__)  # noqa: S102  upstream's
    except Exception as error:
        raise UserError(
            f"cannot run {module.__file__}: {type(error).__name__}: {error}",
            hint="give two trees of one and the same upstream commit",
        ) from error
    search = getattr(getattr(module, MANAGER_CLASS, None), SEARCH, None)
    if search is None:
        raise UserError(
            f"{tree / MANAGER_FILE} has no {MANAGER_CLASS}.{SEARCH}",
            hint="upstream has moved it: adapt tools/stride/oracle.py",
        )
    _require_signature(search, tree)
    return Side(tree, module, search)


def _require_signature(search: Callable[..., Any], tree: Path) -> None:
    parameters = inspect.signature(search).parameters
    needed = [name for name, one in parameters.items() if one.default is one.empty]
    if tuple(needed) != PARAMETERS:
        raise UserError(
            f"{SEARCH} in {tree} takes ({', '.join(needed)}), not ({', '.join(PARAMETERS)})",
            hint="see what upstream changed and adapt tools/stride/oracle.py",
        )
