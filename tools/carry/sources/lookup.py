"""Ask what the newest upstream is, and remember the answer for a while."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from carry.config import Config
from carry.errors import UnreachableError, UserError
from carry.files import write_atomically
from carry.sources import git as git_source
from carry.sources import index
from carry.sources.listing import SCHEMA, Listing

#: Seconds for which an answer is taken for today's.
FRESH = 3600.0


def from_git(config: Config, where: Path, address: str) -> Listing:
    """What upstream's git repository has: its branch and its tags.

    Args:
        config: The configuration.
        where: A repository to run git in.
        address: The remote's name or its address.

    Raises:
        UnreachableError: It does not answer in time.
    """
    return _remembered(config, git_source.listing(config, where, address))


def from_index(config: Config) -> Listing:
    """What the Python index lists of upstream's package.

    Raises:
        UnreachableError: It does not answer.
    """
    with index.client() as client:
        return _remembered(config, index.listing(client, config.upstream.package))


def ask(config: Config, where: Path, address: str, choice: str) -> Listing:
    """Ask the chosen source; with `auto`, git and then the index.

    Raises:
        UnreachableError: None of them answers; names each cause.
    """
    sources: dict[str, Callable[[], Listing]] = {
        "git": lambda: from_git(config, where, address),
        "pypi": lambda: from_index(config),
    }
    causes = []
    for name in sources if choice == "auto" else [choice]:
        try:
            return sources[name]()
        except UnreachableError as error:
            causes.append(error.problem)
    raise UnreachableError("; ".join(causes), hint="look at the network, then try again")


def last(config: Config, choice: str = "auto") -> Listing | None:
    """The last answer of the chosen source; None if it was never asked from here."""
    try:
        found = msgspec.json.decode(_file(config).read_bytes(), type=Listing)
    except (OSError, msgspec.MsgspecError):
        return None
    if found.schema != SCHEMA or choice not in ("auto", found.source):
        return None
    return found


def recent(config: Config, choice: str = "auto") -> Listing | None:
    """The last answer if it is less than an hour old, by a clock that was not set back."""
    found = last(config, choice)
    return found if found and 0 <= found.age() < FRESH else None


def _remembered(config: Config, found: Listing) -> Listing:
    # An answer that cannot be kept, as in a read-only checkout, is an answer all the same.
    with suppress(OSError, UserError):
        config.state_dir.mkdir(exist_ok=True)
        write_atomically(_file(config), msgspec.json.format(msgspec.json.encode(found)))
    return found


def _file(config: Config) -> Path:
    return config.state_dir / "upstream.json"
