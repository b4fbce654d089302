"""`carry pr`: write the pull request's text and say what is wrong with it."""

from __future__ import annotations

from carry import published, pull_request, sync
from carry.config import Config
from carry.console import say
from carry.errors import UserError
from carry.pull_request import lint
from carry.swap import finish_pending
from carry.workspace import ensure_submodule, locked


def write_pull_request(config: Config, source: str, *, overwrite: bool) -> None:
    """Write the text, and name every fault of it.

    Raises:
        UserError: It has faults, or holds somebody's edit.
    """
    with locked(config, "pr"):
        ensure_submodule(config)
        finish_pending(config)
        built = pull_request.write(config, source, overwrite, _versions(config, source))
    say(built.title, style="bold")
    where = built.file.relative_to(config.root)
    say(f"{where}: {lint.length(built.body)} words outside of collapsed parts")
    for obstacle in built.obstacles:
        say(f"cannot be opened yet: {obstacle}", style="yellow")
    for problem in built.problems:
        say(problem, style="red")
    if built.problems:
        raise UserError(
            f"{len(built.problems)} fault(s) in the pull request's text",
            hint=f"mend {config.patches}/pull_request.toml, then run again",
        )
    say("the text passes its lint", style="green")


def _versions(config: Config, source: str) -> str:
    """How the series differs from the version that it replaces; a text without that is told."""
    try:
        return published.present_range_diff(config, sync.present_base(config, source))
    except UserError as error:
        say(f"note: {error.line()}", style="yellow")
        return ""
