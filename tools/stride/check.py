"""The differential test that every rebase runs: all small cases, then random ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from carry.errors import UserError
from stride import workloads
from stride.cache import stand_in
from stride.case import Case, one_group
from stride.exactness import faults
from stride.oracle import Oracle
from stride.real_cache import real
from stride.search import CacheOf, run_both
from stride.shrink import smallest

_SEED = 1


@dataclass(frozen=True)
class Batch:
    """Cases that belong together, and the kind of cache they run against."""

    name: str
    size: int
    cases: Callable[[], Iterator[Case]]
    cache_of: CacheOf = stand_in


@dataclass(frozen=True)
class Tally:
    """Cases run without a fault, and the lookups that each side made for them."""

    cases: int = 0
    patched_lookups: int = 0
    upstream_lookups: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.cases + other.cases,
            self.patched_lookups + other.patched_lookups,
            self.upstream_lookups + other.upstream_lookups,
        )


class DifferenceError(UserError):
    """The patched search fails on a case; the message has the smallest one."""

    def __init__(self, case: Case, found: list[str]) -> None:
        self.case = case
        super().__init__(
            f"the patched search differs on {case}: {'; '.join(found)}",
            hint="mend the patch, then run this check again",
        )


def batches(oracle: Oracle, *, quick: bool) -> list[Batch]:
    """All that is checked; `quick` takes a tenth of it."""
    alignments = tuple(filter(alignment_filter(oracle), workloads.ALIGNMENTS))
    shapes = [(1, 6 if quick else 8), (2, 2 if quick else 4), (3, 1 if quick else 2)]
    small = [
        exhaustive(blocks, groups, alignments)
        for groups, most in shapes
        for blocks in range(most + 1)
    ]
    any_alignment = alignments == workloads.ALIGNMENTS
    return [
        *small,
        _random("long prompts", 100 if quick else 1_000, 8_192, any_alignment, stand_in),
        _random("upstream's block pool", 100 if quick else 1_000, 512, any_alignment, real),
    ]


def alignment_filter(oracle: Oracle) -> Callable[[int], bool]:
    """Whether upstream's search takes an alignment; before 0.30 only multiples of the block."""

    def is_taken(alignment: int) -> bool:
        block = workloads.BLOCK_TOKENS
        case = one_group("1", block_size=block, window=1, alignment_tokens=alignment)
        return not run_both(oracle, case, stand_in).upstream.error

    return is_taken


def exhaustive(blocks: int, groups: int, alignments: tuple[int, ...]) -> Batch:
    """Every cache of so many blocks in so many groups; alignments in tokens."""
    return Batch(
        f"all of {groups} x {blocks} blocks",
        workloads.exhaustive_size(blocks, groups, alignments),
        lambda: workloads.exhaustive(blocks, groups, alignments),
    )


def run(oracle: Oracle, batch: Batch, on_progress: Callable[[int], None]) -> Tally:
    """Run every case of a batch.

    Args:
        oracle: Both searches.
        batch: What to run.
        on_progress: Told now and then how many more cases have passed.

    Raises:
        DifferenceError: On the first case with a fault, made as small as it can be.
    """
    count = patched = upstream = 0
    for case in batch.cases():
        outcome = run_both(oracle, case, batch.cache_of)
        if faults(outcome):
            raise _difference(oracle, case, batch.cache_of)
        count += 1
        patched += len(outcome.patched.probes)
        upstream += len(outcome.upstream.probes)
        if count % 1000 == 0:
            on_progress(1000)
    on_progress(count % 1000)
    return Tally(count, patched, upstream)


def _difference(oracle: Oracle, case: Case, cache_of: CacheOf) -> DifferenceError:
    def found(one: Case) -> list[str]:
        return faults(run_both(oracle, one, cache_of))

    least = smallest(case, lambda one: bool(found(one)))
    return DifferenceError(least, found(least))


def _random(
    name: str, count: int, most_blocks: int, any_alignment: bool, cache_of: CacheOf
) -> Batch:
    return Batch(
        name,
        count,
        lambda: workloads.random_cases(_SEED, count, most_blocks, any_alignment),
        cache_of,
    )
