"""Put the text together, look for what is wrong with it, and write it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from carry import freshness, git, subject, sync
from carry.config import Config
from carry.errors import UserError
from carry.freshness import Evidence, State
from carry.pull_request import lint, output, template, words
from carry.pull_request.filling import FillError
from carry.pull_request.obstacles import obstacles, sign_off_problems
from carry.pull_request.parts import Parts, fresh
from carry.pull_request.words import Words
from carry.sources import Base
from carry.workspace import ensure_submodule


@dataclass(frozen=True)
class Built:
    """The text as it was written.

    Attributes:
        title: The pull request's title.
        body: Its text.
        file: Where the text is.
        problems: What is wrong with the text.
        obstacles: What else keeps it from being opened.
    """

    title: str
    body: str
    file: Path
    problems: tuple[str, ...]
    obstacles: tuple[str, ...]


@dataclass(frozen=True)
class Text:
    """Title and body, and what is wrong with them."""

    title: str
    body: str
    problems: tuple[str, ...]


@dataclass(frozen=True)
class Claim:
    """One claim, the kind of record it rests on, and what that record is good for."""

    text: str
    kind: str
    state: State


def write(config: Config, source: str, overwrite: bool = False, range_diff: str = "") -> Built:
    """Write the text of the series as it stands, with no more than its records show.

    Args:
        config: The configuration.
        source: Where the base comes from if it is not here yet.
        overwrite: Give up an edit that was made in the written file.
        range_diff: How the series differs from the version that was published last.

    Raises:
        UserError: The written file holds an edit, or something that is needed is missing.
    """
    written = words.read(config.patches_dir)
    if not overwrite:
        output.require_unedited(config)
    ensure_submodule(config)
    base = sync.present_base(config, source)
    evidence = freshness.survey(config, subject.on(config, base))
    original = _template(config, base)
    text = compose(config, written, evidence, original, range_diff)
    output.write(config, text.title, text.body)
    return Built(
        text.title,
        text.body,
        output.body_file(config),
        tuple(dict.fromkeys((*text.problems, *sign_off_problems(config)))),
        tuple(obstacles(config, base, evidence, text.body)),
    )


def compose(
    config: Config,
    written: Words,
    evidence: Sequence[Evidence],
    original: str,
    range_diff: str = "",
) -> Text:
    """Put people's words and what the records show into upstream's template.

    Args:
        config: The configuration.
        written: People's words.
        evidence: The records as they are.
        original: The template.
        range_diff: How the series differs from the version that was published last.
    """
    parts = Parts(written, evidence, range_diff)
    title, made = parts.title(), parts.all()
    contents = {
        heading: "\n\n".join(filter(None, (made.get(name, "") for name in names)))
        for heading, names in written.sections.items()
    }
    body = template.fill(original, contents, parts.ticked())
    problems = (
        *parts.problems,
        *lint.words_problems(written),
        *lint.placement_problems(written, made, original),
        *lint.text_problems(config, title, body, original),
    )
    return Text(title, body, problems)


def _template(config: Config, base: Base) -> str:
    path = config.pull_request.template
    text = git.show(config.tree, f"{base.commit}:{path}")
    if text is None:
        raise UserError(f"{base.name} has no {path}", hint="set [tool.carry.pull-request] template")
    return text


def claims(config: Config, evidence: Sequence[Evidence]) -> tuple[Claim, ...]:
    """What is claimed, also by records that do not show it now.

    The numbers of such a claim are left out.
    """
    filling = fresh(evidence)
    states = {one.kind: one.state for one in evidence}
    found = []
    for claim in words.read(config.patches_dir).claim:
        text = words.without_numbers(claim.text)
        state = states.get(claim.kind, State.MISSING)
        if state is State.FRESH:
            try:
                text = filling.text(claim.text, claim.kind, claim.let)
            except FillError:
                state = State.BROKEN
        found.append(Claim(text, claim.kind, state))
    return tuple(found)
