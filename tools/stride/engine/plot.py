"""The one plot: what the search takes of the engine's step, before and after."""

from __future__ import annotations

from pathlib import Path

from carry import evidence
from stride.bench.drawing import STYLES, figure, legend, save
from stride.bench.rivals import PATCH, UPSTREAM
from stride.engine.device import NAMES
from stride.engine.record import Result
from stride.engine.report import NOTHING, name

NAME = "engine-share-of-a-step"
#: Bars that can still be read.
MOST = 14


def draw(result: Result, folder: Path) -> list[Path]:
    """Draw it as PNG and as SVG, which names the result that it shows.

    Returns:
        The files that were written.
    """
    rows = [row for row in result.rows if row.sides[UPSTREAM].of_step >= NOTHING]
    rows = sorted(rows, key=lambda row: row.saved, reverse=True)[:MOST]
    drawing, panels = figure(
        1, f"Share of the engine's step that the search takes, where it is {NOTHING:.1%} or more"
    )
    panel = panels[0]
    for offset, arm in ((-0.2, UPSTREAM), (0.2, PATCH)):
        shares = [row.sides[arm].of_step * 100 for row in rows]
        places = [place + offset for place in range(len(rows))]
        drawn = panel.barh(places, shares, 0.4, color=STYLES[arm].colour, label=arm)
        panel.bar_label(drawn, [f"{share:.2f}" for share in shares], fontsize=8, padding=2)
    panel.set_yticks(range(len(rows)), [f"{row.model}: {name(row)}" for row in rows])
    panel.invert_yaxis()
    panel.set_xlabel(f"share of the step in % (a tiny model; {NAMES[result.device.kind]})")
    legend(drawing, panel)
    return save(drawing, folder, NAME, evidence.result_id(result.as_result()))
