"""The committed words, records and templates: what `nox -s pr` makes of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from carry import config, evidence, git
from carry.freshness import Evidence, State
from carry.pull_request import words
from carry.pull_request.build import Text, compose

from .copied import CLEAN, ROOT

CONFIG = config.load(ROOT)


def template(version: str) -> str:
    """Upstream's template at a release that is in the mirror."""
    spec = f"refs/carry/releases/{version}:{CONFIG.pull_request.template}"
    text = git.show(CONFIG.tree, spec)
    assert text, f"{version} is not here: nox -s test fetches it"
    return text


def as_committed(*, fresh: bool) -> tuple[Evidence, ...]:
    """The committed records, whatever base the series stands on now."""
    found = []
    for wanted in CONFIG.evidence:
        record = evidence.read(ROOT, wanted.kind)
        one = Evidence(wanted.kind, wanted.title, wanted.command, State.MISSING, "not run")
        if record and fresh and record.result.get("outcome", "passed") == "passed":
            one = replace(one, state=State.FRESH, why="", record=record)
        found.append(one)
    return tuple(found)


def composed(version: str, *, fresh: bool) -> Text:
    written = words.read(CONFIG.patches_dir)
    return compose(CONFIG, written, as_committed(fresh=fresh), template(version))


@pytest.mark.parametrize("version", CLEAN)
@pytest.mark.parametrize("fresh", [True, False])
def test_the_text_passes_its_lint(version: str, *, fresh: bool) -> None:
    assert composed(version, fresh=fresh).problems == ()


def test_what_is_claimed_is_what_the_records_say() -> None:
    body = composed(CLEAN[-1], fresh=True).body
    tests = evidence.read(ROOT, "tests")
    assert tests
    before, after = tests.result["passed_before"], tests.result["passed_after"]
    assert f"{before} pass before, {after} after" in body
    assert f"{before} pass before" not in composed(CLEAN[-1], fresh=False).body


def test_every_pull_request_that_must_be_addressed_is() -> None:
    written = words.read(CONFIG.patches_dir)
    assert {str(number) for number in CONFIG.pull_request.address} <= written.differences.keys()
