"""What a rebase says of the files that it has changed, and that its two commands work."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from . import records
from .carrying import AUTHOR
from .repository import MakeRepository, Repository
from .small_index import Index
from .small_upstream import Upstream, edit, run_git


def tracked(repository: Repository) -> dict[str, bytes]:
    """Every file of the carrying repository, and what git records for the submodule."""
    names = repository.git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    files = [repository.root / name for name in names.split("\0") if name and name != "acme"]
    found = {str(file): file.read_bytes() for file in files if file.is_file()}
    return found | {"acme": repository.pin().encode()}


def offered(out: str, name: str) -> str:
    (line,) = re.findall(rf"^{name}: +(.*)$", out, re.M)
    return str(line)


def follow(repository: Repository, line: str) -> None:
    """Do what was offered, as a reader would."""
    for command in line.split(" && "):
        words = shlex.split(command)
        if words[0] == "carry":
            repository.done(*words[1:])
        else:
            repository.git(*words[1:])


@pytest.fixture
def rehearsing(make_repository: MakeRepository, index: Index) -> Repository:
    repository = make_repository(git_in_reach=False)
    repository.configure(
        '[[tool.carry.evidence]]\nkind = "rebase"\ntitle = "it applies"\n'
        'command = "nox -s rebase"\n'
    )
    return repository


def test_the_changed_files_are_named_with_the_reason(rehearsing: Repository) -> None:
    out = rehearsing.done("rebase")
    assert "files of this repository that have changed:" in out
    assert "  patches/manifest.toml: the series on 1.2.0" in out
    assert "  evidence/rebase.json: what the checks found there" in out
    shown = set(re.findall(r"^  (\S+): ", out, re.M))
    assert shown == set(rehearsing.git("status", "--porcelain", "-uall").replace("?? ", "").replace(
        "M ", "").split())  # fmt: skip


def test_what_is_kept_is_committed(rehearsing: Repository) -> None:
    follow(rehearsing, offered(rehearsing.done("rebase"), "keep them"))
    assert rehearsing.git("status", "--porcelain") == ""
    assert rehearsing.git("log", "-1", "--format=%s") == "Move the series onto 1.2.0"
    rehearsing.done("verify")


def test_what_is_left_is_as_it_was(rehearsing: Repository) -> None:
    rehearsing.done("sync")
    before, state = tracked(rehearsing), rehearsing.state()
    follow(rehearsing, offered(rehearsing.done("rebase"), "leave them"))
    assert tracked(rehearsing) == before
    assert rehearsing.state() == state
    # And nothing is lost: the stash has it.
    assert rehearsing.git("stash", "list")


def test_a_moved_pin_can_be_kept_and_left(synced: Repository, upstream: Upstream) -> None:
    before, state = tracked(synced), synced.state()
    out = synced.done("rebase", "--onto", "1.1.0")
    assert "  acme: the pin, now at 1.1.0" in out
    follow(synced, offered(out, "leave them"))
    assert (tracked(synced), synced.state()) == (before, state)
    follow(synced, offered(synced.done("rebase", "--onto", "1.1.0"), "keep them"))
    assert synced.git("ls-tree", "HEAD", "acme").split()[2] == upstream.releases["1.1.0"]
    assert synced.git("status", "--porcelain") == ""


def test_work_in_other_records_is_not_put_away(rehearsing: Repository) -> None:
    rehearsing.done("sync")
    mine = rehearsing.root / "evidence" / "mine.json"
    mine.parent.mkdir(exist_ok=True)
    mine.write_text("{}")
    follow(rehearsing, offered(rehearsing.done("rebase"), "leave them"))
    assert mine.read_text() == "{}"


def test_where_nothing_moves_nothing_changes(rehearsing: Repository) -> None:
    follow(rehearsing, offered(rehearsing.done("rebase"), "keep them"))
    before = tracked(rehearsing)
    out = rehearsing.done("rebase")
    assert "already there: the series is based on 1.2.0" in out
    assert "have changed" not in out
    assert tracked(rehearsing) == before
    assert rehearsing.git("status", "--porcelain") == ""


def test_in_a_fresh_clone_on_the_newest_nothing_changes(
    rehearsing: Repository, tmp_path: Path
) -> None:
    follow(rehearsing, offered(rehearsing.done("rebase"), "keep them"))
    clone = tmp_path / "clone"
    run_git(tmp_path, "clone", "--quiet", str(rehearsing.root), str(clone), who=AUTHOR)
    fresh = Repository(clone, rehearsing.capture)
    before = tracked(fresh)
    assert "already there: the series is based on 1.2.0" in fresh.done("rebase")
    assert tracked(fresh) == before
    assert fresh.git("status", "--porcelain") == ""


def test_a_release_that_appears_is_moved_onto_with_no_file_edited(
    rehearsing: Repository, index: Index
) -> None:
    index.missing = {"1.2.0"}
    follow(rehearsing, offered(rehearsing.done("rebase"), "keep them"))
    assert rehearsing.patches()["manifest.toml"].count('version = "1.1.0"') == 1
    index.missing = set()
    rehearsing.done("rebase")
    assert rehearsing.patches()["manifest.toml"].count('version = "1.2.0"') == 1


def test_what_was_found_is_on_record(rehearsing: Repository, upstream: Upstream) -> None:
    rehearsing.done("rebase")
    assert records.result(rehearsing, "rebase")["found"] == {
        "source": "pypi",
        "version": "1.2.0",
        "commit": upstream.releases["1.2.0"][:9],
        "sha256": upstream.sha256("1.2.0"),
        "uploaded": "2026-11-02T10:12:56+00:00",
    }


def test_the_table_of_releases_grows_by_what_git_tells(
    synced: Repository, upstream: Upstream
) -> None:
    out = synced.done("rebase")
    assert "releases.toml has 4 more: 1.2.0, 1.3.0, 1.4.0, 1.5.0" in out
    assert "  releases.toml: releases that upstream's repository has told of" in out
    text = (synced.root / "releases.toml").read_text()
    rows = {row["version"]: row for row in tomllib.loads(text)["release"]}
    assert {version: row["commit"] for version, row in rows.items()} == upstream.releases
    assert list(rows) == sorted(upstream.releases)
    assert rows["1.2.0"]["sha256"] == upstream.sha256("1.2.0")
    assert text.startswith("# What is known of acme's releases.\n")


def test_an_entry_that_upstreams_tag_denies_stays_and_is_told(
    synced: Repository, upstream: Upstream, tmp_path: Path
) -> None:
    server = shutil.copytree(upstream.repository, tmp_path / "server.git")
    synced.tree_git("config", "remote.origin.url", str(server))
    run_git(server, "tag", "--force", "v1.1.0", upstream.releases["1.4.0"])
    out = synced.done("rebase")
    moved, known = upstream.releases["1.4.0"][:9], upstream.releases["1.1.0"]
    assert f"warning: upstream's tag of 1.1.0 is at {moved}, the table has {known[:9]}" in out
    assert f'commit = "{known}"' in (synced.root / "releases.toml").read_text()


def test_releases_older_than_the_oldest_supported_are_not_entered(synced: Repository) -> None:
    edit(synced.root / "pyproject.toml", ('oldest = "1.0.0"', 'oldest = "1.3.0"'))
    out = synced.done("rebase")
    assert "releases.toml has 3 more: 1.3.0, 1.4.0, 1.5.0" in out


def test_every_supported_release_is_fetched(make_repository: MakeRepository, index: Index) -> None:
    repository = make_repository(git_in_reach=False)
    edit(repository.root / "pyproject.toml", ('oldest = "1.0.0"', 'oldest = "1.1.0"'))
    out = repository.done("fetch", "--supported")
    assert re.findall(r"^(\S+) is here", out, re.M) == ["1.1.0", "1.2.0"]
    index.status = 503
    out = repository.done("fetch", "--supported")
    assert "the releases that are here have to do, 1.1.0, 1.2.0" in out


def test_fetch_takes_one_of_two_forms(repository: Repository) -> None:
    for words in ([], ["--supported", "1.1.0"]):
        said = repository.refused("fetch", *words)
        assert "fetch takes versions or --supported; give one of the two" in said
    edit(repository.root / "pyproject.toml", ('oldest = "1.0.0"\n', ""))
    assert "set oldest in [tool.carry.upstream]" in repository.refused("fetch", "--supported")


def test_a_pre_release_is_taken_only_when_asked_for(
    make_repository: MakeRepository, index: Index
) -> None:
    repository = make_repository(git_in_reach=False)
    name, content = "acme-1.2.0.tar.gz", index.files["acme-1.2.0.tar.gz"]
    index.missing = {"1.2.0"}
    assert name in index.files
    index.files["acme-1.3.0rc1.tar.gz"] = content
    assert "main stands for release 1.1.0" in repository.done("rebase", "--dry-run")
    said = repository.carry("rebase", "--dry-run", "--pre")
    assert "main stands for release 1.3.0rc1" in said.out


def test_git_is_what_it_is_told_with(rehearsing: Repository) -> None:
    """The two lines are commands that a shell takes as they are."""
    out = rehearsing.done("rebase")
    for name in ("keep them", "leave them"):
        done = subprocess.run(["bash", "-n", "-c", offered(out, name)], check=False)
        assert done.returncode == 0
