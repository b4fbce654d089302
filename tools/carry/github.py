"""The hosting service, through its own command-line client `gh` and that client's login."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from carry import process
from carry.config import Config
from carry.errors import UserError

#: No questions, no colours, no notes about new versions, no log of requests.
_QUIET = {
    "GH_PROMPT_DISABLED": "1", "GH_NO_UPDATE_NOTIFIER": "1", "GH_DEBUG": "", "GH_FORCE_TTY": "",
    "NO_COLOR": "1", "CLICOLOR_FORCE": "0",
}  # fmt: skip
_PATIENCE = 60.0
#: A search that finds as many has not been read to its end.
_MOST = 100
_NUMBER = re.compile(r"https?://\S+/pull/(\d+)")


class Owner(msgspec.Struct, frozen=True):
    """Whose repository a pull request comes from."""

    login: str


class PullRequest(msgspec.Struct, frozen=True, rename="camel"):
    """What is asked of a pull request; the names are gh's."""

    number: int
    title: str
    url: str
    updated_at: str
    head_ref_name: str
    head_repository_owner: Owner | None = None

    def comes_from(self, owner: str, branch: str) -> bool:
        """Whether it proposes that branch of that owner's fork."""
        login = self.head_repository_owner.login if self.head_repository_owner else ""
        return (login.lower(), self.head_ref_name) == (owner.lower(), branch)


_FIELDS = ",".join(field.encode_name for field in msgspec.structs.fields(PullRequest))


def require_login(config: Config) -> None:
    """Refuse to go on where gh is missing or not logged in.

    Raises:
        UserError: It is; what gh says of the login is never shown.
    """
    host, _, _ = repository(config).rpartition("/")[0].rpartition("/")
    words = ["auth", "status", *(["--hostname", host] if host else [])]
    if _run(config, words).code:
        raise UserError("gh is not logged in", hint="gh auth login")


def repository(config: Config) -> str:
    """Upstream's repository as gh takes it.

    Raises:
        UserError: The configuration names none.
    """
    name = config.pull_request.repository
    if name.count("/") not in (1, 2):
        raise UserError(
            f"[tool.carry.pull-request] repository is {name!r}", hint='write it as "owner/name"'
        )
    return name


def search(config: Config, words: str) -> list[PullRequest]:
    """The open pull requests that a search finds.

    Raises:
        UserError: gh failed, or there are more than one answer holds.
    """
    return _list(config, "--search", words)


def of_branch(config: Config, owner: str, branch: str) -> PullRequest | None:
    """The open pull request that proposes a branch of somebody's fork."""
    found = _list(config, "--head", branch)
    return next((each for each in found if each.comes_from(owner, branch)), None)


def _list(config: Config, *selection: str) -> list[PullRequest]:
    words = ["pr", "list", "--repo", repository(config), "--state", "open", *selection,
             "--limit", str(_MOST), "--json", _FIELDS]  # fmt: skip
    answer = _done(config, words)
    try:
        found = msgspec.json.decode(answer, type=list[PullRequest])
    except msgspec.MsgspecError as error:
        raise UserError(
            f"gh pr list gave an answer that cannot be read: {error}", hint="install a newer gh"
        ) from error
    if len(found) >= _MOST:
        raise UserError(
            f"gh pr list {' '.join(selection)} finds {_MOST} or more",
            hint="narrow the search in [tool.carry.pull-request]",
        )
    return found


def create_words(config: Config, head: str, title: str, body: Path) -> list[str]:
    """The command that opens a pull request; `head` is `owner:branch`."""
    return ["pr", "create", "--repo", repository(config), "--base", config.upstream.branch,
            "--head", head, "--title", title, "--body-file", str(body)]  # fmt: skip


def edit_words(config: Config, number: int, title: str, body: Path) -> list[str]:
    """The command that gives a pull request another title and text."""
    return ["pr", "edit", str(number), "--repo", repository(config), "--title", title,
            "--body-file", str(body)]  # fmt: skip


def create(config: Config, head: str, title: str, body: Path) -> tuple[int, str]:
    """Open a pull request; returns its number and address."""
    said = _done(config, create_words(config, head, title, body))
    match = _NUMBER.search(said)
    if match is None:
        raise UserError(
            "gh pr create did not say which pull request it made", hint="run the same again"
        )
    return int(match[1]), match[0]


def edit(config: Config, number: int, title: str, body: Path) -> None:
    """Give a pull request another title and text."""
    _done(config, edit_words(config, number, title, body))


def _done(config: Config, words: list[str]) -> str:
    done = _run(config, words)
    if done.code:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        reason = lines[0] if lines else f"it ended with {done.code}"
        raise UserError(f"gh {words[0]} {words[1]} failed: {reason}", hint="mend that, try again")
    return done.stdout


def _run(config: Config, words: list[str]) -> process.Finished:
    return process.run(["gh", *words], cwd=config.root, env=_QUIET, timeout=_PATIENCE)
