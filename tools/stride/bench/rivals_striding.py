"""Rivals that look up one block per window, and more only around a block that is cached."""

from __future__ import annotations

from typing import Any

from stride.bench.rival import Found, LookUp, Rival


class RightToLeft(Rival):
    """The first proposal (#65086): the window's first block, then the others from the right."""

    def search(  # noqa: D102  the base class says it
        self,
        hashes: Any,
        blocks: int,
        window: int,
        drop: int,
        step: int,
        look_up: LookUp,
        groups: list[int],
    ) -> Found:
        cached = {}
        end = blocks - (blocks - drop) % step
        while end >= window:
            start = end - window
            if not (block := look_up(hashes[start], groups)):
                end = start if step == 1 else start - (start - drop) % step
                continue
            cached[start] = block
            for index in range(end - 1, start, -1):
                if not (block := look_up(hashes[index], groups)):
                    end = index if step == 1 else index - (index - drop) % step
                    break
                cached[index] = block
            else:
                return start, end, cached
        return 0, _prefix(hashes, end, drop, step, look_up, groups, cached), cached


class LatticeExpand(Rival):
    """#40156, #42990: one point per window; a hit is expanded both ways to its run.

    The run is not followed to the left further than the window reaches, which the
    descriptions leave open and which saves lookups.
    """

    def search(  # noqa: D102  the base class says it
        self,
        hashes: Any,
        blocks: int,
        window: int,
        drop: int,
        step: int,
        look_up: LookUp,
        groups: list[int],
    ) -> Found:
        cached = {}
        limit = blocks - (blocks - drop) % step  # no hit ends right of it
        point = limit - window
        while point >= 0:
            if not (block := look_up(hashes[point], groups)):
                limit = point
                point -= window
                continue
            cached[point] = block
            index = point + 1
            while index < limit and (block := look_up(hashes[index], groups)):
                cached[index] = block
                index += 1
            end = index if step == 1 else index - (index - drop) % step
            index = point - 1
            while (
                index >= 0 and index >= end - window and (block := look_up(hashes[index], groups))
            ):
                cached[index] = block
                index -= 1
            if index < 0 or index < end - window:
                return max(end - window, 0), end, cached
            limit = index
            while point >= limit:
                point -= window
        return 0, _prefix(hashes, limit, drop, step, look_up, groups, cached), cached


def _prefix(
    hashes: Any,
    limit: int,
    drop: int,
    step: int,
    look_up: LookUp,
    groups: list[int],
    cached: dict[int, Any],
) -> int:
    """The end of a hit that begins at block 0 and ends at or left of `limit`."""
    for index in range(limit):
        if not (block := look_up(hashes[index], groups)):
            return index - (index - drop) % step
        cached[index] = block
    return limit - (limit - drop) % step
