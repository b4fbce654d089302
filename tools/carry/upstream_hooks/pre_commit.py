"""pre-commit as a program: each call has a configuration of its own, made for it."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from carry import process
from carry.process import Finished
from carry.upstream_hooks.preparing import Prepared

#: Its own words for a hook that failed; other codes mean that it could not do its work.
FAILED = 1
_INTERRUPTED = 130
#: The user's git, and what would make pre-commit leave hooks out.
_SEALED = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "PRE_COMMIT_COLOR": "never",
    "SKIP": "",
    "MYPYPATH": "",
}
#: What is fetched comes with the user's proxies, certificates and credentials.
_USERS_OWN = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM")
#: The lines that say most, the best first: pre-commit's own, pip's, npm's, anybody's.
_CAUSES = (
    r"^=====> (.+)",
    r"^\[ERROR\] (.+)",
    r"ERROR: (No matching distribution .+)",
    r"npm (?:error|ERR!) (\d{3} .+)",
    r"(?i)\b(?:error|fatal): (?!subprocess-exited|failed-wheel)(.+)",
    r"(\S.+)",
)


@dataclass(frozen=True)
class PreCommit:
    """How it is run.

    Attributes:
        worktree: Where the hooks work.
        home: Its cache.
        scratch: A folder for the configurations.
        settings: Upstream's settings, as in its file without the hooks.
    """

    worktree: Path
    home: Path
    scratch: Path
    settings: Mapping[str, Any]

    def configuration(self, name: str, hooks: Iterable[Prepared]) -> Path:
        """Write a configuration of some hooks; JSON is YAML, too."""
        repositories = [{**each.repository, "hooks": [dict(each.keys)]} for each in hooks]
        file = self.scratch / f"{name}.json"
        whole = {**self.settings, "fail_fast": False, "repos": repositories}
        file.write_text(json.dumps(whole, indent=1), "utf-8")
        return file

    def call(
        self, *words: str | Path, env: Mapping[str, str] | None = None, fetches: bool = False
    ) -> Finished:
        """Run it to its end.

        Args:
            words: The command and its arguments.
            env: Further variables.
            fetches: It may fetch, so the user's git configuration counts.
        """
        sealed = {k: v for k, v in _SEALED.items() if not (fetches and k in _USERS_OWN)}
        sealed |= {"PRE_COMMIT_HOME": str(self.home), **(env or {})}
        # -P: modules of upstream's tree are none of pre-commit's.
        command: Sequence[str | Path] = [sys.executable, "-P", "-m", "pre_commit", *words]
        finished = process.run(command, cwd=self.worktree, env=sealed)
        if finished.code == _INTERRUPTED:
            raise KeyboardInterrupt
        return finished


def cause(finished: Finished) -> str:
    """The line of an answer that says most about why it failed."""
    text = finished.stdout + finished.stderr
    for pattern in _CAUSES:
        if found := re.search(pattern, text, re.M):
            return found[1].strip()
    return f"it ended with {finished.code}"
