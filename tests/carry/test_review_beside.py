from __future__ import annotations

import pytest

from carry.review.beside import CONTEXT, Hunk, Kind, hunks, numbered

MANY = [f"line {number}" for number in range(40)]


def beside(old: list[str], new: list[str]) -> tuple[Hunk, ...]:
    return hunks(numbered("\n".join(old), 1), numbered("\n".join(new), 1))


def kinds(found: tuple[Hunk, ...]) -> list[str]:
    return [hunk.kind for hunk in found]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ([], []),
        ([], MANY),
        (MANY, []),
        (MANY, MANY),
        (MANY, ["first", *MANY[1:20], "twentieth", *MANY[20:]]),
        (["a", "", "b", ")", "c"], ["x", "", "y", ")", "z"]),
    ],
)
def test_both_texts_are_there_in_full_and_in_order(old: list[str], new: list[str]) -> None:
    found = beside(old, new)
    assert [line.text for hunk in found for line in hunk.old] == old
    assert [line.text for hunk in found for line in hunk.new] == new
    assert [line.number for hunk in found for line in hunk.new] == list(range(1, len(new) + 1))
    for hunk in found:
        same = [line.text for line in hunk.old] == [line.text for line in hunk.new]
        assert same == (hunk.kind is not Kind.CHANGED)


def test_what_is_far_from_a_change_is_folded() -> None:
    found = beside(MANY, [*MANY[:20], "new", *MANY[20:]])
    assert kinds(found) == ["folded", "same", "changed", "same", "folded"]
    assert [len(hunk.new) for hunk in found] == [20 - CONTEXT, CONTEXT, 1, CONTEXT, 20 - CONTEXT]


def test_a_few_lines_are_not_folded() -> None:
    assert kinds(beside(MANY[:CONTEXT], MANY[:CONTEXT])) == ["same"]


def test_a_bracket_in_the_middle_does_not_part_a_change() -> None:
    found = beside(["head one", "head two", "a", ")", "b"], ["head one", "head two", "x", ")", "y"])
    assert kinds(found) == ["same", "changed"]


def test_two_lines_in_the_middle_do() -> None:
    found = beside(["a", "one", "two", "b"], ["x", "one", "two", "y"])
    assert kinds(found) == ["changed", "same", "changed"]


def test_an_indent_is_counted() -> None:
    assert [line.indent for line in numbered("a\n    b\n\n", 7)] == [0, 4, 0]
