"""Whether another open pull request does the same: asked, recorded, and answered in writing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec

from carry import evidence, fork, github, subject
from carry.config import Config
from carry.console import say
from carry.errors import UserError
from carry.evidence import Record, Subject
from carry.fork import Fork
from carry.github import PullRequest
from carry.pull_request import words
from carry.workspace import locked

KIND = "duplicates"
COMMAND = "nox -s pr -- --check-duplicates"


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a check found: the searches that were made, and each open pull request once."""

    repository: str
    searches: tuple[str, ...]
    found: tuple[PullRequest, ...]


def check(config: Config) -> None:
    """Search upstream's open pull requests, record what is found and say what is to be answered.

    Raises:
        UserError: A search failed, or a pull request is found whose difference is not written.
    """
    with locked(config, "pr --check-duplicates"):
        now, started = subject.present(config), datetime.now(UTC)
        result = _search(config)
        record = evidence.new(
            KIND, msgspec.to_builtins(result), command=COMMAND, started=started, subject=now
        )
        file = evidence.write(config.root, record)
    say(f"recorded in {file.relative_to(config.root)}")
    ours = fork.at(config.pull_request.fork) if config.pull_request.fork else None
    if left := _unanswered(config, result, ours):
        raise UserError(f"{', '.join(left)} may do the same", hint=_how_to_answer(config))


def _search(config: Config) -> Result:
    searches = config.pull_request.searches
    if not searches:
        raise UserError(
            "it is not configured what a duplicate would be found by",
            hint="set [tool.carry.pull-request] searches",
        )
    found: dict[int, PullRequest] = {}
    for search in searches:
        hits = github.search(config, search)
        say(f"{len(hits)} open pull request(s) for: {search}")
        found |= {hit.number: hit for hit in hits}
    for each in found.values():
        say(f"  #{each.number} {each.title} ({each.updated_at[:10]})")
    return Result(github.repository(config), searches, tuple(found[n] for n in sorted(found)))


def reasons(config: Config, now: Subject, ours: Fork | None) -> list[str]:
    """What of the check speaks against opening the pull request, each in one line.

    Args:
        config: The configuration.
        now: The present series.
        ours: The contributor's fork; what proposes its branch is no duplicate.

    Raises:
        UserError: A file that is needed for the answer cannot be read.
    """
    record = evidence.read(config.root, KIND)
    if record is None:
        return [f"no check for duplicates was made; {COMMAND}"]
    try:
        result = msgspec.convert(record.result, Result)
    except msgspec.ValidationError as error:
        return [f"the check for duplicates cannot be read ({error}); {COMMAND}"]
    stale = _staleness(config, now, record, result)
    found = [f"the check for duplicates is stale: {why}; {COMMAND}" for why in stale]
    left = _unanswered(config, result, ours)
    return found + [f"{name} may do the same; {_how_to_answer(config)}" for name in left]


def _staleness(config: Config, now: Subject, record: Record, result: Result) -> list[str]:
    asked = (config.pull_request.repository, config.pull_request.searches)
    age = datetime.now(UTC) - datetime.fromisoformat(record.started)
    most = timedelta(hours=config.pull_request.fresh_hours)
    return [
        why
        for why, holds in (
            ("the series has changed", record.subject.series != now.series),
            ("other searches are configured", (result.repository, result.searches) != asked),
            # A time to come is a clock that is wrong.
            (f"it is of {record.started}", not timedelta(0) <= age <= most),
        )
        if holds
    ]


def _unanswered(config: Config, result: Result, ours: Fork | None) -> list[str]:
    """The pull requests that may do the same and of which no difference is written."""
    written = words.read(config.patches_dir).differences
    titles = dict.fromkeys(config.pull_request.address, "")
    titles |= {
        each.number: each.title
        for each in result.found
        if not (ours and each.comes_from(ours.owner, config.branch))
    }
    return [
        f"#{number} {title}".strip()
        for number, title in sorted(titles.items())
        if not written.get(str(number), "").strip()
    ]


def _how_to_answer(config: Config) -> str:
    return f'write how it differs: [differences] "number" = "…" in {config.patches}/{words.FILE}'
