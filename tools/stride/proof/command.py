"""`stride prove`: the arguments, and what is shown."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from carry.errors import from_os_error
from stride.oracle import load
from stride.proof.check import ProofError
from stride.proof.run import Places, prove

_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)


@click.command("prove")
@click.option("--root", type=_FOLDER, default=".", help="This repository; else the current folder.")
@click.option("--base", type=_FOLDER, required=True, help="Upstream's tree without the series.")
@click.option("--patched", type=_FOLDER, required=True, help="The same tree with the series on it.")
def prove_command(root: Path, base: Path, patched: Path) -> None:
    """Check the Lean proof, and its model against both trees."""
    say = partial(click.echo, err=True)
    places = Places(root.resolve())
    try:
        result = prove(places, lambda: load(base, patched), say)
    except ProofError as error:
        for message in error.messages:
            say(str(message))
        raise
    except OSError as error:
        if known := from_os_error(error):
            raise known from error
        raise
    if result.proof is None or result.bridge is None:
        click.echo(f"skipped: {result.problem}")
        return
    cases = result.bridge.random + result.bridge.vectors
    click.echo(
        f"{len(result.proof.theorems)} theorems checked by Lean's kernel,"
        f" the model agrees with both trees on {cases:,} of {cases:,} cases"
    )
