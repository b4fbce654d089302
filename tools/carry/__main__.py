"""The command line: arguments, dispatch, and the one place where errors become words."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import cast

import click

from carry import config as configuration
from carry import process
from carry.config import Config
from carry.console import complain
from carry.errors import UserError, from_os_error

_SOURCE = click.option(
    "--source",
    type=click.Choice(["auto", "git", "pypi"]),
    default="auto",
    envvar="CARRY_SOURCE",
    show_default=True,
    show_envvar=True,
    help="Where upstream's trees come from.",
)
_PYTHON = click.option(
    "--python",
    type=click.Path(path_type=Path),
    default=sys.executable,
    envvar="CARRY_PYTHON",
    show_envvar=True,
    help="The interpreter of the environment that upstream's tests run in.",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The repository that carries the series.  [default: the one you are in]",
)
@click.pass_context
def cli(context: click.Context, root: Path | None) -> None:
    """Carry a patch series on a pinned upstream."""
    found = configuration.find_root((root or Path.cwd()).resolve())
    context.obj = configuration.load(found)


def _config(context: click.Context) -> Config:
    return cast("Config", context.obj)


@cli.command()
@_SOURCE
@click.pass_context
def sync(context: click.Context, source: str) -> None:
    """Put the submodule at the series' base, the series on it as commits."""
    from carry import sync as command

    command.sync(_config(context), source)


@cli.command()
@click.argument("versions", nargs=-1)
@click.option("--supported", is_flag=True, help="All releases that the series supports.")
@_SOURCE
@click.pass_context
def fetch(
    context: click.Context, *, versions: tuple[str, ...], supported: bool, source: str
) -> None:
    """Bring upstream versions into the mirror."""
    from carry import fetch as command

    if supported == bool(versions):
        raise UserError("fetch takes versions or --supported", hint="give one of the two")
    if supported:
        command.fetch_supported(_config(context))
    else:
        command.fetch(_config(context), source, versions)


@cli.command()
@click.option("--onto", default="", help="A release, tag or commit.  [default: upstream's branch]")
@click.option("--dry-run", is_flag=True, help="Do everything but put the result in place.")
@click.option("--drop-landed", is_flag=True, help="Take patches that upstream has out.")
@click.option("--continue", "go_on", is_flag=True, help="Go on after a conflict was resolved.")
@click.option("--abort", is_flag=True, help="Leave the rebase that waits.")
@click.option("--pre", is_flag=True, help="Take a pre-release for the newest, without git.")
@_SOURCE
@_PYTHON
@click.pass_context
def rebase(
    context: click.Context,
    *,
    onto: str,
    dry_run: bool,
    drop_landed: bool,
    go_on: bool,
    abort: bool,
    pre: bool,
    source: str,
    python: Path,
) -> None:
    """Move the series onto another upstream version."""
    from carry import rebase as command
    from carry import touched

    options = command.Options(python, source, dry_run=dry_run, drop_landed=drop_landed, pre=pre)
    if sum((bool(onto), go_on, abort)) > 1:
        raise UserError("--onto, --continue and --abort exclude each other", hint="give one")
    if abort:
        command.abort(_config(context))
        return
    with touched.told(_config(context)):
        if go_on:
            command.resume(_config(context), options)
        else:
            command.start(_config(context), onto, options)


@cli.command()
@click.option(
    "--upstream",
    "files",
    multiple=True,
    metavar="FILE",
    help="Also run this test file or folder of upstream's; may be given again.",
)
@_SOURCE
@_PYTHON
@click.pass_context
def test(context: click.Context, *, files: tuple[str, ...], source: str, python: Path) -> None:
    """Run upstream's own tests before the series and after it."""
    from carry import run_tests as command

    command.run_tests(_config(context), source, python, files)


@cli.command()
@click.option("--fix", is_flag=True, help="Put what hooks change into the patches.")
@_SOURCE
@click.pass_context
def hooks(context: click.Context, *, fix: bool, source: str) -> None:
    """Run upstream's own pre-commit hooks on what the series changes."""
    from carry.upstream_hooks import command

    command.hooks(_config(context), source, fix=fix)


@cli.command()
@click.option("--onto", default="", help="A release, tag or commit.  [default: upstream's newest]")
@click.option(
    "--report",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where report.md and report.json go.  [default: build/canary]",
)
@_SOURCE
@_PYTHON
@click.pass_context
def canary(
    context: click.Context, *, onto: str, folder: Path | None, source: str, python: Path
) -> None:
    """Try the committed series on upstream as it is today, in a throwaway clone."""
    from carry.canary import command, steps

    config = _config(context)
    options = steps.Options(python.absolute(), source, onto)
    command.canary(config, options, (folder or config.root / "build" / "canary").absolute())


@cli.command(context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED)
@_SOURCE
@_PYTHON
@click.pass_context
def run(context: click.Context, *, words: tuple[str, ...], source: str, python: Path) -> None:
    """Run a command with both trees at hand.

    In its words {base} stands for a working tree of the base, {patched} for the submodule, and
    {python} for the test environment's interpreter.
    """
    from carry import run as command

    command.run(_config(context), source, python, words)


@cli.command()
@_SOURCE
@click.pass_context
def export(context: click.Context, source: str) -> None:
    """Write the commits on the series' branch back into the patches folder."""
    from carry import export as command

    command.export(_config(context), source)


@cli.command()
@_SOURCE
@click.option("--static", is_flag=True, help="Look at the files only; apply nothing.")
@click.pass_context
def verify(context: click.Context, *, source: str, static: bool) -> None:
    """Name every disagreement of series, manifest, files and pin."""
    from carry import verify as command

    command.verify(_config(context), source, static=static)


@cli.command()
@_SOURCE
@click.pass_context
def adopt(context: click.Context, source: str) -> None:
    """Re-sign the series with your own git identity."""
    from carry import adopt as command

    command.adopt(_config(context), source)


@cli.command()
@click.option("--check-duplicates", is_flag=True, help="Search upstream's open pull requests.")
@click.option("--overwrite", is_flag=True, help="Give up an edit made in the written text.")
@click.option(
    "--open", "opening", is_flag=True, help="Say how it would be opened and what speaks against it."
)
@click.option("--yes", is_flag=True, help="With --open: push the branch, open or edit.")
@click.option(
    "--fork",
    default="",
    metavar="URL",
    envvar="CARRY_FORK",
    show_envvar=True,
    help="With --open: your fork.  [default: the configured one]",
)
@click.option(
    "--lease",
    default="",
    metavar="COMMIT",
    help="With --open: where the fork's branch is now.  [default: as published last]",
)
@_SOURCE
@click.pass_context
def pr(
    context: click.Context,
    *,
    check_duplicates: bool,
    overwrite: bool,
    opening: bool,
    yes: bool,
    fork: str,
    lease: str,
    source: str,
) -> None:
    """Write the pull request's text, from records and patches/pull_request.toml; open it."""
    from carry import duplicates, open_pull_request, write_pull_request

    if (yes or lease) and not opening:
        raise UserError("--yes and --lease go with --open", hint="add it, or leave them out")
    if check_duplicates:
        duplicates.check(_config(context))
    if opening:
        options = open_pull_request.Options(source, fork, lease, overwrite=overwrite, yes=yes)
        open_pull_request.open_pull_request(_config(context), options)
    elif not check_duplicates:
        write_pull_request.write_pull_request(_config(context), source, overwrite=overwrite)


@cli.command()
@_SOURCE
@click.pass_context
def review(context: click.Context, source: str) -> None:
    """Build the reviewer's page."""
    from carry.review import build as command

    command.review(_config(context), source)


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="The same as JSON, see docs/status.md.")
@click.option("--offline", is_flag=True, help="Ask nobody; say what was last known.")
@_SOURCE
@click.pass_context
def status(context: click.Context, *, as_json: bool, offline: bool, source: str) -> None:
    """Say where things stand, and what upstream's newest is."""
    from carry import status as command

    command.status(_config(context), source, offline=offline, as_json=as_json)


def start() -> None:
    """Run the command line, as a program does."""
    sys.exit(main(sys.argv[1:]))


def main(words: list[str]) -> int:
    """Run one command; the user's errors are one line.

    Returns:
        The exit code: 0, 1 for an error of the user's, 130 for a stop.
    """
    process.scrub_environment()
    try:
        with process.terminate_as_interrupt():
            cli.main(words, prog_name="carry", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return 0
    except UserError as error:
        complain(f"carry: {error.line()}")
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "carry"
        complain(f"{command}: {error.format_message().rstrip('.')}; see {command} --help")
    except (KeyboardInterrupt, click.Abort):
        complain("carry: stopped; `carry status` says where things stand")
        return 130
    except OSError as error:
        known = from_os_error(error)
        if known is None:
            raise
        complain(f"carry: {known.line()}")
    else:
        return 0
    return 1


if __name__ == "__main__":
    start()
