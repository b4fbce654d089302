"""The submodule's working tree: what stands in it, and what keeps us from touching it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from carry import git
from carry.config import Config
from carry.errors import UserError
from carry.workspace import REFS

#: The series that was last put in place: as files (tree) and as commits (parent).
CARRIED = f"{REFS}/carried"
BACKUPS = f"{REFS}/backup"

_UNDER_WAY = {
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase or an am",
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "BISECT_LOG": "a bisection",
}


@dataclass(frozen=True)
class Carried:
    """The series as it was last put in place."""

    snapshot: str
    tip: str
    patches: str

    @classmethod
    def read(cls, store: Path) -> Carried | None:
        """What the ref says; None when nothing was put in place yet."""
        snapshot = git.resolve(store, CARRIED)
        if snapshot is None:
            return None
        return cls(snapshot, git.run(store, "rev-parse", f"{snapshot}^"),
                   git.tree_of(store, snapshot))  # fmt: skip


def branch_tip(config: Config) -> str | None:
    """The commit of the series' branch in the submodule; None when there is no branch."""
    return git.resolve(config.tree, f"refs/heads/{config.branch}")


def on_branch(config: Config) -> bool:
    """Whether the series' branch is what is checked out."""
    return git.branch(config.tree) == config.branch


def stands_on(config: Config, base: str, tip: str) -> bool:
    """Whether `base` is the last commit of upstream's below `tip`, and not one further down."""
    if not git.is_ancestor(config.tree, base, tip):
        return False
    upstreams = (f"--glob={REFS}/releases", f"--glob={REFS}/upstream", "--remotes", "--tags")
    between = git.run(config.tree, "rev-list", f"{base}..{tip}").split()
    own = git.run(config.tree, "rev-list", f"{base}..{tip}", "--not", *upstreams).split()
    return between == own


def operation_under_way(tree: Path) -> str | None:
    """Which operation of the user's git is unfinished in a tree, in words."""
    for name, words in _UNDER_WAY.items():
        if git.git_path(tree, name).exists():
            return words
    return None


def unexported(config: Config, *, held_by: str | None = None) -> list[str]:
    """Commits that nothing but the series' branch or a detached HEAD holds, newest first.

    Args:
        config: The configuration.
        held_by: A commit whose history counts as held, too.
    """
    tips = [tip for tip in (branch_tip(config), _detached(config)) if tip]
    if not tips:
        return []
    others = [f"--exclude={config.branch}", "--branches", "--remotes", "--tags"]
    known = ["--not", f"--glob={REFS}/*", *others]
    pin = git.gitlink(config.root, config.submodule)
    known += [commit for commit in (pin, held_by) if commit and git.resolve(config.tree, commit)]
    return git.run(config.tree, "rev-list", *tips, *known).split()


def _detached(config: Config) -> str | None:
    return None if git.branch(config.tree) else git.head(config.tree)


def require_untouched(config: Config, *, held_by: str | None = None) -> None:
    """Refuse to go on where the submodule holds work that nothing else holds.

    Args:
        config: The configuration.
        held_by: A commit whose history counts as held, too.

    Raises:
        UserError: An operation is unfinished, a file is changed, or a commit is not exported.
    """
    name, tree = config.submodule, config.tree
    if words := operation_under_way(tree):
        raise UserError(
            f"{words} is unfinished in {name}/", hint=f"finish or abort it there (git -C {name})"
        )
    if changed := git.changes(tree):
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        raise UserError(
            f"{name}/ has uncommitted changes: {changed[0]}{more}",
            hint="commit them there and run carry export, or put them away with "
            f"git -C {name} stash --include-untracked",
        )
    if commits := unexported(config, held_by=held_by):
        raise UserError(
            f"{name}/ has {len(commits)} commit(s) that {config.patches}/ has not, "
            f"the newest {commits[0][:9]}",
            hint="carry export puts them into the series; or keep them on a branch of their own: "
            f"git -C {name} branch my-work",
        )


def require_own_patches(config: Config, *, becoming: str | None = None) -> None:
    """Refuse to overwrite changes in the patches folder that are committed nowhere.

    What carry itself wrote there last is no such change, nor is what stays as it is.

    Args:
        config: The configuration.
        becoming: The snapshot that the folder is to become.

    Raises:
        UserError: Names the first changed file.
    """
    changed = git.changes(config.root, config.patches)
    if not changed:
        return
    carried = Carried.read(config.tree)
    kept = [carried.patches] if carried else []
    kept += [git.tree_of(config.tree, becoming)] if becoming else []
    if git.write_tree(config.tree, config.patches_dir) in kept:
        return
    raise UserError(
        f"{config.patches}/ has uncommitted changes: {changed[0]}",
        hint="commit them, or put them away with git stash",
    )


def place(config: Config, tip: str, *, force: bool = False) -> None:
    """Check the series' branch out at `tip`.

    Args:
        config: The configuration.
        tip: The commit.
        force: Overwrite changed files; for going on after a kill in the middle, when
            `keep_strangers` has put aside what is not ours.
    """
    words = ["checkout", "--quiet", *(["--force"] if force else []), "-B", config.branch, tip]
    try:
        git.run(config.tree, *words)
    except git.GitError as error:
        lock = git.git_path(config.tree, "index.lock")
        if not lock.exists():
            raise
        raise UserError(
            f"git's index of {config.submodule}/ is locked by {lock}",
            hint="if no git is at work there, remove that file and run the same again",
        ) from error


def keep_strangers(config: Config, found: str, expected: tuple[str, ...], what: str) -> str | None:
    """Store a tree if a file in it is of none of the `expected` trees.

    Args:
        config: The configuration.
        found: The tree as it was found.
        expected: Trees or commits whose files are held elsewhere.
        what: The words for it.

    Returns:
        The ref that now holds it; None when there was nothing to keep.
    """
    strange = [
        set(git.changed_paths(config.tree, known, found, present=True)) for known in expected
    ]
    if not set.intersection(*strange):
        return None
    commit = git.commit_tree(
        config.tree, found, what, parents=[],
        author=("carry", "carry@carry.invalid"), date="2000-01-01T00:00:00Z",
    )  # fmt: skip
    return back_up(config, commit, what)


def back_up(config: Config, commit: str, reason: str) -> str:
    """Keep a commit, for good, under a ref named after the time."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    ref = f"{BACKUPS}/{stamp}"
    git.set_ref(config.tree, ref, commit, reason)
    return ref
