"""The messages of the series' commits, as hooks on a message see and change them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import unified_diff
from pathlib import Path

from carry import git


class Messages:
    """The messages in order; what a hook changes stays for the next one."""

    def __init__(self, worktree: Path, commits: Sequence[str], patches: Sequence[str]) -> None:
        self._worktree = worktree
        self.patches = dict(zip(commits, patches, strict=True))
        self._old = {commit: git.message(worktree, commit).strip() for commit in commits}
        self._new = dict(self._old)

    @property
    def changed(self) -> dict[str, str]:
        """The new message of each commit that has one."""
        return {commit: text for commit, text in self._new.items() if text != self._old[commit]}

    def file(self, commit: str) -> Path:
        """Git's own file for a message that is being written, with this one in it."""
        file = git.git_path(self._worktree, "COMMIT_EDITMSG")
        file.write_text(self._new[commit] + "\n", "utf-8")
        return file

    def author(self, commit: str) -> Mapping[str, str]:
        """Variables that make the commit's author git's user, whose sign-off is asked for."""
        form = "--format=%an%n%ae"
        name, address = git.run(self._worktree, "log", "-1", form, commit).split("\n")
        return {
            "GIT_CONFIG_COUNT": "2",
            "GIT_CONFIG_KEY_0": "user.name",
            "GIT_CONFIG_VALUE_0": name,
            "GIT_CONFIG_KEY_1": "user.email",
            "GIT_CONFIG_VALUE_1": address,
        }

    def take(self, commit: str, file: Path) -> str:
        """Keep what a hook made of a message; returns its change, "" if there is none."""
        before, after = self._new[commit], file.read_text("utf-8").strip()
        self._new[commit] = after
        name = self.patches[commit]
        lines = unified_diff(
            before.splitlines(), after.splitlines(), f"a/{name}", f"b/{name}", lineterm=""
        )
        return "\n".join(lines)
