from __future__ import annotations

import errno
import gzip
import io
import os
import tarfile
from pathlib import Path

import pytest

from carry.errors import UserError
from carry.sources import sdist

Entry = tuple[str, bytes, str]


def archive(tmp_path: Path, *members: tarfile.TarInfo | str) -> Path:
    """An archive of members; a name stands for a plain file."""
    path = tmp_path / "acme-1.0.0.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        for member in members:
            info = tarfile.TarInfo(member) if isinstance(member, str) else member
            info.size = 4 if info.isreg() else 0
            tar.addfile(info, io.BytesIO(b"text"))
    return path


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def unpack(tmp_path: Path, path: Path) -> tuple[Path, int]:
    folder = tmp_path / "unpacked"
    folder.mkdir()
    return sdist.unpack(path, folder)


def test_an_archive_is_unpacked_with_its_executables_and_links(tmp_path: Path) -> None:
    script = tarfile.TarInfo("acme-1.0.0/run.sh")
    script.mode, script.mtime = 0o775, 1000
    plain = tarfile.TarInfo("acme-1.0.0/deep/plain.py")
    plain.mode, plain.mtime = 0o664, 2000
    link = special("acme-1.0.0/deep/link", tarfile.SYMTYPE, "../run.sh")
    release, youngest = unpack(tmp_path, archive(tmp_path, script, plain, link))
    assert release == tmp_path / "unpacked/acme-1.0.0"
    assert youngest == 2000
    assert os.access(release / "run.sh", os.X_OK)
    assert (release / "deep/plain.py").stat().st_mode & 0o777 == 0o644
    assert (release / "deep/link").readlink() == Path("../run.sh")


@pytest.mark.parametrize(
    ("member", "why"),
    [
        ("/etc/acme", "has an absolute name"),
        ("acme-1.0.0/../../acme", "leads out of its folder"),
        ("acme-1.0.0/a/../b", "leads out of its folder"),
        ("other/file", "is beside the top folder acme-1.0.0/"),
        ("loose", "is beside the top folder acme-1.0.0/"),
        ("acme-1.0.0/sub/.git/config", "would be taken for a git repository"),
        ("acme-1.0.0/.GIT/config", "would be taken for a git repository"),
        (special("acme-1.0.0/link", tarfile.SYMTYPE, "/etc/passwd"), "links to /etc/passwd"),
        (special("acme-1.0.0/link", tarfile.SYMTYPE, "../other"), "links to ../other"),
        (special("acme-1.0.0/link", tarfile.SYMTYPE, "../../other"), "links to ../../other"),
        (special("acme-1.0.0/a/link", tarfile.SYMTYPE, "../../acme-1.0.0/x"), "links to"),
        (special("acme-1.0.0/link", tarfile.LNKTYPE, "../other"), "links to ../other"),
        (special("acme-1.0.0/link", tarfile.LNKTYPE, "other/file"), "links to other/file"),
        (special("acme-1.0.0/pipe", tarfile.FIFOTYPE), "is not a plain file, folder or link"),
        (special("acme-1.0.0/null", tarfile.CHRTYPE), "is not a plain file, folder or link"),
        (special("acme-1.0.0/disk", tarfile.BLKTYPE), "is not a plain file, folder or link"),
    ],
)
def test_what_no_source_archive_holds_is_refused(
    tmp_path: Path, member: tarfile.TarInfo | str, why: str
) -> None:
    name = member if isinstance(member, str) else member.name
    path = archive(tmp_path, "acme-1.0.0/first", member)
    with pytest.raises(UserError) as caught:
        unpack(tmp_path, path)
    assert caught.value.line().startswith(f"acme-1.0.0.tar.gz is refused: {name!r} {why}")
    assert "take the release with --source git" in caught.value.line()
    assert [each.name for each in (tmp_path / "unpacked").iterdir()] == ["acme-1.0.0"]


def test_a_nameless_member_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="refused: '' has no name"):
        unpack(tmp_path, archive(tmp_path, ""))


def test_a_link_is_not_followed_out_of_the_folder(tmp_path: Path) -> None:
    link = special("acme-1.0.0/here", tarfile.SYMTYPE, ".")
    path = archive(tmp_path, link, "acme-1.0.0/here/here/file")
    release, _ = unpack(tmp_path, path)
    assert (release / "file").read_text() == "text"


def test_a_link_to_itself_is_a_users_error(tmp_path: Path) -> None:
    loop = special("acme-1.0.0/loop", tarfile.SYMTYPE, "loop")
    path = archive(tmp_path, loop, "acme-1.0.0/loop/file")
    with pytest.raises(UserError, match=r"acme-1\.0\.0\.tar\.gz is damaged"):
        unpack(tmp_path, path)


@pytest.mark.parametrize("kept", [10, 60, -30, -1])
def test_a_truncated_archive_is_named(tmp_path: Path, kept: int) -> None:
    path = archive(tmp_path, *(f"acme-1.0.0/{number}" for number in range(50)))
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(UserError, match=r"acme-1\.0\.0\.tar\.gz is damaged: .*; delete /"):
        unpack(tmp_path, path)


@pytest.mark.parametrize(
    "content",
    [b"", b"no gzip at all", gzip.compress(b"no tar at all" * 99, mtime=0)],
    ids=["b''", "b'no gzip at all'", "no tar at all"],
)
def test_another_kind_of_file_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "acme-1.0.0.tar.gz"
    path.write_bytes(content)
    with pytest.raises(UserError, match=r"acme-1\.0\.0\.tar\.gz is damaged"):
        unpack(tmp_path, path)


def test_a_broken_checksum_is_named(tmp_path: Path) -> None:
    path = archive(tmp_path, "acme-1.0.0/file")
    content = bytearray(path.read_bytes())
    content[-8] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(UserError, match="is damaged: CRC check failed"):
        unpack(tmp_path, path)


def test_an_archive_without_a_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds no folder"):
        unpack(tmp_path, archive(tmp_path, "file"))
    with pytest.raises(UserError, match="holds no folder"):
        sdist.unpack(archive(tmp_path), tmp_path / "unpacked")


def test_a_missing_archive_is_a_bug(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        unpack(tmp_path, tmp_path / "none.tar.gz")
    assert caught.value.errno == errno.ENOENT


def test_generated_files_go_and_nothing_else(tmp_path: Path) -> None:
    kept = ["acme/PKG-INFO", "acme/setup.cfg", "acme/version.py", "egg-info"]
    gone = ["PKG-INFO", "setup.cfg", "acme.egg-info/deep/SOURCES.txt", "acme/_version.py"]
    for name in kept + gone:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "acme/x.egg-info").symlink_to("..")
    sdist.remove_generated(tmp_path, ("PKG-INFO", "setup.cfg", "*.egg-info", "acme/_version.py"))
    left = [path.relative_to(tmp_path) for path in tmp_path.rglob("*") if not path.is_dir()]
    assert sorted(map(str, left)) == kept


@pytest.mark.parametrize(
    ("text", "commit"),
    [
        ("__commit_id__ = commit_id = 'gdb9527a46'\n", "db9527a46"),
        ("commit_id = 'db9527a46'\n", "db9527a46"),
        ("commit_id: str | None\n__commit_id__ = 'gdb9527a46.d20261101'\n", "db9527a46"),
        ("__commit_id__ = commit_id = None\n", None),
        ("version = 'gdb9527a46'\n", None),
        ("commit_id = 'unknown'\n", None),
        ("commit_id = open('/etc/passwd')\n", None),
        ("", None),
    ],
)
def test_the_commit_is_read_without_running_anything(
    tmp_path: Path, text: str, commit: str | None
) -> None:
    (tmp_path / "_version.py").write_text(text)
    assert sdist.commit_id(tmp_path, "_version.py") == commit


def test_a_release_without_a_version_file_says_nothing(tmp_path: Path) -> None:
    assert sdist.commit_id(tmp_path, "_version.py") is None
    assert sdist.commit_id(tmp_path, "") is None


@pytest.mark.parametrize("content", [b"def (", b"\xff\xfe", b"a = '\0'"])
def test_a_version_file_that_is_no_python_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "_version.py").write_bytes(content)
    with pytest.raises(UserError, match=r"_version\.py of the release does not parse"):
        sdist.commit_id(tmp_path, "_version.py")
