"""The Python package index, as pip is configured to use it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import requests
from packaging.version import InvalidVersion, Version
from pypi_simple import PYPI_SIMPLE_ENDPOINT, DistributionPackage, NoSuchProjectError, PyPISimple
from pypi_simple.errors import UnsupportedRepoVersionError
from urllib3.exceptions import HTTPError

from carry.errors import UnreachableError, UserError
from carry.sources import pip_settings
from carry.sources.base import NotListedError
from carry.sources.listing import Listed, Listing, is_release
from carry.sources.listing import listing as new_listing
from carry.sources.pip_settings import ADDRESS, CERTIFICATE
from carry.sources.wanted import nearest

#: Seconds to connect, and between two parts of an answer.
TIMEOUT = (5.0, 30.0)
_SUFFIX = ".tar.gz"


@dataclass(frozen=True)
class Sdist:
    """A release's source archive as the index lists it."""

    filename: str
    version: Version
    url: str
    sha256: str | None
    size: int | None
    yanked: bool
    uploaded: str = ""


@contextmanager
def client() -> Iterator[PyPISimple]:
    """A client of the index that pip uses, which trusts what pip trusts.

    Raises:
        UserError: The certificates that pip is told to trust do not exist.
    """
    settings = pip_settings.read()
    certificate = settings.get(CERTIFICATE)
    if certificate and not Path(certificate).exists():
        raise UserError(
            f"pip's certificate file {certificate} does not exist",
            hint="correct PIP_CERT or pip's global.cert",
        )
    with PyPISimple(settings.get(ADDRESS) or PYPI_SIMPLE_ENDPOINT) as index:
        index.s.verify = certificate or True
        yield index


def sdists(index: PyPISimple, package: str) -> list[Sdist]:
    """The source archives that the index lists for a package, oldest version first.

    Raises:
        UnreachableError: The index does not answer, or not as an index does.
    """
    try:
        page = index.get_project_page(package, timeout=TIMEOUT)
    except NoSuchProjectError as error:
        raise UnreachableError(f"index: it has no package {package}") from error
    except requests.RequestException as error:
        raise UnreachableError(f"index: {cause(error)}") from error
    except (ValueError, UnsupportedRepoVersionError) as error:
        raise UnreachableError("index: its answer is no index page") from error
    found = (_sdist(listed) for listed in page.packages)
    return sorted((sdist for sdist in found if sdist), key=lambda sdist: sdist.version)


def find(listed: Sequence[Sdist], package: str, version: str) -> Sdist:
    """The source archive of one release, be it yanked or a pre-release.

    Raises:
        NotListedError: The index has none.
    """
    matches = [sdist for sdist in listed if sdist.version == Version(version)]
    if not matches:
        names = nearest(version, [str(sdist.version) for sdist in listed])
        raise NotListedError(
            f"the Python index has no source archive of {package} {version}",
            hint=f"the nearest are {names}" if names else "it has none at all",
        )
    return matches[0]


def listing(index: PyPISimple, package: str) -> Listing:
    """The releases that have a source archive, see `sdists`."""
    return new_listing(
        "pypi",
        (
            Listed(
                str(sdist.version),
                sha256=sdist.sha256 or "",
                uploaded=sdist.uploaded,
                yanked=sdist.yanked,
            )
            for sdist in sdists(index, package)
            if is_release(str(sdist.version))
        ),
    )


def cause(error: requests.RequestException | HTTPError) -> str:
    """What went wrong on the way to a server, in a few words and without its address."""
    if isinstance(error, requests.HTTPError):
        return f"it answers with HTTP status {error.response.status_code}"
    if isinstance(error, requests.Timeout):
        return "no answer in time"
    if isinstance(error, requests.exceptions.SSLError):
        return "its certificate is not accepted (PIP_CERT names the ones to trust)"
    if isinstance(error, requests.exceptions.ProxyError):
        return "the proxy does not let us through"
    if isinstance(error, requests.exceptions.ContentDecodingError | requests.JSONDecodeError):
        return "its answer cannot be read"
    if isinstance(error, ValueError):
        return "pip's index-url is no http address"
    reason = re.search(r"\[Errno -?\d+\] ([^'\")]+)", str(error))
    return reason.group(1).lower() if reason else "the connection broke"


def _sdist(listed: DistributionPackage) -> Sdist | None:
    if listed.package_type != "sdist" or not listed.filename.endswith(_SUFFIX):
        return None
    # The name becomes a path of ours.
    if "/" in listed.filename or listed.version is None:
        return None
    try:
        version = Version(listed.version)
    except InvalidVersion:
        return None
    sha256 = listed.digests.get("sha256")
    uploaded = listed.upload_time.isoformat(timespec="seconds") if listed.upload_time else ""
    return Sdist(
        listed.filename, version, listed.url, sha256, listed.size, listed.is_yanked, uploaded
    )
