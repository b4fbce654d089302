"""The disk's refusals in the user's words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from carry.errors import from_os_error


@contextmanager
def writing_to(path: Path) -> Iterator[None]:
    """Say where it was when the disk is full or writing is not allowed.

    Raises:
        UserError: The system refused, for a reason that a user can mend.
    """
    try:
        yield
    except OSError as error:
        # A write that fails does not say to which file.
        where = error.filename or str(path)
        explained = from_os_error(OSError(error.errno, error.strerror, where))
        if explained:
            raise explained from error
        raise
