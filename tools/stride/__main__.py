"""The command line: `python -m stride`."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from carry.errors import UserError
from stride import check as differential
from stride import check_record
from stride.bench.command import bench_command
from stride.engine.command import smoke_command
from stride.oracle import Oracle, load
from stride.proof.command import prove_command

_TREE = click.Path(path_type=Path)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def commands() -> None:
    """Hold the patched prefix-cache search against upstream's own."""


@commands.command()
@click.option("--base", type=_TREE, required=True, help="Upstream's tree without the series.")
@click.option("--patched", type=_TREE, required=True, help="The same tree with the series on it.")
@click.option("--quick", is_flag=True, help="A tenth of the cases.")
def check(base: Path, patched: Path, quick: bool) -> None:
    """Same answer on every case, and never more lookups than upstream."""
    started = datetime.now(UTC)
    terminal = Console(stderr=True)
    with terminal.status("importing vllm"):
        oracle = load(base, patched)
    try:
        tallies = _run(oracle, differential.batches(oracle, quick=quick), terminal)
    except differential.DifferenceError as error:
        check_record.keep(check_record.failed(error.problem), started)
        raise
    total = sum(tallies.values(), differential.Tally())
    click.echo(
        f"exactness: {total.cases:,} cases, same answer, "
        f"lookups {total.patched_lookups:,} against {total.upstream_lookups:,}"
    )
    # A tenth of the cases shows less than the record says.
    if not quick:
        check_record.keep(check_record.passed(tallies), started)


def _run(
    oracle: Oracle, batches: list[differential.Batch], terminal: Console
) -> dict[str, differential.Tally]:
    """What came of each batch, by its name."""
    tallies = {}
    with Progress(console=terminal, transient=True, disable=not terminal.is_terminal) as bar:
        task = bar.add_task("", total=sum(batch.size for batch in batches))
        for batch in batches:
            bar.update(task, description=batch.name)
            tallies[batch.name] = differential.run(
                oracle, batch, lambda done: bar.advance(task, done)
            )
    return tallies


commands.add_command(bench_command)
commands.add_command(prove_command)
commands.add_command(smoke_command)


def run() -> None:
    """Run the command line; a failure the user can act on is one line and exit code 1."""
    try:
        commands(prog_name="stride")
    except UserError as error:
        click.echo(f"stride: {error.line()}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    run()
