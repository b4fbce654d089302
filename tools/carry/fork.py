"""The contributor's fork, where the series' branch is published.

Here git sees the user's configuration, as everywhere it talks to a remote: the credential
helper, the ssh agent and `core.sshCommand`, proxies and `insteadOf` do what they do when the
user pushes by hand. No hook runs, and nothing asks for a password on the terminal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from carry import git, github
from carry.config import Config
from carry.errors import UnreachableError, UserError

_PATIENCE = 20.0
_PLACE = re.compile(r"(?:.*[/:])?(?P<owner>[^/:]+)/(?P<name>[^/]+?)(?:\.git)?/?")
_PASSWORD = re.compile(r"https?://[^/]*@|[a-z+]+://[^/@]*:[^/@]*@")


@dataclass(frozen=True)
class Fork:
    """A repository that git can push to, and whose it is."""

    address: str
    owner: str
    name: str

    def is_same(self, address: str) -> bool:
        """Whether another address, by another protocol perhaps, is this fork's too."""
        try:
            other = at(address)
        except UserError:
            return False
        return (other.owner.lower(), other.name.lower()) == (self.owner.lower(), self.name.lower())


class LeaseError(UserError):
    """The fork's branch is not where it was left: somebody else pushed."""


def chosen(config: Config, given: str) -> Fork:
    """The fork that is given, else the configured one.

    Raises:
        UserError: There is none, or it cannot be one.
    """
    address = given or config.pull_request.fork
    if not address:
        raise UserError(
            "no fork is named",
            hint="give --fork URL, or set CARRY_FORK or [tool.carry.pull-request] fork",
        )
    fork = at(address)
    if f"{fork.owner}/{fork.name}".lower() == "/".join(
        github.repository(config).lower().split("/")[-2:]
    ):
        raise UserError(
            f"{address} is upstream's own repository", hint="name your fork of it: --fork URL"
        )
    return fork


def at(address: str) -> Fork:
    """The fork at an address.

    Raises:
        UserError: The address holds a password, or does not say whose it is.
    """
    if _PASSWORD.match(address):
        raise UserError(
            "the fork's address holds a name or a password",
            hint="leave it out; git's credential helper gives it (gh auth setup-git sets one up)",
        )
    match = _PLACE.fullmatch(address)
    if match is None or address.startswith("-"):
        raise UserError(
            f"{address} does not say whose fork it is", hint="its end must be owner/name"
        )
    return Fork(address, match["owner"], match["name"])


def tip(store: Path, fork: Fork, branch: str) -> str:
    """The commit of a branch on the fork; "" when there is no such branch.

    Raises:
        UnreachableError: The fork does not answer.
    """
    words = ("ls-remote", "--quiet", "--", fork.address, f"refs/heads/{branch}")
    try:
        answer = git.run(store, *words, sealed=False, timeout=_PATIENCE)
    except git.GitError as error:
        raise _unreachable(fork, error, "cannot be reached") from error
    return answer.split()[0] if answer else ""


def push_words(fork: Fork, branch: str, commit: str, lease: str) -> list[str]:
    """The git command that publishes a commit if the branch is where `lease` says.

    An empty lease means that there is no such branch yet.
    """
    ref = f"refs/heads/{branch}"
    return ["push", "--porcelain", "--no-follow-tags", "--recurse-submodules=no",
            f"--force-with-lease={ref}:{lease}", "--", fork.address, f"{commit}:{ref}"]  # fmt: skip


def push(store: Path, fork: Fork, branch: str, commit: str, lease: str) -> None:
    """Publish a commit.

    Raises:
        LeaseError: The branch is not where `lease` says; nothing was changed.
        UserError: The fork refused, or does not answer.
    """
    try:
        git.run(store, *push_words(fork, branch, commit, lease), sealed=False)
    except git.GitError as error:
        refused = [line for line in error.stdout.splitlines() if line.startswith("!\t")]
        if any("(stale info)" in line for line in refused):
            raise moved(fork, branch, lease) from error
        why = refused[0].split("\t")[-1] if refused else error.reason
        raise UserError(
            f"the push to {fork.address} failed: {why}", hint="mend that, run the same again"
        ) from error


def moved(fork: Fork, branch: str, lease: str, found: str = "") -> LeaseError:
    """What is said of a branch that is not where it was left; `found` is where it is, if known."""
    now = f"at {found[:12]}" if found else "elsewhere now"
    why = f"not at {lease[:12]}, which was published last" if lease else "but was never published"
    return LeaseError(
        f"{branch} on {fork.address} is {now}, {why} from here: somebody else pushed",
        hint=f"nothing was changed; look at it, then either take it into the series or replace it: "
        f"--lease {found or 'COMMIT'}",
    )


def fetch(store: Path, fork: Fork, commit: str, into: str) -> None:
    """Bring a commit of the fork's into the store, where the ref `into` holds it.

    Raises:
        UnreachableError: The fork does not answer, or gives no such commit out.
    """
    words = ("fetch", "--quiet", "--no-tags", "--refmap=", "--no-write-fetch-head",
             "--recurse-submodules=no", "--", fork.address)  # fmt: skip
    try:
        git.run(store, *words, f"+{commit}:{into}", sealed=False)
    except git.GitError as error:
        raise _unreachable(fork, error, f"does not give out {commit[:12]}") from error


def _unreachable(fork: Fork, error: git.GitError, what: str) -> UnreachableError:
    silent = error.code == git.KILLED
    why = f"no answer within {_PATIENCE:g} s" if silent else error.reason.rstrip(".")
    return UnreachableError(
        f"the fork {fork.address} {what}: {why}",
        hint="check its address and your credentials with git ls-remote",
    )
