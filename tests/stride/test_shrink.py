from __future__ import annotations

from stride.case import Case
from stride.shrink import smallest

BIG = Case(("0110" * 50, "1110" * 50), 16, 300, 48, 3190, 4, eagle=True)


def test_nothing_but_what_it_fails_for_is_left() -> None:
    least = smallest(BIG, lambda case: case.masks[0].count("1") >= 2)
    assert least == Case(("11",), 1, 1, 1, 2, 1)


def test_what_it_fails_for_is_kept() -> None:
    least = smallest(BIG, lambda case: case.eagle and case.alignment_tokens > case.block_size)
    assert (least.eagle, least.alignment_tokens, least.block_size) == (True, 48, 16)


def test_a_smallest_case_stays() -> None:
    case = Case(("",), 1, 1, 1, 0, 1)
    assert smallest(case, lambda _: True) == case
