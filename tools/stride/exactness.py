"""What must hold of every outcome; each fault is one line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from operator import is_
from typing import Any

from stride.search import Answer, Outcome


def faults(outcome: Outcome) -> list[str]:
    """Every way in which the patched search is not what it claims to be; none if it is."""
    upstream, patched = outcome.upstream, outcome.patched
    if upstream.error or patched.error:
        if upstream.error == patched.error:
            return []
        return [f"raised {_raised(patched)} where upstream raised {_raised(upstream)}"]
    if type(patched.lists) is not tuple or len(patched.lists) != len(outcome.case.masks):
        return [f"returned {patched.lists!r}, not a tuple with one list per group"]
    return list(chain(_differences(outcome), _broken_promises(outcome), _wasted_lookups(outcome)))


def _raised(answer: Answer) -> str:
    return answer.error or "nothing"


def _differences(outcome: Outcome) -> Iterator[str]:
    """Where the answer is not upstream's, blocks and null block by identity."""
    upstream, patched = outcome.upstream, outcome.patched
    if patched.length != upstream.length:
        yield f"a hit of {patched.length} tokens, upstream's has {upstream.length}"
    for group, (mine, theirs) in enumerate(zip(patched.lists, upstream.lists, strict=True)):
        if len(mine) != len(theirs) or not all(map(is_, mine, theirs)):
            yield f"group {group}: blocks {_shown(mine)}, upstream's are {_shown(theirs)}"


def _broken_promises(outcome: Outcome) -> Iterator[str]:
    """What callers rely on, read off the answer alone."""
    case, lists, length = outcome.case, outcome.patched.lists, outcome.patched.length
    if len(set(map(id, lists))) != len(lists) or any(type(blocks) is not list for blocks in lists):
        yield "the groups' lists are not lists of their own"
    if length % case.alignment_tokens or length > case.max_length:
        yield f"{length} tokens is no multiple of the alignment or more than was asked for"
    kept = case.needed - case.eagle
    for group, blocks in enumerate(lists):
        if len(blocks) * case.block_size != length:
            yield f"group {group}: {len(blocks)} blocks for {length} tokens"
        nulls = _leading_nulls(blocks, outcome.null)
        if outcome.null in blocks[nulls:] or (nulls and len(blocks) - nulls < kept):
            yield f"group {group}: a null block inside the window: {_shown(blocks)}"


def _wasted_lookups(outcome: Outcome) -> Iterator[str]:
    """Where the bounds on lookups are broken."""
    case, probes = outcome.case, outcome.patched.probes
    if len(probes) > len(outcome.upstream.probes):
        yield f"{len(probes)} lookups, upstream needs {len(outcome.upstream.probes)}"
    if len(set(probes)) != len(probes):
        yield f"a block looked up twice: {probes}"
    if probes and not 0 <= min(probes) <= max(probes) < case.blocks:
        yield f"a block looked up that the query does not reach: {probes}"
        return
    windows = -(-case.blocks // case.window)
    hits = sum(map(case.is_cached, probes))
    if len(probes) > windows + 2 * hits:
        yield f"{len(probes)} lookups for {windows} windows and {hits} hits"
    if not hits and len(probes) < windows and case.every_end_is_aligned and case.nothing_is_cached:
        yield f"{len(probes)} lookups cannot rule out {windows} windows"


def _leading_nulls(blocks: list[Any], null: Any) -> int:
    return next((i for i, block in enumerate(blocks) if block is not null), len(blocks))


def _shown(blocks: list[Any]) -> str:
    names = (getattr(block, "block_id", block) for block in blocks)
    return f"[{', '.join(map(str, names))}]"
