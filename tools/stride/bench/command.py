"""`stride bench`: run the benchmark, show it, and keep what came out."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from carry import evidence
from carry.console import is_terminal, say, show
from stride import recording
from stride.bench import page, plots, report
from stride.bench import run as whole
from stride.bench.home import hub_home
from stride.bench.record import Bench
from stride.oracle import load

KIND = "bench"
#: Where a quick run writes, so that it never replaces the committed record.
QUICK_OUT = Path("build/bench")

_TREE = click.Path(path_type=Path)


@click.command("bench")
@click.option("--base", type=_TREE, required=True, help="Upstream's tree without the series.")
@click.option("--patched", type=_TREE, required=True, help="The same tree with the series on it.")
@click.option("--quick", is_flag=True, help="Fewer rounds and shorter prompts; kept apart.")
@click.option("--out", type=_TREE, help="Where to write; else here, or build/bench if quick.")
def bench_command(base: Path, patched: Path, quick: bool, out: Path | None) -> None:
    """Lookups and latency: upstream, the patch and its rivals."""
    root = out or (QUICK_OUT if quick else Path())
    subject = recording.subject("bench")
    recording.refuse_what_would_fail_later(root, "bench", quick=quick)
    started = datetime.now(UTC)
    result = _run(base, patched, quick=quick)
    for table in report.tables(result):
        show(table if is_terminal() else report.at_full_width(table))
    record = evidence.new(
        KIND,
        result.as_result(),
        command=f"nox -s bench{' -- --quick' if quick else ''}",
        started=started,
        subject=subject,
    )
    root.mkdir(parents=True, exist_ok=True)
    file = evidence.write(root, record)
    drawn = plots.draw(result, root / "docs" / "plots")
    page.refresh(root, result)
    say(f"written: {file} and {len(drawn)} plots in {drawn[0].parent}")


def _run(base: Path, patched: Path, *, quick: bool) -> Bench:
    terminal = Console(stderr=True)
    with hub_home():
        with terminal.status("importing vllm"):
            oracle = load(base, patched)
        with Progress(console=terminal, transient=True, disable=not terminal.is_terminal) as bar:
            task = bar.add_task("", total=whole.parts(quick=quick))

            def on_part(name: str) -> None:
                bar.update(task, description=name, advance=1)

            return whole.run(oracle, on_part, quick=quick)
