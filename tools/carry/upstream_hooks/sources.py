"""Whether hooks come from their repositories or from packages."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from carry import git
from carry.errors import UnreachableError
from carry.upstream_hooks.configuration import Hook

#: Seconds in which a host must answer.
_PATIENCE = 5.0


def from_packages(store: Path, hooks: Iterable[Hook], choice: str) -> tuple[bool, str]:
    """Choose, and say why.

    Args:
        store: A repository to run git in.
        hooks: The hooks.
        choice: `git`, `pypi`, or `auto` to ask each host once.

    Returns:
        Whether packages are taken, and the reason in words.
    """
    if choice != "auto":
        return choice == "pypi", "as asked"
    hosts = {urlsplit(each.repository).netloc: each for each in hooks if not each.is_local}
    for host, hook in hosts.items():
        try:
            git.answers(store, hook.repository, _PATIENCE)
        except UnreachableError as error:
            reason = error.problem.removeprefix("git: ")
            return True, f"since {host} is out of reach ({reason})"
    return False, "which answer"
