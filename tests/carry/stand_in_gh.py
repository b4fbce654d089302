"""The one fake: a `gh` on PATH that knows pull requests and issues, and notes what it is told."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

OURS = "ada"
PROGRAM = """\
#!{python} -IS
import json, os, pathlib, signal, subprocess, sys

folder = pathlib.Path({folder!r})
words = sys.argv[1:]
with (folder / "calls").open("a") as calls:
    calls.write(json.dumps(words) + "\\n")
state = json.loads((folder / "state").read_text())
command = " ".join(words[:2])
given = dict(zip(words, words[1:]))


def fail(text):
    sys.exit(text)


if words[0] in ("issue", "label") and not (
    os.environ.get("GH_TOKEN") and os.environ.get("GH_REPO")
):
    fail("To use GitHub CLI in a GitHub Actions workflow, set the GH_TOKEN environment variable.")
if not state["login"]:
    fail("You are not logged in. The token in GH_TOKEN ghp_0123456789abcdefghij is invalid.")
if command in state["fails"]:
    fail("HTTP 502: Bad Gateway for ghp_0123456789abcdefghij\\nmore of it")
if command in state["interrupted"]:
    # As a terminal does it: the caller and its child.
    os.kill(os.getppid(), signal.SIGINT)
    sys.exit(130)
if command in state["meanwhile"]:
    subprocess.run(state["meanwhile"][command], check=True)
if command == "pr list":
    if "--head" in given:
        hits = [p for p in state["pulls"] if p["headRefName"] == given["--head"]]
    else:
        numbers = state["hits"].get(given["--search"], [])
        hits = [p for p in state["pulls"] if p["number"] in numbers]
    print(state["answer"] or json.dumps(hits))
if command == "pr create":
    owner, branch = given["--head"].split(":")
    number = 1 + max((p["number"] for p in state["pulls"]), default=0)
    url = "https://hub.invalid/" + given["--repo"] + "/pull/" + str(number)
    state["pulls"].append(dict(
        number=number, title=given["--title"], url=url, updatedAt="2026-11-01T12:00:00Z",
        headRefName=branch, headRepositoryOwner=dict(id="1", login=owner),
        body=pathlib.Path(given["--body-file"]).read_text(),
    ))
    print(url)
if command == "pr edit":
    (pull,) = [p for p in state["pulls"] if p["number"] == int(words[2])]
    pull["title"] = given["--title"]
    pull["body"] = pathlib.Path(given["--body-file"]).read_text()
if command == "issue list":
    if words[-1] != ".[].number":
        fail("the stand-in knows no other --jq")
    hits = [
        i for i in state["issues"]
        if i["state"] == given["--state"] and i["app"] == given["--app"]
        and given["--label"] in i["labels"]
    ]
    for issue in list(reversed(hits))[: int(given["--limit"])]:
        print(issue["number"])
if command == "label create":
    if words[2] in state["labels"] and "--force" not in words:
        fail("label with name " + repr(words[2]) + " already exists")
    state["labels"] = sorted({{*state["labels"], words[2]}})
if command == "issue create":
    if given["--label"] not in state["labels"]:
        fail("could not add label: " + repr(given["--label"]) + " not found")
    number = 1 + max((i["number"] for i in state["issues"]), default=0)
    state["issues"].append(dict(
        number=number, title=given["--title"], labels=[given["--label"]], state="open",
        app="github-actions", comments=[], body=pathlib.Path(given["--body-file"]).read_text(),
    ))
    print("https://hub.invalid/" + os.environ["GH_REPO"] + "/issues/" + str(number))
if command in ("issue edit", "issue close"):
    (issue,) = [i for i in state["issues"] if i["number"] == int(words[2])]
if command == "issue edit":
    issue["title"] = given["--title"]
    issue["body"] = pathlib.Path(given["--body-file"]).read_text()
if command == "issue close":
    issue["state"] = "closed"
    issue["comments"].append(given["--comment"])
(folder / "state").write_text(json.dumps(state))
"""


@dataclass(frozen=True)
class Hub:
    """What the stand-in knows and was told."""

    folder: Path

    @property
    def state(self) -> dict[str, Any]:
        return dict(json.loads((self.folder / "state").read_text()))

    def set(self, **values: object) -> None:
        (self.folder / "state").write_text(json.dumps(self.state | values))

    def add(self, number: int, title: str, *, owner: str = "bo", branch: str = "other") -> None:
        """Let there be an open pull request."""
        pull = {
            "number": number,
            "title": title,
            "url": f"https://hub.invalid/acme/acme/pull/{number}",
            "updatedAt": "2026-10-01T12:00:00Z",
            "headRefName": branch,
            "headRepositoryOwner": {"id": "1", "login": owner},
        }
        self.set(pulls=[*self.state["pulls"], pull])

    def calls(self, command: str = "") -> list[list[str]]:
        """What it was told, command by command."""
        file = self.folder / "calls"
        calls = [json.loads(line) for line in file.read_text().splitlines()]
        return [call for call in calls if " ".join(call).startswith(command)]


def install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Hub:
    """Put the stand-in first on PATH, logged in, without pull requests or issues."""
    folder.mkdir()
    program = folder / "gh"
    program.write_text(PROGRAM.format(python=sys.executable, folder=str(folder)))
    program.chmod(0o755)
    (folder / "calls").touch()
    state = {"login": True, "pulls": [], "hits": {}, "answer": "", "issues": [], "labels": []}
    # Commands that fail, those in the middle of which Ctrl-C is pressed, and what happens while
    # one is at work.
    state |= {"fails": [], "interrupted": [], "meanwhile": {}}
    (folder / "state").write_text(json.dumps(state))
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    return Hub(folder)
