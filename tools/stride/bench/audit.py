"""Every small case through every search: who is wrong, wasteful, or asks too much of a pool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from stride import workloads
from stride.bench.record import Audit
from stride.bench.rivals import EMPTY_GUARD, UPSTREAM, Search
from stride.bench.rows import same
from stride.cache import stand_in
from stride.case import Case
from stride.real_cache import real
from stride.search import CacheOf, run
from stride.shrink import smallest

#: Blocks in the largest cases; the second for a quick run.
_BLOCKS, _QUICK_BLOCKS = 7, 4
#: Every so many cases are tried on upstream's own pool, for a search that needs one.
_EVERY = 20


def audit(searches: Mapping[str, Search], name: str, *, quick: bool) -> Audit:
    """Hold one search against upstream's on all cases of few blocks."""
    cache_of = real if name == EMPTY_GUARD else stand_in
    count = more = repeated = 0
    wrong: list[Case] = []
    for case in _cases(cache_of, quick=quick):
        count += 1
        cache = cache_of(case)
        upstream = run(searches[UPSTREAM], case, cache)
        answer = run(searches[name], case, cache)
        more += len(answer.probes) > len(upstream.probes)
        repeated += len(set(answer.probes)) < len(answer.probes)
        if not same(upstream, answer):
            wrong.append(case)
    return Audit(
        cases=count,
        wrong=len(wrong),
        smallest=describe(searches, name, wrong[0], cache_of) if wrong else "",
        more_lookups=more,
        repeated=repeated,
        stand_in=_on_a_stand_in(searches[name]),
    )


def _cases(cache_of: CacheOf, *, quick: bool) -> Iterator[Case]:
    every = _EVERY if cache_of is real else 1
    for blocks in range((_QUICK_BLOCKS if quick else _BLOCKS) + 1):
        cases = workloads.exhaustive(blocks, 1, workloads.ALIGNMENTS)
        yield from (case for number, case in enumerate(cases) if number % every == 0)


def describe(searches: Mapping[str, Search], name: str, case: Case, cache_of: CacheOf) -> str:
    """A case that a search gets wrong, made as small as it can be, and what it says."""

    def lengths(one: Case) -> tuple[int, int] | None:
        cache = cache_of(one)
        upstream = run(searches[UPSTREAM], one, cache)
        answer = run(searches[name], one, cache)
        return None if same(upstream, answer) else (answer.length, upstream.length)

    least = smallest(case, lambda one: lengths(one) is not None)
    given, right = lengths(least) or (0, 0)
    return (
        f"mask {' '.join(least.masks)}, window of {least.window}, block of {least.block_size}, "
        f"alignment {least.alignment_tokens}: {given} tokens, right is {right}"
    )


def _on_a_stand_in(search: Search) -> str:
    """What a search says of a pool that is none of upstream's, empty if nothing."""
    case = Case(("10",), 1, 2, 1, 2, 1)
    return run(search, case, stand_in(case)).error
