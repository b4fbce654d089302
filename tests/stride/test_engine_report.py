"""What is said of a session: where the patch matters, where it does not, and the noise."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace
from rich.console import Console

from carry import evidence
from stride.bench.rivals import PATCH, UPSTREAM
from stride.engine import plot, report

from .. import needs
from .made_up_engine import result


def test_the_tables_show_both_arms() -> None:
    console = Console(width=240)
    with console.capture() as capture:
        for table in report.tables(result()):
            console.print(table)
    text = capture.get()
    for part in ("128, 4", "20.00%, 0.10%", "50%, 0%", "extended past a cached prompt, 4K"):
        assert part in text


def test_the_summary_says_what_is_to_be_taken_from_it() -> None:
    text = "\n".join(report.summary(result()))
    assert "2 requests: the same token ids, cached tokens and block tables in all 2 runs" in text
    assert "most is saved in windows only, extended past a cached prompt, 4K" in text
    assert "20.00% of the engine's step before and 0.10% after" in text
    assert "does not matter in 1 of 2 workloads" in text
    assert "the hybrid's 1 with cold prompts" in text
    assert "cached tokens in the 1 warm workloads: 64" in text


def test_the_noise_is_told_from_a_difference() -> None:
    noisy = result()
    assert "no difference above the noise" in report.whole(noisy)
    apart = replace(noisy, walls={UPSTREAM: (10.0, 12.0), PATCH: (7.0, 9.0)})
    assert "do not overlap" in report.whole(apart)
    once = replace(noisy, walls={UPSTREAM: (10.0,), PATCH: (7.0,)})
    assert "no difference above the noise" in report.whole(once)


def test_the_plot_is_the_same_for_the_same_figures(tmp_path: Path) -> None:
    needs.module("matplotlib")
    png, svg = plot.draw(result(), tmp_path / "first")
    again = plot.draw(result(), tmp_path / "second")
    assert png.read_bytes() == again[0].read_bytes()
    assert svg.read_bytes() == again[1].read_bytes()
    text = svg.read_text("utf-8")
    assert "windows only: extended past a cached prompt, 4K" in text
    assert "hybrid: cold" not in text
    assert f"<dc:source>{evidence.result_id(result().as_result())}</dc:source>" in text
