"""Samples in turn, and what is made of them; no figure here was measured."""

from __future__ import annotations

import gc

import pytest

from stride.bench.timing import Call, Plan, Spread, collector_off, in_turn, ratio, spread


def test_median_and_quartiles() -> None:
    assert spread([5, 1, 3, 2, 4]) == Spread(3, 2, 4)
    assert spread([7.0]) == Spread(7, 7, 7)
    assert spread([123_456.0] * 3).median == 123_500


def test_a_disturbance_of_a_whole_round_falls_out_of_a_ratio() -> None:
    fast, slow = [10, 11, 500, 9], [20, 22, 1000, 18]
    assert ratio(slow, fast) == 2
    assert ratio(fast, slow) == 0.5


def test_a_ratio_is_the_median_of_the_rounds() -> None:
    assert ratio([10, 30, 80], [10, 10, 10]) == 3


def test_rounds_are_of_the_same_length() -> None:
    with pytest.raises(ValueError, match="shorter"):
        ratio([1, 2], [1])


def test_everyone_is_sampled_once_a_round_in_orders_that_differ() -> None:
    order: list[str] = []
    calls = {name: Call(order.append, [(name,)]) for name in "abc"}
    samples = in_turn(calls, Plan(rounds=40, sample_ns=0))
    assert {name: len(times) for name, times in samples.items()} == {"a": 40, "b": 40, "c": 40}
    warmed_up, counted = order[3::2], order[4::2]
    assert warmed_up == counted
    rounds = ["".join(counted[start : start + 3]) for start in range(0, len(counted), 3)]
    assert len(rounds) == 40
    assert set(rounds) == {"abc", "acb", "bac", "bca", "cab", "cba"}


def test_a_sample_is_long_enough() -> None:
    count = 0

    def call() -> None:
        nonlocal count
        count += 1

    in_turn({"call": Call(call, [()])}, Plan(rounds=1, sample_ns=200_000))
    assert count > 200


def test_the_collector_comes_back() -> None:
    with pytest.raises(KeyError), collector_off():
        assert not gc.isenabled()
        raise KeyError
    assert gc.isenabled()
