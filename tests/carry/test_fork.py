from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from carry import config as configuration
from carry import fork as forks
from carry.config import Config
from carry.errors import UnreachableError, UserError

from .repository import Repository
from .small_upstream import run_git
from .test_duplicates import TABLE

BRANCH = "perf/scan"


@pytest.fixture
def config(synced: Repository) -> Config:
    synced.configure(TABLE)
    return configuration.load(synced.root)


@pytest.mark.parametrize(
    "address",
    [
        "https://hub.invalid/ada/acme.git",
        "https://hub.invalid/ada/acme/",
        "git@hub.invalid:ada/acme.git",
        "ssh://git@hub.invalid:22/ada/acme",
        "/srv/git/ada/acme.git",
    ],
)
def test_an_address_says_whose_fork_it_is(address: str) -> None:
    found = forks.at(address)
    assert (found.address, found.owner, found.name) == (address, "ada", "acme")
    assert found.is_same("https://hub.invalid/Ada/acme")
    assert not found.is_same("https://hub.invalid/ada/other")
    assert not found.is_same("acme")


@pytest.mark.parametrize(
    "address",
    [
        "https://ada:secret@hub.invalid/ada/acme",
        "https://secret@hub.invalid/ada/acme",
        "ssh://ada:secret@hub.invalid/ada/acme",
    ],
)
def test_an_address_with_a_password_is_refused_and_not_shown(address: str) -> None:
    with pytest.raises(UserError, match="holds a name or a password; leave it out") as caught:
        forks.at(address)
    assert "secret" not in caught.value.line()


@pytest.mark.parametrize("address", ["acme", "--exec=sh/acme"])
def test_an_address_without_an_owner_is_refused(address: str) -> None:
    with pytest.raises(UserError, match="does not say whose fork it is"):
        forks.at(address)


def test_a_fork_must_be_named_and_is_not_upstream(config: Config) -> None:
    with pytest.raises(UserError, match="no fork is named; give --fork URL, or set CARRY_FORK"):
        forks.chosen(config, "")
    with pytest.raises(UserError, match="is upstream's own repository; name your fork"):
        forks.chosen(config, "git@hub.invalid:Acme/acme.git")


def test_the_configured_fork_is_taken_unless_one_is_given(repository: Repository) -> None:
    repository.configure(TABLE + 'fork = "https://hub.invalid/ada/acme"\n')
    config = configuration.load(repository.root)
    assert forks.chosen(config, "").owner == "ada"
    assert forks.chosen(config, "https://hub.invalid/eve/acme").owner == "eve"


def test_a_push_keeps_its_lease(synced: Repository, fork: Path) -> None:
    ours, tip = forks.at(str(fork)), synced.tree_git("rev-parse", "HEAD")
    assert forks.tip(synced.tree, ours, BRANCH) == ""
    forks.push(synced.tree, ours, BRANCH, f"{tip}~1", "")
    first = forks.tip(synced.tree, ours, BRANCH)
    assert first == synced.tree_git("rev-parse", "HEAD~1")
    for lease in ("", tip):
        with pytest.raises(forks.LeaseError, match="somebody else pushed; nothing was changed"):
            forks.push(synced.tree, ours, BRANCH, tip, lease)
    assert forks.tip(synced.tree, ours, BRANCH) == first
    forks.push(synced.tree, ours, BRANCH, tip, first)
    assert forks.tip(synced.tree, ours, BRANCH) == tip


def test_only_the_branch_is_pushed_whatever_the_user_configures(
    synced: Repository, fork: Path
) -> None:
    synced.git("config", "--global", "push.followTags", "true")
    synced.tree_git("tag", "-a", "-m", "mine", "mine")
    tip = synced.tree_git("rev-parse", "HEAD")
    forks.push(synced.tree, forks.at(str(fork)), BRANCH, tip, "")
    assert run_git(fork, "for-each-ref", "--format=%(refname)") == f"refs/heads/{BRANCH}"


def test_the_users_configuration_is_seen(synced: Repository, fork: Path) -> None:
    """As what git does with an address is the user's to say, so are credentials."""
    synced.git("config", "--global", f"url.{fork.parent.parent}/.insteadOf", "hub:")
    tip = synced.tree_git("rev-parse", "HEAD")
    forks.push(synced.tree, forks.at("hub:ada/acme.git"), BRANCH, tip, "")
    assert run_git(fork, "rev-parse", BRANCH) == tip


def test_what_the_fork_refuses_is_said(synced: Repository, fork: Path) -> None:
    hook = fork / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    with pytest.raises(UserError, match=r"failed: \[remote rejected\] \(pre-receive hook declined"):
        forks.push(synced.tree, forks.at(str(fork)), BRANCH, "HEAD", "")


def test_a_fork_that_is_not_there_is_unreachable(synced: Repository, fork: Path) -> None:
    shutil.rmtree(fork)
    ours = forks.at(str(fork))
    with pytest.raises(UnreachableError, match=r"cannot be reached: '.*' does not appear to be"):
        forks.tip(synced.tree, ours, BRANCH)
    with pytest.raises(UnreachableError, match=r"does not give out HEAD: '.*' does not appear"):
        forks.fetch(synced.tree, ours, "HEAD", "refs/carry/published/head")
    with pytest.raises(UserError, match=r"the push to .* failed: '.*' does not appear to be"):
        forks.push(synced.tree, ours, BRANCH, "HEAD", "")


def test_a_fork_that_is_silent_is_not_waited_for(
    synced: Repository, fork: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forks, "_PATIENCE", 0.5)
    synced.git("config", "--global", "core.sshCommand", "sleep 60 #")
    with pytest.raises(UnreachableError, match=r"cannot be reached: no answer within 0\.5 s"):
        forks.tip(synced.tree, forks.at("git@hub.invalid:ada/acme"), BRANCH)
