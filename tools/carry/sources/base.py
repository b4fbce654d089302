"""What a series can be applied on: one tree of upstream's, as a commit in the store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from carry.errors import UserError
from carry.workspace import REFS

#: Where imported releases live in the store, one ref per version.
RELEASES = f"{REFS}/releases"
#: Where upstream's own commits live in the store: its branch, its tags, single commits.
UPSTREAM = f"{REFS}/upstream"
#: Upstream's git repository, as the store knows it.
REMOTE = "origin"

#: Takes the lines that a user should see while something runs.
Report = Callable[[str], None]


@dataclass(frozen=True)
class Base:
    """One upstream tree, wholly in the store.

    Attributes:
        name: As shown to people: `0.33.0`, `main (1a2b3c4)`, `1a2b3c4`.
        version: The release it is, None for any other commit.
        commit: Its commit in the store; upstream's own, or one made from a release's sdist.
        upstream: Upstream's full commit id, None where only its beginning is known.
        known_as: Upstream's commit id as far as it is known.
        source: Where the commit in the store came from.
    """

    name: str
    version: str | None
    commit: str
    upstream: str | None
    known_as: str
    source: Literal["git", "pypi"]

    @property
    def rehearsal(self) -> bool:
        """Whether a move to it must leave the pin alone, for want of a full commit id."""
        return self.upstream is None


class NotListedError(UserError):
    """The Python index cannot give what was asked for; upstream's git repository might."""
