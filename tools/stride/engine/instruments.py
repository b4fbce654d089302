"""What is read off a running engine from outside: times in one run, counts and tables in another.

A counted lookup takes longer than a plain one, so a run that counts takes no times, and one
that takes times has no more than a clock around the scheduler and around the search.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from importlib import import_module
from time import perf_counter_ns
from typing import Any

from stride.engine import served
from stride.oracle import MANAGER_CLASS, SEARCH

#: Ends the name of every request that is sent: vLLM adds to it what it pleases.
END = "|"


def sent_name(request: str) -> str:
    """The name under which a request was sent."""
    return request.partition(END)[0]


class Instruments:
    """Around one engine at a time; `reset` between phases.

    Attributes:
        calls: Of the search, since the process began.
        searches: Of the search, since the last reset.
        lookups: Blocks looked up by it.
        search: Time in it.
        schedule: Time in the scheduler, the search with it.
        by_request: Time in the search, by the request that it was for.
        preempted: Requests put back into the queue.
    """

    def __init__(self, *, counting: bool) -> None:
        self.function = served.search()
        self.calls = 0
        self._counting = counting
        self._current = ""
        self._looked_up = 0
        self._tables: dict[str, Any] = {}
        self.reset()
        manager = getattr(import_module(served.MODULE), MANAGER_CLASS)
        around = self._counted if counting else self._timed
        setattr(manager, SEARCH, classmethod(around))

    def reset(self) -> None:
        """Forget all but the number of calls."""
        self.searches = self.lookups = self.search = self.schedule = self.preempted = 0
        self.by_request: dict[str, int] = {}
        self._tables.clear()

    def attach(self, scheduler: Any) -> None:
        """Watch an engine's scheduler."""
        manager = scheduler.kv_cache_manager
        if self._counting:
            manager.block_pool.get_cached_block = self._counting_lookups(
                manager.block_pool.get_cached_block
            )
            manager.get_computed_blocks = self._noting_hits(manager.get_computed_blocks)
            scheduler.schedule = self._noting_tables(scheduler.schedule)
        else:
            manager.get_computed_blocks = self._naming_request(manager.get_computed_blocks)
            scheduler.schedule = self._timing(scheduler.schedule)

    def searched_for(self, request: str) -> int:
        """Time in the search for a request so far."""
        return self.by_request.get(request, 0)

    def tables_of(self, request: str) -> str:
        """Digest of what was noted of a request's blocks, empty if nothing was."""
        noted = self._tables.get(request)
        return noted.hexdigest()[:16] if noted else ""

    def _timed(self, cls: type, *arguments: Any, **named: Any) -> Any:
        start = perf_counter_ns()
        found = self.function(cls, *arguments, **named)
        spent = perf_counter_ns() - start
        self.search += spent
        self.by_request[self._current] = self.by_request.get(self._current, 0) + spent
        self.searches += 1
        self.calls += 1
        return found

    def _counted(self, cls: type, *arguments: Any, **named: Any) -> Any:
        before = self._looked_up
        found = self.function(cls, *arguments, **named)
        self.lookups += self._looked_up - before
        self.searches += 1
        self.calls += 1
        return found

    def _counting_lookups(self, own: Callable[..., Any]) -> Callable[..., Any]:
        def get_cached_block(*arguments: Any, **named: Any) -> Any:
            self._looked_up += 1
            return own(*arguments, **named)

        return get_cached_block

    def _naming_request(self, own: Callable[..., Any]) -> Callable[..., Any]:
        def get_computed_blocks(request: Any) -> Any:
            self._current = sent_name(request.request_id)
            return own(request)

        return get_computed_blocks

    def _noting_hits(self, own: Callable[..., Any]) -> Callable[..., Any]:
        def get_computed_blocks(request: Any) -> Any:
            found = own(request)
            self._note(request.request_id, "hit", found[0].get_block_ids(), found[1])
            return found

        return get_computed_blocks

    def _timing(self, own: Callable[..., Any]) -> Callable[..., Any]:
        def schedule(*arguments: Any, **named: Any) -> Any:
            start = perf_counter_ns()
            planned = own(*arguments, **named)
            self.schedule += perf_counter_ns() - start
            self.preempted += len(planned.preempted_req_ids or ())
            return planned

        return schedule

    def _noting_tables(self, own: Callable[..., Any]) -> Callable[..., Any]:
        """Note what each step tells the model's worker of every request's block table."""

        def schedule(*arguments: Any, **named: Any) -> Any:
            planned = own(*arguments, **named)
            for new in planned.scheduled_new_reqs:
                self._note(new.req_id, "new", new.block_ids, new.num_computed_tokens)
            old = planned.scheduled_cached_reqs
            for name, blocks, computed in zip(
                old.req_ids, old.new_block_ids, old.num_computed_tokens, strict=True
            ):
                self._note(name, "more", blocks, computed)
            for name in planned.preempted_req_ids or ():
                self._note(name, "preempted")
                self.preempted += 1
            return planned

        return schedule

    def _note(self, request: str, *what: Any) -> None:
        self._tables.setdefault(sent_name(request), sha256()).update(repr(what).encode())
