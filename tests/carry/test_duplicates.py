from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from carry import config as configuration
from carry import duplicates, evidence, fork, subject

from .repository import Repository
from .stand_in_gh import Hub

TABLE = """\
[tool.carry.pull-request]
repository = "acme/acme"
searches = ["scanner in:title", "find cells"]
address = [7]
"""


@pytest.fixture
def asking(repository: Repository, hub: Hub) -> Repository:
    repository.configure(TABLE)
    answer(repository)
    return repository


def answer(repository: Repository, **differences: str) -> None:
    lines = "".join(f'"{name[1:]}" = "{text}"\n' for name, text in differences.items())
    (repository.root / "patches/pull_request.toml").write_text(f"[differences]\n{lines}")


def reasons(repository: Repository, ours: str = "") -> list[str]:
    config = configuration.load(repository.root)
    mine = fork.at(ours) if ours else None
    return duplicates.reasons(config, subject.present(config), mine)


def test_every_search_is_made_and_what_it_finds_is_recorded_once(
    asking: Repository, hub: Hub
) -> None:
    hub.add(12, "Scan faster")
    hub.add(7, "Scan in parallel")
    hub.set(hits={"scanner in:title": [12], "find cells": [7, 12]})
    answer(asking, _7="it needs threads", _12="it misses the last cell")
    out = asking.done("pr", "--check-duplicates")
    assert "1 open pull request(s) for: scanner in:title" in out
    assert "#12 Scan faster (2026-10-01)" in out
    record = evidence.read(asking.root, "duplicates")
    assert record is not None
    assert [each["number"] for each in record.result["found"]] == [7, 12]
    assert record.result["searches"] == ["scanner in:title", "find cells"]
    assert record.command == "nox -s pr -- --check-duplicates"
    for call in hub.calls("pr list"):
        assert call[2:6] == ["--repo", "acme/acme", "--state", "open"]
    assert reasons(asking) == []


def test_what_is_found_must_be_answered_in_writing(asking: Repository, hub: Hub) -> None:
    hub.add(12, "Scan faster")
    hub.set(hits={"find cells": [12]})
    answer(asking, _7="it needs threads", _12=" ")
    line = asking.refused("pr", "--check-duplicates")
    assert line == (
        "carry: #12 Scan faster may do the same; "
        'write how it differs: [differences] "number" = "…" in patches/pull_request.toml'
    )
    (reason,) = reasons(asking)
    assert reason.startswith("#12 Scan faster may do the same; write how it differs")


def test_what_must_be_addressed_is_named_even_if_no_search_finds_it(asking: Repository) -> None:
    assert asking.refused("pr", "--check-duplicates").startswith("carry: #7 may do the same")


def test_our_own_pull_request_is_no_duplicate(asking: Repository, hub: Hub) -> None:
    hub.add(12, "Scan faster", owner="Ada", branch="perf/scan")
    hub.set(hits={"find cells": [12]})
    answer(asking, _7="it needs threads")
    assert "#12" in asking.refused("pr", "--check-duplicates")
    assert reasons(asking, "https://hub.invalid/ada/acme.git") == []
    assert reasons(asking, "https://hub.invalid/eve/acme.git") != []


def test_without_a_check_it_is_said(asking: Repository) -> None:
    assert reasons(asking) == [
        "no check for duplicates was made; nox -s pr -- --check-duplicates",
    ]


@pytest.mark.parametrize(("hours", "fresh"), [(23, True), (25, False), (-1, False)])
def test_a_check_ages(asking: Repository, hours: int, fresh: bool) -> None:
    answer(asking, _7="it needs threads")
    asking.done("pr", "--check-duplicates")
    record = evidence.read(asking.root, "duplicates")
    assert record is not None
    aged = evidence.new(
        record.kind, record.result, command=record.command, subject=record.subject,
        started=datetime.now(UTC) - timedelta(hours=hours),
    )  # fmt: skip
    evidence.write(asking.root, aged)
    stale = f"the check for duplicates is stale: it is of {aged.started}; {duplicates.COMMAND}"
    assert reasons(asking) == ([] if fresh else [stale])


def test_a_check_of_another_series_or_by_other_searches_is_stale(asking: Repository) -> None:
    answer(asking, _7="it needs threads")
    asking.done("pr", "--check-duplicates")
    file = asking.root / "pyproject.toml"
    file.write_text(file.read_text().replace("find cells", "find a cell"))
    config = configuration.load(asking.root)
    other = msgspec.structs.replace(subject.present(config), series="other")
    stale = duplicates.reasons(config, other, None)
    assert [each.split(";")[0] for each in stale] == [
        "the check for duplicates is stale: the series has changed",
        "the check for duplicates is stale: other searches are configured",
    ]


def test_an_altered_record_is_no_check(asking: Repository) -> None:
    answer(asking, _7="it needs threads")
    asking.done("pr", "--check-duplicates")
    file = asking.root / "evidence/duplicates.json"
    record = json.loads(file.read_text())
    record["started"] = "2099-01-01T00:00:00+00:00"
    file.write_text(json.dumps(record))
    with pytest.raises(evidence.BrokenError, match="was altered"):
        reasons(asking)


def test_without_searches_nothing_is_recorded(repository: Repository, hub: Hub) -> None:
    repository.configure('[tool.carry.pull-request]\nrepository = "acme/acme"\n')
    assert "set [tool.carry.pull-request] searches" in repository.refused(
        "pr", "--check-duplicates"
    )
    assert not (repository.root / "evidence").exists()


def test_a_difference_that_is_no_text_is_a_line(asking: Repository) -> None:
    (asking.root / "patches/pull_request.toml").write_text("[differences]\n7 = 1\n")
    assert "pull_request.toml: Expected `str`, got `int`" in asking.refused(
        "pr", "--check-duplicates"
    )
