"""Upstream's own modules, imported from a source tree: no build, no GPU, no network."""

from __future__ import annotations

import logging
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from carry.errors import UserError

#: Set before upstream's modules are imported, unless the caller has set them: no compiled
#: vLLM, no network, nothing written to the terminal.
_ENVIRONMENT = {
    "VLLM_TARGET_DEVICE": "cpu",
    "VLLM_LOGGING_LEVEL": "ERROR",
    "VLLM_NO_USAGE_STATS": "1",
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
}


def use_tree(tree: Path) -> None:
    """Let `import vllm` mean this tree's, whatever folder we are in.

    Raises:
        UserError: Another `vllm` is loaded already, or this one cannot be imported.
    """
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    package = tree.resolve() / "vllm"
    sys.path.insert(0, str(package.parent))
    # Upstream describes a model in a process of its own, which must find the same tree.
    others = filter(None, [os.environ.get("PYTHONPATH")])
    os.environ["PYTHONPATH"] = os.pathsep.join([str(package.parent), *others])
    try:
        with _quiet():
            found = import_module("vllm").__file__
            import_module("vllm.v1.core.single_type_kv_cache_manager")
    except Exception as error:
        raise UserError(
            f"cannot import vllm from {tree}: {type(error).__name__}: {error}",
            hint="run it with the interpreter of nox's test session, which has what vllm imports",
        ) from error
    if found is None or Path(found).parent != package:
        raise UserError(
            f"import vllm gives {found}, not the one in {tree}",
            hint="compare one pair of trees per process",
        )


@contextmanager
def _quiet() -> Iterator[None]:
    """Hold back what an import without a build and without a GPU warns of."""
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(logging.NOTSET)
