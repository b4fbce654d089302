"""What is no fault of the text, but keeps it from being opened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from carry import series
from carry.adopt import PLACEHOLDER
from carry.config import Config
from carry.freshness import Evidence, State
from carry.pull_request import template
from carry.sources import Base


def obstacles(config: Config, base: Base, evidence: Sequence[Evidence], body: str) -> Iterator[str]:
    """Each in one line that says what to do."""
    if config.identity[1].endswith(PLACEHOLDER):
        yield f"the series is signed off by a placeholder, {config.author}; carry adopt"
    if base.rehearsal:
        yield f"on {base.name} the series is a rehearsal; nox -s rebase with git in reach"
    required = {each.kind for each in config.evidence if each.required}
    for one in evidence:
        if one.kind in required and one.state is not State.FRESH:
            yield f"{one.kind} is {one.state} ({one.why}); {one.command}"
    for box in template.unticked(body):
        yield (
            f"the checklist's {box!r} is not ticked; do what it says, "
            f"then name it in {config.patches}/pull_request.toml"
        )


def sign_off_problems(config: Config) -> list[str]:
    """Patches whose author or sign-off is not the series' author."""
    patches = series.read(config.patches_dir)
    return [fault for patch in patches for fault in series.identity_faults(patch, config.identity)]
