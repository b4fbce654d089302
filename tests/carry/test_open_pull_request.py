from __future__ import annotations

import pytest

from carry import published

from .opening import BO, BRANCH, Opening
from .small_upstream import run_git


def commit_of_theirs(opening: Opening) -> str:
    """A commit that somebody else made on the fork, on no branch yet."""
    tree = f"{BRANCH}^{{tree}}"
    return run_git(opening.fork, "commit-tree", "-m", "Theirs", "-p", BRANCH, tree)


def test_a_dry_run_says_what_would_be_done_and_changes_nothing(opening: Opening) -> None:
    before = opening.repository.state()
    out = opening.repository.done(*opening.words())
    assert "title   [Scan] Compare slices" in out
    assert f"branch  {BRANCH}, 2 commit(s) on " in out
    assert f"commit  {opening.tip()}" in out
    assert f"fork    {opening.fork}" in out
    assert "lease   the branch is not there yet" in out
    assert "git -C acme push --porcelain " in out
    assert f"--force-with-lease=refs/heads/{BRANCH}: -- {opening.fork}" in out
    assert f"gh pr create --repo acme/acme --base main --head ada:{BRANCH} " in out
    assert "dry run: nothing was changed; --yes does it" in out
    assert opening.published() == ""
    assert opening.hub.calls("pr create") == []
    assert published.last(opening.config) is None
    assert opening.repository.state() == before


def test_the_series_is_pushed_and_the_pull_request_opened(opening: Opening) -> None:
    out = opening.repository.done(*opening.words("--yes"))
    assert opening.published() == opening.tip()
    (pull,) = opening.hub.state["pulls"]
    assert pull["headRepositoryOwner"]["login"] == "ada"
    assert pull["headRefName"] == BRANCH
    assert pull["body"] == (opening.root / "build/pull_request.md").read_text()
    assert f"opened {pull['url']}" in out
    last = published.last(opening.config)
    assert last is not None
    assert (last.commit, last.branch, last.fork) == (opening.tip(), BRANCH, str(opening.fork))
    assert (last.number, last.url) == (pull["number"], pull["url"])
    assert run_git(opening.fork, "merge-base", "--is-ancestor", last.base, BRANCH) == ""


def test_a_repeat_does_nothing_twice(opening: Opening) -> None:
    opening.repository.done(*opening.words("--yes"))
    file = opening.root / "evidence/published.json"
    before = file.read_text()
    dry = opening.repository.done(*opening.words())
    out = opening.repository.done(*opening.words("--yes"))
    assert "pushed already" in out
    for each in (dry, out):
        assert "has this title and text already" in each
        assert "commit evidence" not in each
        assert "gh pr" not in each
    assert file.read_text() == before
    assert len(opening.hub.calls("pr create")) == 1
    assert opening.hub.calls("pr edit") == []


def test_an_amended_series_goes_to_the_same_pull_request(opening: Opening) -> None:
    opening.repository.done(*opening.words("--yes"))
    first = opening.tip()
    opening.amend()
    dry = opening.repository.done(*opening.words())
    assert f"lease   {first}" in dry
    assert "gh pr edit 1 --repo acme/acme" in dry
    opening.repository.done(*opening.words("--yes"))
    assert opening.published() == opening.tip() != first
    (pull,) = opening.hub.state["pulls"]
    assert "Range-diff against the version before" in pull["body"]
    assert " ! 2:  " in pull["body"]
    assert "has this title and text already" in opening.repository.done(*opening.words("--yes"))
    assert len(opening.hub.calls("pr create")) == 1
    last = published.last(opening.config)
    assert last is not None
    assert (last.commit, last.number) == (opening.tip(), 1)
    assert last.before is not None
    assert last.before.commit == first


def test_a_branch_that_somebody_else_pushed_stays(opening: Opening) -> None:
    opening.repository.done(*opening.words("--yes"))
    theirs = run_git(
        opening.fork, "commit-tree", "-m", "Theirs", "-p", BRANCH, f"{BRANCH}^{{tree}}"
    )
    run_git(opening.fork, "update-ref", f"refs/heads/{BRANCH}", theirs)
    ours = opening.tip()
    opening.amend()
    (reason,) = opening.reasons()
    assert reason.startswith(
        f"{BRANCH} on {opening.fork} is at {theirs[:12]}, not at {ours[:12]}, which was published "
        "last from here: somebody else pushed; nothing was changed"
    )
    assert f"--lease {theirs}" in reason
    opening.repository.done(*opening.words("--yes", "--lease", theirs))
    assert opening.published() == opening.tip()


def test_a_branch_that_is_gone_from_the_fork_is_pushed_again(opening: Opening) -> None:
    opening.repository.done(*opening.words("--yes"))
    run_git(opening.fork, "update-ref", "-d", f"refs/heads/{BRANCH}")
    opening.repository.done(*opening.words("--yes"))
    assert opening.published() == opening.tip()


def test_a_branch_that_was_never_published_from_here_stays(opening: Opening) -> None:
    run_git(
        opening.repository.tree, "push", "--quiet", str(opening.fork), f"HEAD~1:refs/heads/{BRANCH}"
    )
    (reason,) = opening.reasons()
    assert "but was never published from here: somebody else pushed" in reason


def test_a_push_in_between_is_refused_by_the_lease(opening: Opening) -> None:
    """The fork is looked at before; what counts is what git finds when it pushes."""
    opening.repository.done(*opening.words("--yes"))
    first, theirs = opening.tip(), commit_of_theirs(opening)
    opening.amend()
    push = ["git", "-C", str(opening.fork), "update-ref", f"refs/heads/{BRANCH}", theirs]
    opening.hub.set(meanwhile={"pr list": push})
    line = opening.repository.refused(*opening.words("--yes"))
    assert f"is elsewhere now, not at {first[:12]}, which was published last" in line
    assert opening.published() == theirs
    last = published.last(opening.config)
    assert last is not None
    assert last.commit == first


def test_a_failure_after_the_push_is_gone_on_with(opening: Opening) -> None:
    opening.hub.set(fails=["pr create"])
    said = opening.repository.carry(*opening.words("--yes"))
    assert said.err.startswith("carry: gh pr create failed: HTTP 502: Bad Gateway for ***; ")
    assert "ghp_" not in said.out + said.err
    assert opening.published() == opening.tip()
    last = published.last(opening.config)
    assert last is not None
    assert (last.commit, last.number) == (opening.tip(), 0)
    opening.hub.set(fails=[])
    out = opening.repository.done(*opening.words("--yes"))
    assert "pushed already" in out
    assert len(opening.hub.state["pulls"]) == 1


def test_a_run_that_was_killed_after_the_push_is_gone_on_with(opening: Opening) -> None:
    opening.repository.done(*opening.words("--yes"))
    (opening.root / "evidence/published.json").unlink()
    opening.hub.set(pulls=[])
    out = opening.repository.done(*opening.words("--yes"))
    assert "pushed already" in out
    last = published.last(opening.config)
    assert last is not None
    assert (last.commit, last.number) == (opening.tip(), 1)


@pytest.mark.parametrize("command", ["pr list", "pr create"])
def test_ctrl_c_leaves_something_to_go_on_with(opening: Opening, command: str) -> None:
    opening.hub.set(interrupted=[command])
    said = opening.repository.carry(*opening.words("--yes"))
    assert said.code == 130
    assert said.err.strip() == "carry: stopped; `carry status` says where things stand"
    pushed = command == "pr create"
    assert opening.published() == (opening.tip() if pushed else "")
    assert (published.last(opening.config) is not None) == pushed
    opening.hub.set(interrupted=[])
    assert ("pushed already" in opening.repository.done(*opening.words("--yes"))) == pushed
    assert len(opening.hub.state["pulls"]) == 1


def test_another_fork_is_another_lease(opening: Opening) -> None:
    opening.repository.done(*opening.words("--yes"))
    other = opening.fork.parent.parent / "eve" / "acme.git"
    other.parent.mkdir()
    run_git(opening.fork, "init", "--quiet", "--bare", str(other))
    out = opening.repository.done("pr", "--open", "--fork", str(other))
    assert "lease   the branch is not there yet" in out
    assert f"gh pr create --repo acme/acme --base main --head eve:{BRANCH} " in out


def test_yes_goes_with_open(opening: Opening) -> None:
    assert "--yes and --lease go with --open" in opening.repository.refused("pr", "--yes")


def test_the_commits_are_by_who_opens_it(opening: Opening) -> None:
    opening.repository.done(*opening.words("--yes"))
    who = run_git(opening.fork, "log", "-2", "--format=%an <%ae>", BRANCH).splitlines()
    assert who == ["{} <{}>".format(*BO)] * 2
