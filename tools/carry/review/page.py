"""Everything that the page shows, gathered before anything is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from carry import git, manifest, published, pull_request, rebase_record, series, subject, sync
from carry.config import Config, ReviewPart
from carry.freshness import Evidence, State, survey
from carry.manifest import BaseEntry, PatchEntry
from carry.pull_request import Claim, words
from carry.review.functions import Function, functions
from carry.series import Patch

_KEEPS_LINES = re.compile(r"^(?:\s|[-*+>|]|\d+[.)]|[A-Z][A-Za-z-]+: )", re.MULTILINE)


@dataclass(frozen=True)
class Paragraph:
    """A part of a message; one that flows may be broken into other lines."""

    text: str
    flows: bool


@dataclass(frozen=True)
class Carried:
    """A patch and what the manifest says of it."""

    patch: Patch
    entry: PatchEntry

    @property
    def message(self) -> list[Paragraph]:
        """The patch's message; lists, code and trailers keep their lines."""
        texts = re.split(r"\n\s*\n", self.patch.description)
        return [Paragraph(text, not _KEEPS_LINES.search(text)) for text in texts if text.strip()]

    @property
    def diff(self) -> list[str]:
        """The lines of its change."""
        _, mark, change = self.patch.text.partition("\ndiff --git ")
        return f"{mark}{change}".strip().splitlines()


@dataclass(frozen=True)
class RangeDiff:
    """How the series differs from another state of it."""

    title: str
    text: str


@dataclass(frozen=True)
class Page:
    """What is shown."""

    config: Config
    base: BaseEntry
    series: str
    claims: tuple[Claim, ...]
    evidence: tuple[Evidence, ...]
    functions: tuple[Function, ...]
    patches: tuple[Carried, ...]
    range_diffs: tuple[RangeDiff, ...]

    @property
    def title(self) -> str:
        """What the series is called; its first patch's subject, unless it is said."""
        subjects = (one.patch.subject for one in self.patches)
        return self.config.review.title or next(subjects, "An empty series")

    @property
    def kinds(self) -> set[str]:
        """What is to be recorded."""
        return {one.kind for one in self.evidence}

    @property
    def links(self) -> tuple[str, ...]:
        """Upstream's pull requests that the series has or answers to."""
        named = (one.entry.upstream_pr for one in self.patches)
        return tuple(dict.fromkeys(link for link in named if link.startswith("https://")))

    @cached_property
    def fresh(self) -> tuple[Evidence, ...]:
        """What shows something."""
        return tuple(one for one in self.evidence if one.state is State.FRESH)

    @cached_property
    def not_shown(self) -> tuple[Evidence, ...]:
        """What was not run on this series and base, or did not end well."""
        return tuple(one for one in self.evidence if one.state is not State.FRESH)

    def of(self, part: ReviewPart) -> Evidence | None:
        """The evidence that a part is about; None for a part that needs none."""
        return next((one for one in self.evidence if one.kind == part.kind), None)


def gather(config: Config, source: str) -> Page:
    """Look everything up; changes nothing that the user sees.

    Args:
        config: The configuration.
        source: Where the base comes from if it is not here yet.

    Raises:
        UserError: The base cannot be had, or the series does not apply to it.
    """
    base = sync.present_base(config, source)
    tip = git.run(config.tree, "rev-parse", f"{sync.build(config, base)}^")
    about = manifest.read(config.patches_dir)
    bound = subject.of(config, config.patches_dir, base)
    evidence = survey(config, bound)
    return Page(
        config=config,
        base=about.base,
        series=bound.series,
        claims=_claims(config, evidence),
        evidence=evidence,
        functions=functions(config.tree, about.patch, base.commit, tip),
        patches=tuple(
            Carried(patch, about.entry(patch.name) or PatchEntry(patch.name))
            for patch in series.read(config.patches_dir)
        ),
        range_diffs=tuple(_range_diffs(config, evidence, base.commit, tip)),
    )


def _claims(config: Config, evidence: tuple[Evidence, ...]) -> tuple[Claim, ...]:
    """What the pull request claims; nothing as long as nobody has written what it says."""
    written = (config.patches_dir / words.FILE).exists()
    return pull_request.claims(config, evidence) if written else ()


def _range_diffs(
    config: Config, evidence: Iterable[Evidence], base: str, tip: str
) -> Iterator[RangeDiff]:
    """From the version that was published last, and from the one before the last move."""
    if text := published.range_diff(config, base, tip):
        yield RangeDiff("Since the version that was published last", text)
    for one in evidence:
        if one.kind == rebase_record.KIND and one.record and one.state is State.FRESH:
            yield from _move(one.record.result)


def _move(result: Mapping[str, Any]) -> Iterator[RangeDiff]:
    if result["moved"]:
        title = f"The move from {result['from']['base']} onto {result['onto']['base']}"
        lines = (f"{each['change']}: {each['subject']}" for each in result["range_diff"])
        yield RangeDiff(title, "\n".join(lines))
