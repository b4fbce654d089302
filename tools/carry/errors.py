"""What a user is told when something that can go wrong went wrong."""

from __future__ import annotations

import errno
from pathlib import Path


class UserError(Exception):
    """A failure the user can act on: one line that says what happened and what to do next."""

    def __init__(self, problem: str, *, hint: str = "", log: Path | None = None) -> None:
        self.problem = " ".join(problem.split())
        self.hint = " ".join(hint.split())
        self.log = log
        super().__init__(self.line())

    def line(self) -> str:
        """The message as it is shown: problem, hint and log on one line."""
        parts = [self.problem]
        if self.hint:
            parts.append(f"; {self.hint}")
        if self.log:
            parts.append(f" (log: {self.log})")
        return "".join(parts)


class UnreachableError(UserError):
    """A source of upstream's trees did not answer; another one may."""


def from_os_error(error: OSError) -> UserError | None:
    """Turn the system's refusals that a user can mend into words; None for all others."""
    where = f" at {error.filename}" if error.filename else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return UserError(f"the disk is full{where}", hint="free some space and run the same again")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return UserError(
            f"no permission to write{where}",
            hint="make it writable for you and run the same again",
        )
    return None
