"""The manager module that an engine runs with: its own file, or that with the patched search.

Nothing is written into the installed package. Both arms get their module the same way, as a
file beside it that an import hook serves (`stride.engine.served`), so that they differ in the
search and in nothing else. The engine may be of another release than the series' base: only
the search is taken from the series, and only into a file whose own search is the base's.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from carry.errors import UserError
from carry.files import write_atomically
from carry.fingerprints import fingerprint, functions, touched
from stride.oracle import MANAGER_CLASS, MANAGER_FILE, SEARCH, read_manager

NAME = f"{MANAGER_CLASS}.{SEARCH}"


@dataclass(frozen=True)
class Overlay:
    """One arm's module.

    Attributes:
        file: Where it is.
        sha256: Its hash.
        function: The fingerprint of the search in it.
    """

    file: Path
    sha256: str
    function: str


def make(package: Path, base: Path, patched: Path, folder: Path) -> tuple[Overlay, Overlay]:
    """Write the modules of both arms, the unpatched one first.

    Args:
        package: The installed `vllm`.
        base: The top of upstream's tree without the series.
        patched: The same with it.
        folder: Where they are written.

    Raises:
        UserError: The engine's search is not the base's, or the series changes more than it.
    """
    upstream, ours = read_manager(base), read_manager(patched)
    installed = read_manager(package.parent)
    require_search_only(upstream, ours)
    before, after = installed, replaced(installed, upstream, ours)
    folder.mkdir(parents=True, exist_ok=True)
    return _write(folder, before), _write(folder, after)


def require_search_only(upstream: str, ours: str) -> None:
    """Refuse a series of which the search is not all that matters to the engine.

    Raises:
        UserError: It changes another function of the file too, or not even the search.
    """
    changed = touched(upstream, ours)
    if not changed:
        raise UserError(
            f"{NAME} is the same in both trees, so there is nothing to compare",
            hint="apply the series to the second; if upstream has taken it in, drop the patch",
        )
    if changed != [NAME]:
        what = ", ".join(changed)
        raise UserError(
            f"the series changes {what} in {MANAGER_FILE}, an engine is given {NAME} alone",
            hint="adapt tools/stride/engine/overlay.py",
        )


def replaced(installed: str, upstream: str, ours: str) -> str:
    """The engine's file with the patched search in it, and what that imports.

    Raises:
        UserError: The search of the engine is not the base's.
    """
    own, base = (functions(text).get(NAME, "") for text in (installed, upstream))
    if own != base or installed.count(own) != 1:
        raise UserError(
            f"the engine's {NAME} ({fingerprint(own)[:15]}) is not the base's"
            f" ({fingerprint(base)[:15]}), which is what the series replaces",
            hint="move the series to a base near the engine, or name another engine with --python",
        )
    text = installed.replace(own, functions(ours)[NAME])
    added = "".join(f"{line}\n" for line in _imports(ours) if line not in _imports(upstream))
    first = min(node.lineno for node in ast.parse(text).body if _is_import(node))
    lines = text.splitlines(keepends=True)
    return "".join([*lines[: first - 1], added, *lines[first - 1 :]])


def _imports(text: str) -> list[str]:
    return [ast.unparse(node) for node in ast.parse(text).body if _is_import(node)]


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


def _write(folder: Path, text: str) -> Overlay:
    """A file named after its content, so that no compiled copy of another text is taken for it."""
    content = text.encode()
    digest = sha256(content).hexdigest()
    file = folder / f"manager_{digest[:16]}.py"
    write_atomically(file, content)
    return Overlay(file, digest, fingerprint(functions(text)[NAME]))
