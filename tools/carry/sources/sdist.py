"""A release's source archive: unpack it safely, and ask it which commit it was made from."""

from __future__ import annotations

import ast
import errno
import fnmatch
import gzip
import re
import shutil
import tarfile
import zlib
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from carry.errors import UserError
from carry.sources.disk import writing_to
from carry.sources.progress import bar

_CHUNK = 1 << 20
#: Members that get in each other's way; no number at all is gzip's way to say it is damaged.
_CONFLICTS = (None, errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG)
_COMMIT_NAMES = {"__commit_id__", "commit_id"}
#: `g` is what git describe puts before an id.
_COMMIT = re.compile(r"g?([0-9a-f]{7,40})\b")


def unpack(archive: Path, folder: Path) -> tuple[Path, int]:
    """Unpack an archive into an empty folder.

    Returns:
        The one folder that the archive consists of, and the time of its youngest file.

    Raises:
        UserError: It is damaged, or holds what no source archive should.
    """
    top, youngest = "", 0
    try:
        with (
            writing_to(folder),
            archive.open("rb") as stream,
            gzip.open(stream) as unzipped,
            tarfile.open(fileobj=unzipped, mode="r:") as tar,
            bar(f"unpacking {archive.name}", archive.stat().st_size, size=True) as advance,
        ):
            for member in tar:
                top = top or member.name.partition("/")[0]
                _check(archive, member, top)
                tar.extract(member, folder, filter="data")
                youngest = max(youngest, int(member.mtime))
                advance(stream.tell())
            # To the very end, where the checksum is.
            while unzipped.read(_CHUNK):
                pass
    except tarfile.FilterError as error:
        raise _refused(
            archive, error.tarinfo.name, "is not a plain file, folder or link"
        ) from error
    except (tarfile.TarError, EOFError, zlib.error, OSError) as error:
        if isinstance(error, OSError) and error.errno not in _CONFLICTS:
            raise
        raise UserError(
            f"{archive.name} is damaged: {error}", hint=f"delete {archive} and run again"
        ) from error
    if not (folder / top).is_dir() or not top:
        raise UserError(f"{archive.name} holds no folder", hint=f"delete {archive} and run again")
    return folder / top, youngest


def _check(archive: Path, member: tarfile.TarInfo, top: str) -> None:
    """Refuse what tarfile's own filter lets pass or quietly changes."""
    parts = PurePosixPath(member.name).parts
    if not parts:
        raise _refused(archive, member.name, "has no name")
    if member.name.startswith("/"):
        raise _refused(archive, member.name, "has an absolute name")
    if ".." in parts:
        raise _refused(archive, member.name, "leads out of its folder")
    if ".git" in (part.lower() for part in parts):
        raise _refused(archive, member.name, "would be taken for a git repository")
    if parts[0] != top:
        raise _refused(archive, member.name, f"is beside the top folder {top}/")
    if member.issym() or member.islnk():
        start = parts[:-1] if member.issym() else ()
        if not _stays_inside(start, member.linkname, top):
            raise _refused(archive, member.name, f"links to {member.linkname}, outside of {top}/")


def _stays_inside(start: Sequence[str], target: str, top: str) -> bool:
    """Whether a link's target, read from `start`, never leaves the top folder."""
    if target.startswith("/"):
        return False
    place = list(start)
    for part in PurePosixPath(target).parts:
        if part != "..":
            place.append(part)
        elif len(place) < 2:
            return False
        else:
            place.pop()
    return bool(place) and place[0] == top


def _refused(archive: Path, name: str, why: str) -> UserError:
    return UserError(
        f"{archive.name} is refused: {name!r} {why}",
        hint="do not use this file; take the release with --source git",
    )


def remove_generated(release: Path, patterns: Sequence[str]) -> None:
    """Remove the files that packaging wrote; the patterns are of paths within the release."""
    for path in sorted(release.rglob("*")):
        name = path.relative_to(release).as_posix()
        if not any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns):
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def commit_id(release: Path, version_file: str) -> str | None:
    """The upstream commit, as far as it goes, that a release says it was made from.

    Raises:
        UserError: The version file is no Python.
    """
    file = release / version_file
    if not version_file or not file.is_file():
        return None
    try:
        body = ast.parse(file.read_bytes()).body
    except (SyntaxError, ValueError) as error:
        raise UserError(
            f"{version_file} of the release does not parse: {error}",
            hint="correct version-file in [tool.carry.upstream]",
        ) from error
    for statement in body:
        if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Constant):
            continue
        names = {target.id for target in statement.targets if isinstance(target, ast.Name)}
        match = _COMMIT.match(str(statement.value.value))
        if names & _COMMIT_NAMES and match:
            return match.group(1)
    return None
