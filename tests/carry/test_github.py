from __future__ import annotations

from pathlib import Path

import pytest

from carry import config as configuration
from carry import github
from carry.config import Config
from carry.errors import UserError

from .repository import Repository
from .stand_in_gh import Hub
from .test_duplicates import TABLE


@pytest.fixture
def config(repository: Repository) -> Config:
    repository.configure(TABLE)
    return configuration.load(repository.root)


def test_a_pull_request_is_opened_found_and_edited(
    config: Config, hub: Hub, tmp_path: Path
) -> None:
    body = tmp_path / "body.md"
    body.write_text("why")
    number, url = github.create(config, "ada:perf/scan", "Scan", body)
    assert url.endswith(f"/acme/acme/pull/{number}")
    found = github.of_branch(config, "ADA", "perf/scan")
    assert found is not None
    assert (found.number, found.url, found.title) == (number, url, "Scan")
    assert github.of_branch(config, "eve", "perf/scan") is None
    body.write_text("why, better")
    github.edit(config, number, "Scan on", body)
    (pull,) = hub.state["pulls"]
    assert (pull["title"], pull["body"]) == ("Scan on", "why, better")


def test_a_login_is_asked_for(config: Config, hub: Hub) -> None:
    github.require_login(config)
    hub.set(login=False)
    with pytest.raises(UserError, match=r"^gh is not logged in; gh auth login$"):
        github.require_login(config)
    assert hub.calls() == [["auth", "status"]] * 2


def test_a_host_of_ones_own_is_named(repository: Repository, hub: Hub) -> None:
    repository.configure(TABLE.replace("acme/acme", "hub.invalid/acme/acme"))
    github.require_login(configuration.load(repository.root))
    assert hub.calls() == [["auth", "status", "--hostname", "hub.invalid"]]


def test_without_gh_it_says_so(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UserError, match="cannot start gh; install it"):
        github.require_login(config)


def test_a_failure_is_its_first_line(config: Config, hub: Hub) -> None:
    hub.set(fails=["pr list"])
    with pytest.raises(UserError, match=r"^gh pr list failed: HTTP 502: [^\n]*; mend that"):
        github.search(config, "find cells")


def test_an_answer_that_is_cut_off_is_no_answer(config: Config, hub: Hub) -> None:
    for number in range(100):
        hub.add(number, "Scan")
    hub.set(hits={"find cells": list(range(100))})
    with pytest.raises(UserError, match="--search find cells finds 100 or more; narrow"):
        github.search(config, "find cells")


def test_an_answer_of_another_form_is_a_line(config: Config, hub: Hub) -> None:
    hub.set(answer='[{"number": "1"}]')
    with pytest.raises(UserError, match=r"cannot be read: .*; install a newer gh"):
        github.search(config, "find cells")


@pytest.mark.parametrize("name", ["", "acme", "a/b/c/d"])
def test_a_repository_must_be_named(repository: Repository, name: str) -> None:
    repository.configure(TABLE.replace("acme/acme", name))
    with pytest.raises(UserError, match='write it as "owner/name"'):
        github.repository(configuration.load(repository.root))
