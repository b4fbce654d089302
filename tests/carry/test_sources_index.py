from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path

import certifi
import pytest

from carry import config as configuration
from carry.config import Config
from carry.errors import UnreachableError, UserError
from carry.sources import index as package_index
from carry.sources.base import NotListedError
from carry.sources.download import obtain

from .. import needs
from .carrying import Carrying
from .small_index import Index
from .small_upstream import Upstream

HALF = 800


@pytest.fixture
def config(carrying: Carrying) -> Config:
    return configuration.load(carrying(git_in_reach=False))


@pytest.fixture
def downloads(config: Config) -> Path:
    return config.state_dir / "downloads"


def versions() -> list[str]:
    return [str(sdist.version) for sdist in listed()]


def listed() -> list[package_index.Sdist]:
    with package_index.client() as client:
        return package_index.sdists(client, "acme")


@pytest.mark.parametrize("html", [False, True])
def test_an_index_lists_its_sdists(index: Index, upstream: Upstream, html: bool) -> None:
    index.html = html
    index.files |= {
        "acme-1.0.0-py3-none-any.whl": b"",
        "acme-1.0.0.zip": b"",
        "acme-no.version.tar.gz": b"",
        "other.tar.gz": b"",
    }
    assert versions() == sorted(upstream.releases)
    assert listed()[0].sha256 == upstream.sha256("1.0.0")


def test_a_path_in_a_file_name_is_not_taken(index: Index) -> None:
    index.files = {"../../acme-1.0.0.tar.gz": b"", "acme-1.1.0.tar.gz": b""}
    assert versions() == ["1.1.0"]


def test_versions_are_ordered_as_versions(index: Index) -> None:
    index.files = {f"acme-{version}.tar.gz": b"" for version in ("1.10.0", "1.9.0", "1.10.0rc1")}
    assert versions() == ["1.9.0", "1.10.0rc1", "1.10.0"]


def newest(*, pre: bool = False) -> str:
    with package_index.client() as client:
        found = package_index.listing(client, "acme").newest(pre=pre)
    return found.version if found else "none"


def test_the_newest_is_neither_yanked_nor_a_pre_release(index: Index) -> None:
    index.files |= {"acme-1.6.0rc1.tar.gz": b""}
    index.yanked = {"1.5.0"}
    assert newest() == "1.4.0"
    assert newest(pre=True) == "1.6.0rc1"
    assert package_index.find(listed(), "acme", "1.5.0").yanked
    assert package_index.find(listed(), "acme", "1.6.0rc1").filename == "acme-1.6.0rc1.tar.gz"
    assert package_index.find(listed(), "acme", "1.5").filename == "acme-1.5.0.tar.gz"


def test_a_version_that_is_not_listed_names_its_neighbours(index: Index) -> None:
    index.missing = {"1.2.0"}
    with pytest.raises(
        NotListedError, match=r"no source archive of acme 1\.2\.0; the nearest are 1\.\d\.0, "
    ):
        package_index.find(listed(), "acme", "1.2.0")


def test_an_index_without_anything_says_so(index: Index) -> None:
    index.files = {}
    with pytest.raises(NotListedError, match="it has none at all"):
        package_index.find(listed(), "acme", "1.2.0")
    with pytest.raises(NotListedError, match="it has none at all"):
        package_index.find(listed(), "acme", "1.0")
    assert newest(pre=True) == "none"


@pytest.mark.parametrize("version", ["1.7.0.dev1", "1.7.0rc1.dev2", "1.7.0+cpu", "1.7.0rc1+cpu"])
def test_a_development_or_local_version_is_never_the_newest(index: Index, version: str) -> None:
    index.files |= {f"acme-{version}.tar.gz": b""}
    assert newest() == "1.2.0"
    assert newest(pre=True) == "1.2.0"


def test_a_later_release_of_an_older_line_is_not_the_newest(index: Index) -> None:
    index.files |= {"acme-1.1.5.tar.gz": b"", "acme-1.2.0.post1.tar.gz": b""}
    assert newest() == "1.2.0.post1"


@pytest.mark.parametrize("html", [False, True])
def test_a_listing_has_what_the_index_tells(index: Index, upstream: Upstream, html: bool) -> None:
    index.html = html
    with package_index.client() as client:
        one = package_index.listing(client, "acme").find("1.2.0")
    assert one
    assert one.sha256 == upstream.sha256("1.2.0")
    assert one.uploaded == ("" if html else "2026-11-02T10:12:56+00:00")


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (503, "index: it answers with HTTP status 503"),
        (403, "index: it answers with HTTP status 403"),
        (404, "index: it has no package acme"),
    ],
)
def test_an_index_that_refuses_is_out_of_reach(index: Index, status: int, said: str) -> None:
    index.status = status
    with pytest.raises(UnreachableError) as caught:
        versions()
    assert caught.value.line() == said


@pytest.mark.parametrize("page", ["", "no json", "[]", '{"meta": {"api-version": "9.0"}}', "{}"])
def test_an_answer_that_is_no_page_is_out_of_reach(index: Index, page: str) -> None:
    index.page = page
    with pytest.raises(UnreachableError, match=r"index: its answer (is no|cannot)"):
        versions()


def test_an_index_where_nobody_answers(no_index: None) -> None:
    with pytest.raises(UnreachableError, match=r"^index: connection refused$"):
        versions()


@pytest.mark.parametrize("url", ["no address", "file:///opt/simple", "ftp://127.0.0.1/simple"])
def test_an_index_that_is_no_http_address(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", url)
    with pytest.raises(UnreachableError, match="pip's index-url is no http address"):
        versions()


def test_a_password_in_the_address_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://me:secret@127.0.0.1:9/simple/")
    with pytest.raises(UnreachableError) as caught:
        versions()
    assert "secret" not in caught.value.line()


@pytest.mark.parametrize("place", ["variable", "home"])
def test_pips_own_files_name_the_index(
    index: Index, monkeypatch: pytest.MonkeyPatch, home: Path, place: str
) -> None:
    if importlib.util.find_spec("pip") is None:
        needs.skip("this Python has no pip", needs.ENVIRONMENT)
    settings = home / ".config/pip/pip.conf"
    settings.parent.mkdir(parents=True)
    settings.write_text(f"[global]\nindex-url = {index.url}\ncert = /nowhere/ca.pem\n")
    monkeypatch.delenv("PIP_INDEX_URL")
    monkeypatch.delenv("PIP_CONFIG_FILE")
    if place == "variable":
        monkeypatch.setenv("PIP_CONFIG_FILE", str(settings))
    assert "1.0.0" in versions()
    monkeypatch.delenv("PIP_CERT")
    with pytest.raises(UserError, match=r"/nowhere/ca\.pem does not exist"):
        versions()


@pytest.mark.parametrize("name", ["a", "z"])
def test_the_users_own_file_counts_more_than_the_systems(
    index: Index, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, home: Path, name: str
) -> None:
    """Whatever the files are called."""
    system = tmp_path / name / "xdg"
    for folder, url in ((system, "http://127.0.0.1:9/"), (home / ".config", index.url)):
        (folder / "pip").mkdir(parents=True)
        (folder / "pip" / "pip.conf").write_text(f"[global]\nindex-url = {url}\n")
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(system))
    monkeypatch.setenv("HOME", str(shutil.move(home, tmp_path / "m")))
    monkeypatch.delenv("PIP_INDEX_URL")
    monkeypatch.delenv("PIP_CONFIG_FILE")
    assert "1.0.0" in versions()


def test_a_certificate_that_is_not_there_is_named(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_CERT", "/nowhere/ca.pem")
    with pytest.raises(UserError, match=r"/nowhere/ca\.pem does not exist; correct PIP_CERT"):
        versions()


def test_a_certificate_is_trusted(index: Index) -> None:
    with package_index.client() as client:
        assert client.s.verify == certifi.where()


# Downloads


@pytest.mark.parametrize("html", [False, True])
def test_a_download_is_whole_and_happens_once(
    index: Index, config: Config, upstream: Upstream, downloads: Path, html: bool
) -> None:
    index.html = html
    first = obtain(config, "1.3.0")
    assert first.path == downloads / "acme-1.3.0.tar.gz"
    assert first.path.read_bytes() == upstream.sdists["1.3.0"].read_bytes()
    assert first.sha256 == upstream.sha256("1.3.0")
    assert obtain(config, "1.3.0") == first
    assert index.downloads == [("acme-1.3.0.tar.gz", "")]
    assert [path.name for path in downloads.iterdir()] == ["acme-1.3.0.tar.gz"]


def test_an_archive_that_the_table_vouches_for_needs_no_index(index: Index, config: Config) -> None:
    obtain(config, "1.0.0")
    index.requests.clear()
    obtain(config, "1.0.0")
    assert index.requests == []


def test_an_archive_that_was_changed_is_downloaded_again(
    index: Index, config: Config, upstream: Upstream
) -> None:
    path = obtain(config, "1.0.0").path
    path.write_bytes(b"changed")
    assert obtain(config, "1.0.0").path.read_bytes() == upstream.sdists["1.0.0"].read_bytes()


@pytest.mark.parametrize("silent", [False, True])
def test_a_download_goes_on_where_it_broke_off(
    index: Index, config: Config, upstream: Upstream, downloads: Path, silent: bool
) -> None:
    index.cut_after, index.silent_cut = HALF, silent
    with pytest.raises(UserError) as caught:
        obtain(config, "1.3.0")
    assert caught.value.line() == (
        "the download of acme-1.3.0.tar.gz broke off: the connection broke; "
        "run again to go on after the 800 bytes that are here"
    )
    assert (downloads / "acme-1.3.0.tar.gz.part").stat().st_size == HALF
    index.cut_after = None
    assert obtain(config, "1.3.0").path.read_bytes() == upstream.sdists["1.3.0"].read_bytes()
    assert index.downloads[-1] == ("acme-1.3.0.tar.gz", f"bytes={HALF}-")


def test_a_server_that_cannot_go_on_starts_over(
    index: Index, config: Config, upstream: Upstream, downloads: Path
) -> None:
    index.ranges = False
    downloads.mkdir(parents=True)
    (downloads / "acme-1.3.0.tar.gz.part").write_bytes(b"x" * HALF)
    assert obtain(config, "1.3.0").path.read_bytes() == upstream.sdists["1.3.0"].read_bytes()


def test_a_part_that_is_whole_needs_only_its_name(
    index: Index, config: Config, upstream: Upstream, downloads: Path
) -> None:
    downloads.mkdir(parents=True)
    part = downloads / "acme-1.3.0.tar.gz.part"
    part.write_bytes(upstream.sdists["1.3.0"].read_bytes())
    obtain(config, "1.3.0")
    assert index.downloads == []
    assert not part.exists()


@pytest.mark.parametrize("extra", [b"", b"more"])
def test_a_part_of_another_file_is_dropped(
    index: Index, config: Config, upstream: Upstream, downloads: Path, extra: bytes
) -> None:
    downloads.mkdir(parents=True)
    part = downloads / "acme-1.3.0.tar.gz.part"
    part.write_bytes(b"x" * upstream.sdists["1.3.0"].stat().st_size + extra)
    with pytest.raises(UserError, match=r"acme-1\.3\.0\.tar\.gz has sha256 .*; it was deleted"):
        obtain(config, "1.3.0")
    assert not part.exists()
    assert obtain(config, "1.3.0").sha256 == upstream.sha256("1.3.0")


def test_a_wrong_digest_deletes_the_file(
    index: Index, config: Config, upstream: Upstream, downloads: Path
) -> None:
    index.wrong_digest = {"acme-1.3.0.tar.gz"}
    with pytest.raises(UserError) as caught:
        obtain(config, "1.3.0")
    assert upstream.sha256("1.3.0") in caught.value.line()
    assert ", expected " in caught.value.line()
    assert list(downloads.iterdir()) == []


def test_an_index_that_contradicts_the_table_is_not_believed(
    index: Index, config: Config, upstream: Upstream
) -> None:
    index.wrong_digest = {"acme-1.0.0.tar.gz"}
    with pytest.raises(UserError, match=r"has [0-9a-f]{64}; one of the two is wrong") as caught:
        obtain(config, "1.0.0")
    assert upstream.sha256("1.0.0") in caught.value.line()
    assert index.downloads == []


def test_a_file_that_is_not_what_the_table_says_is_deleted(
    index: Index, config: Config, downloads: Path
) -> None:
    index.no_digest = True
    index.files["acme-1.0.0.tar.gz"] = b"something else"
    with pytest.raises(UserError, match="expected"):
        obtain(config, "1.0.0")
    assert list(downloads.iterdir()) == []


def test_the_table_is_enough_where_the_index_gives_no_digest(
    index: Index, config: Config, upstream: Upstream
) -> None:
    index.no_digest = True
    assert obtain(config, "1.0.0").sha256 == upstream.sha256("1.0.0")


def test_nothing_is_taken_without_a_digest(index: Index, config: Config) -> None:
    index.no_digest = True
    with pytest.raises(UserError, match=r"gives no sha256 for acme-1\.3\.0\.tar\.gz; add the"):
        obtain(config, "1.3.0")
    assert index.downloads == []


def test_a_file_that_the_server_does_not_have(
    index: Index, config: Config, upstream: Upstream
) -> None:
    index.gone = {"acme-1.3.0.tar.gz"}
    with pytest.raises(UserError) as caught:
        obtain(config, "1.3.0")
    assert caught.value.line() == (
        "the download of acme-1.3.0.tar.gz broke off: it answers with HTTP status 404; run again"
    )


def test_a_full_disk_is_named_and_the_part_is_kept(
    index: Index, config: Config, upstream: Upstream, downloads: Path
) -> None:
    index.add(upstream.sdists["1.3.0"])
    index.files["acme-1.3.0.tar.gz"] = bytes(256) * 1024
    downloads.mkdir(parents=True)
    needs.small_disk(downloads, "64k")
    try:
        with pytest.raises(UserError, match=r"the disk is full at /.*; free some space and run"):
            obtain(config, "1.3.0")
        part = downloads / "acme-1.3.0.tar.gz.part"
        assert 0 < part.stat().st_size < len(index.files["acme-1.3.0.tar.gz"])
    finally:
        subprocess.run(["umount", str(downloads)], check=True)
