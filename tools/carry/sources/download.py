"""Bring a release's source archive here, whole and checked."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import requests
from packaging.utils import canonicalize_name
from urllib3.exceptions import HTTPError

from carry.config import Config
from carry.errors import UserError
from carry.sources import index
from carry.sources.disk import writing_to
from carry.sources.progress import bar

_CHUNK = 1 << 18


@dataclass(frozen=True)
class Archive:
    """A checked source archive."""

    path: Path
    sha256: str


def obtain(config: Config, version: str) -> Archive:
    """The source archive of a release, downloaded unless it is here already.

    Raises:
        UnreachableError: The index does not answer.
        UserError: The archive is not to be had, is not what it should be, or did not arrive whole.
    """
    package = config.upstream.package
    pinned = config.upstream.release(version).sha256
    folder = config.state_dir / "downloads"
    name = canonicalize_name(package).replace("-", "_")
    expected_path = folder / f"{name}-{version}.tar.gz"
    if pinned and expected_path.is_file() and _sha256(expected_path) == pinned:
        return Archive(expected_path, pinned)
    with index.client() as client:
        sdist = index.find(index.sdists(client, package), package, version)
        expected = _expected_digest(sdist, pinned)
        path = folder / sdist.filename
        if not path.is_file() or _sha256(path) != expected:
            with writing_to(folder):
                folder.mkdir(parents=True, exist_ok=True)
                _download(client.s, sdist, expected, path)
    return Archive(path, expected)


def _expected_digest(sdist: index.Sdist, pinned: str) -> str:
    if pinned and sdist.sha256 and pinned != sdist.sha256:
        raise UserError(
            f"{sdist.filename}: the index gives sha256 {sdist.sha256}, "
            f"[tool.carry] in pyproject.toml has {pinned}",
            hint="one of the two is wrong; compare with upstream's release and do not use the file",
        )
    digest = pinned or sdist.sha256
    if not digest:
        raise UserError(
            f"the index gives no sha256 for {sdist.filename}",
            hint="add the release with its sha256 to [tool.carry.upstream.releases]",
        )
    return digest


def _download(connections: requests.Session, sdist: index.Sdist, expected: str, path: Path) -> None:
    """Download to a file beside `path`, going on where an earlier run stopped, and rename it."""
    part = path.with_name(f"{path.name}.part")
    if not part.exists() or _sha256(part) != expected:
        try:
            _receive(connections, sdist, part)
        except (requests.RequestException, HTTPError) as error:
            raise UserError(
                f"the download of {sdist.filename} broke off: {index.cause(error)}",
                hint=_what_is_kept(part),
            ) from error
    got = _sha256(part)
    if got != expected:
        part.unlink()
        raise UserError(
            f"{sdist.filename} has sha256 {got}, expected {expected}",
            hint="it was deleted; run again, and if it happens twice do not trust this index",
        )
    part.replace(path)


def _receive(connections: requests.Session, sdist: index.Sdist, part: Path) -> None:
    have = part.stat().st_size if part.exists() else 0
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
    with connections.get(sdist.url, headers=headers, stream=True, timeout=index.TIMEOUT) as answer:
        if have and answer.status_code == requests.codes.requested_range_not_satisfiable:
            # There is no more to come; the digest tells whether it is the right file.
            return
        answer.raise_for_status()
        resumed = answer.headers.get("Content-Range", "").startswith(f"bytes {have}-")
        if not resumed:
            have = 0
        length = int(answer.headers.get("Content-Length", "0"))
        total = have + length if length else sdist.size
        with (
            part.open("ab" if resumed else "wb") as file,
            bar(sdist.filename, total, done=have, size=True) as advance,
        ):
            # Raw, since a server may take the archive's own compression for the transfer's.
            for chunk in answer.raw.stream(_CHUNK, decode_content=False):
                have += file.write(chunk)
                advance(have)
    if total and have < total:
        raise requests.ConnectionError


def _what_is_kept(part: Path) -> str:
    if not part.exists():
        return "run again"
    return f"run again to go on after the {part.stat().st_size:,} bytes that are here"


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
