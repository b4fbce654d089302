"""Pre-commit hooks for the small upstream, and a working tree of hooks to try on their own."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from carry.upstream_hooks.configuration import LOCAL, Hook
from carry.upstream_hooks.pre_commit import PreCommit
from carry.upstream_hooks.preparing import Prepared, prepare
from carry.upstream_hooks.table import Table

from .repository import Repository
from .small_upstream import commit, run_git

CONFIGURATION = """\
default_stages: [pre-commit, manual]
repos:
- repo: local
  hooks:
  - id: no-todo
    name: Nothing is left to do
    entry: sh tools/no_todo.sh
    language: system
    types: [python]
  - id: trim
    name: No line ends in a space
    entry: sh tools/trim.sh
    language: system
    types: [python]
  - id: shell
    name: Shell scripts run
    entry: sh -n
    language: system
    types: [shell]
  - id: always
    name: Names are short
    entry: sh -c 'test -z "$(git ls-files | grep long)"'
    language: system
    always_run: true
    pass_filenames: false
  - id: signed
    name: Sign the message
    entry: sh tools/sign.sh
    language: system
    stages: [commit-msg]
  - id: thorough
    name: Compile everything
    entry: python3 -m py_compile
    language: system
    types: [python]
    stages: [manual]
  - id: hint
    name: A hint
    entry: echo This can be left out.
    language: system
    verbose: true
    pass_filenames: false
"""
NO_TODO = '! grep -n TODO "$@"\n'
TRIM = "sed -i 's/ *$//' \"$@\"\n"
SIGN = """\
line="Signed-off-by: $(git config user.name) <$(git config user.email)>"
grep -qxF "$line" "$1" || printf '\\n%s\\n' "$line" >> "$1"
"""
#: What the upstream has besides its own files.
FILES = {
    ".pre-commit-config.yaml": CONFIGURATION,
    "tools/no_todo.sh": NO_TODO,
    "tools/trim.sh": TRIM,
    "tools/sign.sh": SIGN,
}
TABLE = 'notes = ["hint"]\n'


def with_table(root: Path) -> None:
    """Let a carrying repository have a table of its own, committed."""
    (root / "hooks.toml").write_text(TABLE)
    with (root / "pyproject.toml").open("a") as stream:
        stream.write('\n[tool.carry.hooks]\ntable = "hooks.toml"\n')
    commit(root, "Say which hooks are notes")


def recorded(repository: Repository) -> dict[str, Any]:
    """The result that the record has."""
    record: dict[str, Any] = json.loads((repository.root / "evidence/hooks.json").read_text())
    result: dict[str, Any] = record["result"]
    return result


@dataclass(frozen=True)
class Tried:
    """A repository with some files, in which hooks can be tried on their own."""

    program: PreCommit
    files: tuple[str, ...]

    @property
    def tree(self) -> Path:
        return self.program.worktree


def tried(folder: Path, files: dict[str, str], **settings: object) -> Tried:
    """Make it, with the files committed."""
    tree, scratch = folder / "tree", folder / "scratch"
    scratch.mkdir(parents=True)
    for name, text in files.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    run_git(tree, "init", "--quiet")
    commit(tree, "Begin")
    return Tried(PreCommit(tree, folder / "home", scratch, settings), tuple(files))


def local(**keys: object) -> Prepared:
    """A hook of upstream's own; a system command unless it is said otherwise."""
    every: dict[str, Any] = {"language": "system", "entry": "true", **keys}
    every.setdefault("name", every["id"])
    return prepare(Hook(LOCAL, "", "", every), Table(), "1.0.0", from_packages=True)


def remote(repository: Path | str, revision: str, *, version: str = "", **keys: object) -> Hook:
    """A hook of a repository."""
    return Hook(str(repository), revision, version or revision, keys)


def hook_repository(folder: Path, manifest: Sequence[Mapping[str, object]], **files: str) -> Path:
    """A repository of hooks, tagged v1."""
    folder.mkdir()
    run_git(folder, "init", "--quiet")
    (folder / ".pre-commit-hooks.yaml").write_text(json.dumps(manifest))
    for name, text in files.items():
        (folder / name).write_text(textwrap.dedent(text))
        (folder / name).chmod(0o755)
    commit(folder, "Hook")
    run_git(folder, "tag", "v1")
    return folder
