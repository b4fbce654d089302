from __future__ import annotations

from carry.review.texts import anchor, breakable, coded


def test_a_long_name_may_be_broken_where_its_words_meet() -> None:
    assert breakable("a/b_c.py: <x>. _y") == "a/<wbr>b_<wbr>c.<wbr>py: &lt;x&gt;. _y"


def test_code_is_marked_and_nothing_else_is_markup() -> None:
    assert coded("`f(a < b)` & `") == "<code>f(a &lt; b)</code> &amp; `"


def test_a_title_becomes_an_anchor() -> None:
    assert anchor("Upstream's tests: 1 & 2.") == "upstream-s-tests-1-2"
