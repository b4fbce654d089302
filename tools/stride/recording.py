"""What a measuring command asks before it begins, so that nothing is in its way at the end."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from carry import evidence
from carry.errors import UserError


def subject(session: str) -> evidence.Subject:
    """What the record will be bound to.

    Args:
        session: The nox session that says so.

    Raises:
        UserError: Nobody says so.
    """
    try:
        return evidence.subject_from_environment()
    except UserError as error:
        raise UserError(
            error.problem,
            hint=f"start it with nox -s {session}, or as that does: carry run -- {{python}} -m "
            f"stride {session} --base {{base}} --patched {{patched}}, braces as they stand",
        ) from error


def refuse_what_would_fail_later(root: Path, session: str, *, quick: bool) -> None:
    """Say before a long run what would be in its way at the end.

    Args:
        root: Where it writes.
        session: The nox session that has all that it needs.
        quick: Whether it is a quick run.

    Raises:
        UserError: It would replace the committed record by a quick run's, or cannot draw.
    """
    if quick and root.resolve() == Path().resolve():
        raise UserError(
            "a quick run does not replace the committed record",
            hint="give it another --out, or leave --quick away",
        )
    if find_spec("matplotlib") is None:
        raise UserError("matplotlib is not here", hint=f"start it with nox -s {session}")
