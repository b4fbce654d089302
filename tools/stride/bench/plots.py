"""The claim, drawn: each plot as PNG and as SVG."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from carry import evidence
from stride.bench.drawing import STYLES, bars, figure, legend, line, save
from stride.bench.inputs import DENSITY, MODELS
from stride.bench.record import Bench, Row
from stride.bench.rivals import PATCH, UPSTREAM

_WINDOWS = (128, 8)


def draw(bench: Bench, folder: Path) -> list[Path]:
    """Draw all plots into a folder; an SVG names the result that it was drawn from.

    Returns:
        The files that were written.
    """
    plots = {
        "lookups-by-prompt": _lookups_by_prompt,
        "latency-by-prompt": _latency_by_prompt,
        "lookups-by-density": _lookups_by_density,
        "share-of-a-step": _share_of_a_step,
    }
    source = evidence.result_id(bench.as_result())
    return [
        file for name, plot in plots.items() for file in save(plot(bench), folder, name, source)
    ]


def _lookups_by_prompt(bench: Bench) -> Any:
    return _by_prompt(
        bench,
        "Lookups per search: little cached, the longer the prompt the more is saved",
        "lookups",
        lambda row, name: row.lookups[name],
    )


def _latency_by_prompt(bench: Bench) -> Any:
    return _by_prompt(
        bench,
        "Time per search, the same inputs (median)",
        "time in µs",
        lambda row, name: row.times[name].median / 1000 if name in row.times else None,
    )


def _by_prompt(
    bench: Bench, title: str, unit: str, figure_of: Callable[[Row, str], float | None]
) -> Any:
    drawing, panels = figure(len(_WINDOWS), title)
    for panel, window in zip(panels, _WINDOWS, strict=True):
        rows = [row for row in bench.rows if row.section == MODELS and row.window == window]
        for name in STYLES:
            points = [(row.blocks, figure_of(row, name)) for row in rows if name not in row.wrong]
            line(panel, name, [point for point in points if point[1]])
        panel.set_xscale("log", base=2)
        panel.set_yscale("log")
        panel.set_xticks([row.blocks for row in rows], [_thousands(row) for row in rows])
        panel.set_xlabel("prompt in tokens (blocks of 16)")
        panel.set_title(f"window of {window * 16:,} tokens, {rows[0].cached} blocks cached")
    panels[0].set_ylabel(unit)
    legend(drawing, panels[0])
    return drawing


def _thousands(row: Row) -> str:
    thousands = row.blocks * row.block_size // 1024
    return f"{thousands}K" if thousands < 1024 else f"{thousands // 1024}M"


def _lookups_by_density(bench: Bench) -> Any:
    rows = [row for row in bench.rows if row.section == DENSITY]
    windows = sorted({row.window for row in rows})
    drawing, panels = figure(len(windows), "Lookups per search by what is cached, 32K tokens")
    for panel, window in zip(panels, windows, strict=True):
        mine = [row for row in rows if row.window == window]
        places = range(len(mine))
        for name in STYLES:
            points = [
                (place, row.lookups[name])
                for place, row in zip(places, mine, strict=True)
                if name not in row.wrong and row.lookups[name]
            ]
            line(panel, name, points)
        panel.set_yscale("log")
        panel.set_xticks(list(places), [row.cached for row in mine])
        panel.set_xlabel("blocks cached, each independently")
        panel.set_title(f"window of {window * 16:,} tokens")
    panels[0].set_ylabel("lookups")
    legend(drawing, panels[0])
    return drawing


def _share_of_a_step(bench: Bench) -> Any:
    drawing, panels = figure(2, "Share of a scheduling step that the search takes")
    kinds = list(dict.fromkeys(step.what for step in bench.scheduler))
    for panel, kind in zip(panels, kinds, strict=True):
        steps = [step for step in bench.scheduler if step.what == kind]
        for offset, name in ((-0.2, UPSTREAM), (0.2, PATCH)):
            bars(panel, name, steps, offset)
        names = [f"{step.waiting} x {step.tokens // 1024}K" for step in steps]
        panel.set_xticks(range(len(steps)), names, rotation=30)
        panel.set_xlabel("requests waiting x tokens in each")
        panel.set_title(f"{kind}; over the bars: the whole step in ms", fontsize=11)
        panel.set_ylim(0, 105)
    panels[0].set_ylabel("share of the step in %")
    legend(drawing, panels[0])
    return drawing
