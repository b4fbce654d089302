"""Put another search into upstream's own KV cache manager, and watch it from outside."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from time import perf_counter_ns
from typing import Any

from stride.bench.rivals import Search
from stride.oracle import MANAGER_CLASS, SEARCH


class Stopwatch:
    """A search that adds up the time it takes, in ns, and its calls."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self.spent = 0
        self.calls = 0

    def reset(self) -> None:
        """Forget all calls so far."""
        self.spent = self.calls = 0

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Search."""
        start = perf_counter_ns()
        found = self._search(*arguments, **named)
        self.spent += perf_counter_ns() - start
        self.calls += 1
        return found


@contextmanager
def in_place(search: Search) -> Iterator[None]:
    """Let every sliding-window group of the imported vLLM be searched so."""
    manager = getattr(import_module("vllm.v1.core.single_type_kv_cache_manager"), MANAGER_CLASS)
    own = manager.__dict__[SEARCH]
    setattr(manager, SEARCH, staticmethod(search))
    try:
        yield
    finally:
        setattr(manager, SEARCH, own)
