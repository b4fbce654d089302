"""The rows cover what they are said to cover."""

from __future__ import annotations

from collections import Counter

from stride.bench import inputs as sections
from stride.bench.inputs import clustered, inputs, scattered
from stride.bench.run import parts

ROWS = inputs(quick=False)


def test_how_many_there_are_of_each() -> None:
    assert Counter(row.section for row in ROWS) == {
        sections.MODELS: 4 * 5,
        sections.EMPTY: 4 * 5,
        sections.TABLE_C: 9,
        sections.DENSITY: 2 * 6,
        sections.CLUSTERED: 2 * 4,
        sections.ALIGNED: 4 * 2,
        sections.GROUPS: 4 * 2,
        sections.NOTHING: 1,
    }


def test_every_row_has_a_title_of_its_own() -> None:
    titles = [(row.section, row.name, row.cached) for row in ROWS]
    assert len(set(titles)) == len(titles)


def test_prompts_from_4k_to_1m_tokens_and_one_to_four_groups() -> None:
    tokens = {row.case.max_length for row in ROWS if row.section == sections.MODELS}
    assert tokens == {4_096, 8_192, 32_768, 131_072, 1_048_576}
    groups = {len(row.case.masks) for row in ROWS if row.section == sections.GROUPS}
    assert groups == {1, 2, 3, 4}


def test_a_quick_run_leaves_the_longest_prompts_out() -> None:
    quick = inputs(quick=True)
    left_out = [row for row in ROWS if row not in quick]
    assert {row.case.max_length for row in left_out} == {1_048_576}


def test_a_random_cache_is_drawn_more_than_once() -> None:
    draws = {(row.section, row.cached): len(set(row.cases)) for row in ROWS}
    assert draws[sections.DENSITY, "5%"] == sections.DRAWS
    assert draws[sections.CLUSTERED, "runs of 8"] == sections.DRAWS
    assert draws[sections.ALIGNED, "50%"] == sections.DRAWS
    assert draws[sections.GROUPS, "runs of 128"] == sections.DRAWS
    assert draws[sections.DENSITY, "0%"] == draws[sections.MODELS, "the first 8"] == 1


def test_aligned_rows_are_like_deepseek_v4() -> None:
    for row in ROWS:
        if row.section == sections.ALIGNED:
            assert (row.case.block_size, row.case.alignment_tokens) == (4, 256)


def test_caches_are_as_dense_as_they_say() -> None:
    for density in sections.DENSITIES:
        assert abs(scattered(20_000, density, 1).count("1") / 20_000 - density) < 0.02
    for run in sections.RUNS:
        mask = clustered(200_000, run, 1)
        assert abs(mask.count("1") / 200_000 - 0.5) < 0.1
        assert 0.8 * run < mask.count("1") / max(mask.count("01"), 1) < 1.3 * run


def test_the_progress_bar_knows_how_many_parts_there_are() -> None:
    assert parts(quick=False) - parts(quick=True) == 2 * 4
