"""What a run found comes back from its record as it was."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from carry import evidence
from stride.bench import report
from stride.bench.record import from_result
from stride.bench.rivals import NAMES

from .made_up_bench import bench


def test_round_trip_through_a_file(tmp_path: Path) -> None:
    subject = evidence.Subject(series="0123", base="1.0.0", commit="abc", tree="def")
    record = evidence.new(
        "bench", bench().as_result(), command="nox", started=datetime.now(UTC), subject=subject
    )
    evidence.write(tmp_path, record)
    read = evidence.read(tmp_path, "bench")
    assert read is not None
    assert from_result(read.result) == bench()


def test_the_tables_show_every_search_and_every_target() -> None:
    console = Console(width=1_000)
    with console.capture() as capture:
        for table in report.tables(bench()):
            console.print(report.at_full_width(table))
    text = capture.get()
    assert all(name in text for name in NAMES)
    assert text.count("  met ") == len(bench().targets)
    assert "wrong" in text and "room for all" in text
    assert all(target.goal in text for target in bench().targets)


def test_a_table_in_a_log_keeps_a_cell_on_one_line() -> None:
    console = Console(width=40)
    with console.capture() as capture:
        for table in report.tables(bench()):
            console.print(report.at_full_width(table), soft_wrap=True)
    assert "Qwen3.8-Flash-Next, 32K " in capture.get()


def test_times_have_the_digits_they_are_worth() -> None:
    assert [report.microseconds(ns) for ns in (1_234, 99_940, 1_234_567)] == [
        "1.2",
        "99.9",
        "1,235",
    ]
