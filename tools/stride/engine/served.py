"""In the engine's process: serve the overlay's file as vLLM's module, and prove that it ran."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from hashlib import sha256
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from carry.fingerprints import fingerprint
from stride.oracle import MANAGER_CLASS, SEARCH

MODULE = "vllm.v1.core.single_type_kv_cache_manager"


class WrongModuleError(AssertionError):
    """What would run is not what was to run."""


class _Overlay(MetaPathFinder):
    """Finds one module, in a file of ours."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002  the protocol's
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """The spec of the file, if it is the module's name that is asked for."""
        return spec_from_file_location(fullname, self._file) if fullname == MODULE else None


def serve(file: Path, digest: str) -> None:
    """Let the import of the manager module, which must not have happened yet, give this file.

    Raises:
        WrongModuleError: The file is not the one that was made, or it is too late.
    """
    if _hash(file) != digest:
        raise WrongModuleError(f"{file} is not what was written there")
    if MODULE in sys.modules:
        raise WrongModuleError(f"{MODULE} is imported already")
    sys.meta_path.insert(0, _Overlay(file))


def search() -> Callable[..., Any]:
    """The search of the imported engine, as a plain function of the class and the arguments."""
    manager = getattr(import_module(MODULE), MANAGER_CLASS)
    own: Callable[..., Any] = manager.__dict__[SEARCH].__func__
    return own


def what_ran(function: Callable[..., Any]) -> tuple[str, str]:
    """The hash of the file that a function's code is from, and the fingerprint of its text."""
    code = function.__code__
    return _hash(Path(code.co_filename)), fingerprint(inspect.getsource(code))


def _hash(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()
