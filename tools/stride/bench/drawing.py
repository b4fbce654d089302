"""How a search looks in every plot, and what all plots are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from stride.bench.record import Step
from stride.bench.rivals import EMPTY_GUARD, LATTICE_EXPAND, PATCH, RIGHT_TO_LEFT, SKIP, UPSTREAM
from stride.bench.rows import FLOOR


@dataclass(frozen=True)
class Style:
    """How a search is drawn; markers of several sizes still show where they coincide."""

    colour: str
    marker: str = ""
    size: int = 0
    line: str = "-"
    filled: bool = False


#: The same in every plot. The colours are Okabe and Ito's, which colour-blind people can tell
#: apart.
STYLES = {
    UPSTREAM: Style("#000000", "o", 6, filled=True),
    EMPTY_GUARD: Style("#CC79A7", "s", 11, line=":"),
    RIGHT_TO_LEFT: Style("#009E73", "v", 11, line="--"),
    LATTICE_EXPAND: Style("#0072B2", "o", 13, line="-."),
    SKIP: Style("#E69F00", "X", 9, line=""),
    PATCH: Style("#D55E00", "D", 6, filled=True),
    FLOOR: Style("#888888", line=":"),
}


def figure(panels: int, title: str) -> tuple[Any, Sequence[Any]]:
    """Ten inches wide, so that a PNG has 1,000 pixels."""
    matplotlib = import_module("matplotlib")
    matplotlib.rcParams.update(
        {
            "svg.hashsalt": "stride",
            "svg.fonttype": "none",
            "font.size": 11,
            "axes.grid": True,
            "grid.alpha": 0.3,
            "axes.axisbelow": True,
        }
    )
    drawing = import_module("matplotlib.figure").Figure(figsize=(10, 5.5), layout="constrained")
    axes = drawing.subplots(1, panels, sharey=True, squeeze=False)[0]
    drawing.suptitle(title)
    return drawing, axes


def legend(drawing: Any, panel: Any) -> None:
    """Below the panels, where it hides nothing."""
    drawing.legend(*panel.get_legend_handles_labels(), loc="outside lower center", ncols=4)


def line(panel: Any, name: str, points: Sequence[tuple[float, Any]]) -> None:
    """A search's line, or markers alone where it is right now and then."""
    if not points:
        return
    style = STYLES[name]
    panel.plot(
        [across for across, _ in points],
        [up for _, up in points],
        color=style.colour,
        marker=style.marker,
        markersize=style.size,
        markerfacecolor=style.colour if style.filled else "none",
        linestyle=style.line,
        label=f"{name} (where it is right)" if name == SKIP else name,
    )


def bars(panel: Any, name: str, steps: Sequence[Step], offset: float) -> None:
    """The shares of a search, beside those of another; over each the time of its step."""
    places = [place + offset for place in range(len(steps))]
    drawn = panel.bar(
        places,
        [step.shares[name] * 100 for step in steps],
        0.4,
        color=STYLES[name].colour,
        label=name,
    )
    times = [_milliseconds(step.times[name].median) for step in steps]
    panel.bar_label(drawn, times, fontsize=8)


def _milliseconds(ns: float) -> str:
    ms = ns / 1e6
    digits = 0 if ms >= 10 else 1 if ms >= 1 else 2
    return f"{ms:.{digits}f}"


def save(drawing: Any, folder: Path, name: str, source: str) -> list[Path]:
    """Write a drawing as PNG and as SVG, the latter with the id of the result that it shows.

    Without a date, the same figures give the same file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"{name}.{kind}" for kind in ("png", "svg")]
    for file, metadata in zip(files, ({}, {"Date": None, "Source": source}), strict=True):
        drawing.savefig(file, dpi=100, metadata=metadata)
    return files
