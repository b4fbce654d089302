"""Write the reviewer's page."""

from __future__ import annotations

from pathlib import Path

from carry.config import Config
from carry.console import say
from carry.files import write_atomically
from carry.review.page import Page, gather
from carry.review.render import render
from carry.swap import finish_pending
from carry.workspace import ensure_submodule, locked


def path(root: Path) -> Path:
    """Where the page is put."""
    return root / "build" / "review" / "index.html"


def review(config: Config, source: str) -> None:
    """Build the page and say where it is, and what it has nothing fresh of.

    Raises:
        UserError: The series does not apply, or a configured part cannot be made.
    """
    page, text = made(config, source)
    file = path(config.root)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, text.encode())
    _say(page, file)


def made(config: Config, source: str) -> tuple[Page, str]:
    """The page and its HTML; raises what `review` raises."""
    with locked(config, "review"):
        ensure_submodule(config)
        finish_pending(config)
        page = gather(config, source)
        return page, render(page)


def _say(page: Page, file: Path) -> None:
    for one in page.not_shown:
        say(f"not shown: {one.title}, {one.state}: {one.why} ({one.command})")
    say(f"{len(page.fresh)} of {len(page.evidence)} kinds of evidence are fresh")
    say(f"the reviewer's page: {file}")
