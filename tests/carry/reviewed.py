"""A carried series with something to review: a part of its own, a picture and a record."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from carry import config, evidence, subject

CONFIGURED = """
[[tool.carry.evidence]]
kind = "rows"
title = "rows of cells"
command = "nox -s rows"

[[tool.carry.evidence]]
kind = "rebase"
title = "the move"
command = "nox -s rebase"

[tool.carry.review]
title = "Compare slices"
summary = "find compares slices & no cells."

[[tool.carry.review.parts]]
title = "What it costs"
template = "review/rows.html.j2"
kind = "rows"
"""
WORDS = """
[[claim]]
kind = "rows"
text = "`find` looks {{ rows.looks | n }} times."
"""
PART = """\
{% from "macros.html.j2" import figure, table %}
<p>{{ record.result.looks | thousands }} looks, {{ record.result.remark }}</p>
{% call figure("review/plot.svg", "Looks by row", record) %}Looks.{% endcall %}
{% call table("Rows", ["Row", "Looks"]) %}
<tr><th scope="row">first</th><td>{{ record.result.looks }}</td></tr>
{% endcall %}
"""
PLOT = """\
<svg xmlns="http://www.w3.org/2000/svg" xmlns:dc="http://purl.org/dc/elements/1.1/"
 width="20pt" height="10pt" viewBox="0 0 20 10">
 <metadata><dc:source>{}</dc:source></metadata>
 <rect width="20" height="10" style="fill: #ffffff"/><text x="2" y="8">looks</text>
</svg>
"""


def configure(root: Path, text: str = CONFIGURED) -> None:
    """Give the repository a part of its own; commit nothing."""
    file = root / "pyproject.toml"
    file.write_text(file.read_text() + text)
    (root / "patches" / "pull_request.toml").write_text(WORDS)
    folder = root / "review"
    folder.mkdir()
    (folder / "rows.html.j2").write_text(PART)


def record(
    root: Path, kind: str = "rows", *, days: int = 0, draw: bool = True, **result: object
) -> evidence.Record:
    """Write a record of the series as it stands, made some days ago, and draw its plot."""
    found = evidence.new(
        kind,
        {"looks": 4321, "remark": "a < b", **result},
        command=f"nox -s {kind}",
        started=datetime.now(UTC) - timedelta(days=days),
        subject=subject.present(config.load(root)),
    )
    evidence.write(root, found)
    if draw:
        (root / "review" / "plot.svg").write_text(PLOT.format(evidence.result_id(found.result)))
    return found
