"""From a case that fails to a smallest one that still does."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from stride.case import Case


def smallest(case: Case, fails: Callable[[Case], bool]) -> Case:
    """Simplify a failing case step by step, until every simpler one passes."""
    while True:
        simpler = next(filter(fails, _simpler(case)), None)
        if simpler is None:
            return case
        case = simpler


def _simpler(case: Case) -> Iterator[Case]:
    """Cases with less in one respect and nothing more in any other, the boldest cut first."""
    for group in range(len(case.masks)):
        if len(case.masks) > 1:
            yield replace(case, masks=case.masks[:group] + case.masks[group + 1 :])
    yield from _shorter(case)
    yield from _plainer(case)
    for group, mask in enumerate(case.masks):
        for index in range(len(mask)):
            if mask[index] == "1":
                emptier = mask[:index] + "0" + mask[index + 1 :]
                yield replace(case, masks=(*case.masks[:group], emptier, *case.masks[group + 1 :]))


def _shorter(case: Case) -> Iterator[Case]:
    """Cases with a run of blocks cut out of the prompt."""
    length = len(case.masks[0])
    run = length
    while run > 0:
        for start in range(0, length - run + 1, run):
            masks = tuple(mask[:start] + mask[start + run :] for mask in case.masks)
            tokens = min(case.max_length, (length - run) * case.block_size)
            yield replace(case, masks=masks, max_length=tokens)
        run //= 2


def _plainer(case: Case) -> Iterator[Case]:
    """Cases with a shorter window, or a setting at its plain value."""
    for window in (1, case.window_tokens // 2, case.window_tokens - 1):
        if 1 <= window < case.window_tokens:
            yield replace(case, window_tokens=window)
    if case.eagle:
        yield replace(case, eagle=False)
    if case.max_length % case.block_size:
        yield replace(case, max_length=case.blocks * case.block_size)
    if case.alignment_tokens != case.block_size:
        yield replace(case, alignment_tokens=case.block_size)
    if case.hash_block_size != case.block_size:
        yield replace(case, hash_block_size=case.block_size)
    if case.block_size > 1 and case.alignment_tokens == case.hash_block_size == case.block_size:
        yield _blocks_of_one_token(case)


def _blocks_of_one_token(case: Case) -> Case:
    return Case(
        masks=case.masks,
        block_size=1,
        window_tokens=1 + case.needed - case.eagle,
        alignment_tokens=1,
        max_length=case.blocks,
        hash_block_size=1,
        eagle=case.eagle,
    )
