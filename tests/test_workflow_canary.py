"""The steps of canary.yml, run as they stand: nights with one report or another."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from .carry.stand_in_gh import Hub, install
from .workflows import Outcome, load, run_job

CANARY = load("canary.yml")
REPORT = "# The series on 0.34.0\n\n`mänager.py` **conflicts**.\n"
RUN = "https://hub.invalid/ada/stride/actions/runs/"
#: pip and nox are told to us; nox writes the report and ends as the test wants it to.
PYTHON = """\
#!/bin/sh
case "$*" in
  "-m pip install --quiet nox") exit {pip} ;;
  "-m nox -s canary")
    if [ -d {ready} ]; then mkdir -p build && cp -R {ready} build/canary; fi
    exit {status} ;;
  "-m "*) exit 99 ;;
  *) exec {python} "$@" ;;
esac
"""


class Nights:
    """A repository on the hosting service, night after night."""

    def __init__(self, folder: Path, hub: Hub) -> None:
        self.folder, self.hub, self.count = folder, hub, 0

    def night(
        self, outcome: str = "", *, report: str = REPORT, status: int = 1, pip: int = 0
    ) -> tuple[Outcome, Outcome]:
        """Run both jobs; without an outcome there is no report."""
        self.count += 1
        here = self.folder / str(self.count)
        ready, first, second = here / "ready", here / "canary", here / "issue"
        for folder in (first, second):
            folder.mkdir(parents=True)
        if outcome:
            ready.mkdir()
            (ready / "report.md").write_text(report, "utf-8")
            (ready / "report.json").write_text(json.dumps({"schema": 1, "outcome": outcome}))
        file = self.hub.folder / "python3"
        file.write_text(
            PYTHON.format(pip=pip, status=status, ready=ready, python=sys.executable), "utf-8"
        )
        file.chmod(0o755)
        known = {
            "github.token": "the default one",
            "github.repository": "ada/stride",
            "github.server_url": "https://hub.invalid",
            "github.run_id": str(self.count),
            "vars.PIP_EXTRA_INDEX_URL": "",
        }
        canary = run_job(CANARY, "canary", first, known=known, actions=ARTIFACTS)
        known["needs.canary.result"] = canary.result
        issue = run_job(CANARY, "issue", second, known=known, actions=ARTIFACTS)
        return canary, issue

    def issues(self) -> list[dict[str, Any]]:
        return list(self.hub.state["issues"])


def upload(given: Mapping[str, str], folder: Path) -> bool:
    """Keep what is there of the files, below the folder that all of them share."""
    paths = given["path"].split()
    shared = Path(os.path.commonpath(paths))
    found = [path for path in paths if (folder / path).exists()]
    for path in found:
        kept = folder.parent / "artifacts" / given["name"] / Path(path).relative_to(shared)
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / path, kept)
    return bool(found) or given["if-no-files-found"] == "ignore"


def download(given: Mapping[str, str], folder: Path) -> bool:
    """Get an artifact of the same run; there may be none."""
    kept = folder.parent / "artifacts" / given["name"]
    if kept.exists():
        shutil.copytree(kept, folder / given["path"])
    return kept.exists()


ARTIFACTS = {"actions/upload-artifact": upload, "actions/download-artifact": download}


@pytest.fixture
def nights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Nights:
    return Nights(tmp_path, install(tmp_path / "gh", monkeypatch))


def test_a_conflict_opens_an_issue_with_the_report(nights: Nights) -> None:
    canary, issue = nights.night("conflict")
    assert (canary.result, issue.result) == ("failure", "success"), issue.output
    (opened,) = nights.issues()
    assert opened["title"] == "The series on the newest upstream: conflict"
    assert REPORT in opened["body"]
    assert f"{RUN}1\n" in opened["body"]
    assert opened["labels"] == ["upstream-canary"]


def test_the_report_is_shown_and_kept_though_the_session_failed(nights: Nights) -> None:
    canary, _ = nights.night("failed")
    assert canary.summary == REPORT
    assert canary.steps["Run the canary"] is False
    kept = nights.folder / "1" / "artifacts" / "canary"
    assert {file.name for file in kept.iterdir()} == {"report.md", "report.json"}


def test_the_next_report_goes_into_the_same_issue(nights: Nights) -> None:
    nights.night("conflict")
    nights.night("failed", report="Another.\n")
    (only,) = nights.issues()
    assert only["title"].endswith(": failed")
    assert "Another." in only["body"]
    assert REPORT not in only["body"]
    assert f"{RUN}2\n" in only["body"]


def test_a_night_that_is_well_closes_it(nights: Nights) -> None:
    nights.night("conflict")
    canary, issue = nights.night("passed", status=0)
    assert (canary.result, issue.result) == ("success", "success"), issue.output
    (only,) = nights.issues()
    assert only["state"] == "closed"
    assert only["comments"] == [f"The series holds on the newest upstream: {RUN}2"]
    assert REPORT in only["body"]


def test_a_night_that_is_well_has_nothing_to_say(nights: Nights) -> None:
    canary, issue = nights.night("passed", status=0)
    assert (canary.result, issue.result) == ("success", "success")
    assert canary.summary == REPORT
    assert [call[:2] for call in nights.hub.calls()] == [["issue", "list"]]


def test_after_a_closed_one_comes_a_new_one(nights: Nights) -> None:
    nights.night("failed")
    nights.night("passed", status=0)
    _, issue = nights.night("failed")
    assert issue.result == "success", issue.output
    assert [one["state"] for one in nights.issues()] == ["closed", "open"]


def test_an_issue_that_somebody_else_wrote_is_left_alone(nights: Nights) -> None:
    theirs = {"number": 1, "title": "Mine", "body": "Mine.", "state": "open", "comments": []}
    theirs |= {"app": "", "labels": ["upstream-canary"]}
    nights.hub.set(issues=[theirs], labels=["upstream-canary"])
    nights.night("failed")
    nights.night("passed", status=0)
    first, second = nights.issues()
    assert first == theirs
    assert second["state"] == "closed"


@pytest.mark.parametrize(("pip", "status"), [(1, 0), (0, 1)], ids=["nox", "session"])
def test_without_a_report_the_issue_says_so(nights: Nights, pip: int, status: int) -> None:
    canary, issue = nights.night(pip=pip, status=status)
    assert (canary.result, issue.result) == ("failure", "success"), issue.output
    assert canary.summary.startswith("No report")
    (opened,) = nights.issues()
    assert opened["title"].endswith(": no report")
    assert opened["body"].endswith(f"{RUN}1\n")


def test_a_long_report_is_cut_for_the_issue_alone(nights: Nights) -> None:
    long = "x" + "ä" * 80_000
    canary, issue = nights.night("failed", report=long)
    assert issue.result == "success", issue.output
    assert canary.summary == long
    (opened,) = nights.issues()
    assert "x" + "ä" * 29_000 in opened["body"]
    assert len(opened["body"]) < 65_536


def test_a_step_that_fails_around_a_good_canary_is_told_apart(nights: Nights) -> None:
    nights.night("passed", status=1)
    (opened,) = nights.issues()
    assert opened["title"].endswith(": passed, but its run did not")


def test_a_service_that_does_not_answer_turns_the_run_red(nights: Nights) -> None:
    nights.hub.set(fails=["issue list"])
    _, issue = nights.night("failed")
    assert issue.result == "failure"
    assert nights.issues() == []
