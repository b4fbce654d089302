from __future__ import annotations

from pathlib import Path

import pytest

from carry.config import Config, Release, Upstream
from carry.errors import UserError
from carry.sources.wanted import Kind, Wanted, nearest, parse, release_of

RELEASES = (
    Release("1.0.0", "a" * 40),
    Release("1.1.0", "bbbbbbbbb"),
    Release("1.2.0"),
    Release("not a version"),
)


def config(tag: str = "v{version}") -> Config:
    upstream = Upstream("acme", branch="trunk", tag=tag, releases=RELEASES)
    return Config("Ada <ada@example.invalid>", "perf", upstream, root=Path("/nowhere"))


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("", Kind.BRANCH, "trunk"),
        ("main", Kind.BRANCH, "trunk"),
        ("trunk", Kind.BRANCH, "trunk"),
        (" 1.0.0 ", Kind.RELEASE, "1.0.0"),
        ("v1.0.0", Kind.RELEASE, "1.0.0"),
        ("1.0", Kind.RELEASE, "1.0.0"),
        ("v7.8.9", Kind.RELEASE, "7.8.9"),
        ("v1.3.0rc1", Kind.RELEASE, "1.3.0rc1"),
        ("1.3.0.post1", Kind.RELEASE, "1.3.0.post1"),
        ("1234567", Kind.COMMIT, "1234567"),
        ("ABCDEF0", Kind.COMMIT, "abcdef0"),
        ("c" * 40, Kind.COMMIT, "c" * 40),
        ("abcdef", Kind.TAG, "abcdef"),
        ("nightly", Kind.TAG, "nightly"),
        ("releases/1.x", Kind.TAG, "releases/1.x"),
    ],
)
def test_a_name_is_understood(text: str, kind: Kind, name: str) -> None:
    assert parse(config(), text) == Wanted(kind, name)


@pytest.mark.parametrize(
    "text",
    ["--upload-pack=evil", "-x", "a b", "a..b", "a:b", "a@{1}", "a^", "a~1", "/a", "a/", "a//b",
     "*", "a.", "a\nb", "a\0b"],
)  # fmt: skip
def test_what_git_would_take_for_something_else_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="names no release, tag or commit; name a release such as"):
        parse(config(), text)


def test_tags_of_another_form_are_understood() -> None:
    assert parse(config("release-{version}+x"), "release-1.0.0+x").name == "1.0.0"


def test_a_name_reads_well() -> None:
    assert [str(parse(config(), text)) for text in ("", "1.0", "abcdef0", "x")] == [
        "trunk", "release 1.0.0", "commit abcdef0", "tag x",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("commit", "version"),
    [
        ("a" * 40, "1.0.0"),
        ("a" * 7, "1.0.0"),
        ("b" * 40, "1.1.0"),
        ("b" * 7, "1.1.0"),
        ("c" * 40, None),
    ],
)
def test_a_commit_id_finds_its_release(commit: str, version: str | None) -> None:
    found = release_of(config(), commit)
    assert (found and found.version) == version


def test_the_nearest_names() -> None:
    names = ["0.9.0", "1.0.0", "1.1.0", "1.2.0"]
    assert nearest("1.1.5", names) == "1.1.0, 1.2.0, 1.0.0"
    assert nearest("zzz", names) == "1.0.0, 1.1.0, 1.2.0"
    assert nearest("zzz", []) == ""
