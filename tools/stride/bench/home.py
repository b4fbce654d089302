"""What upstream's scheduler is to find in its environment, before vllm is imported."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory


@contextmanager
def hub_home() -> Iterator[None]:
    """Look models up in a private copy of ours, which has the one that upstream's tests name.

    Prompts may be longer than that model takes: it is never run.
    """
    with TemporaryDirectory() as folder, as_file(files("stride") / "upstream_home") as source:
        home = copytree(source / "huggingface", Path(folder) / "huggingface")
        ours = {
            "HF_HOME": str(home),
            "HF_HUB_CACHE": str(home / "hub"),
            "VLLM_CACHE_ROOT": str(home / "vllm"),  # nothing of ours into the user's own
            "VLLM_ALLOW_LONG_MAX_MODEL_LEN": "1",
        }
        before = {name: os.environ.get(name) for name in ours}
        os.environ.update(ours)
        try:
            yield
        finally:
            for name, value in before.items():
                os.environ.pop(name)
                if value is not None:
                    os.environ[name] = value
