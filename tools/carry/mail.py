"""Mail-format patches into commits, as `git am` makes them, without a working tree.

`git am` would need every file of upstream on the disk, for each look at the series.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from carry import git


def commit_patches(store: Path, base: str, files: list[Path]) -> list[str]:
    """Make a commit of each patch on the one before, strictly: no fuzz, no merge.

    The same patches on the same base give the same commit ids everywhere: a commit's
    committer is its author, at its date.

    Args:
        store: The repository.
        base: The commit below the first patch.
        files: The patches in order.

    Returns:
        The commits in order.

    Raises:
        PatchError: One does not apply to what is below it.
    """
    made = [base]
    with TemporaryDirectory(prefix="carry-") as scratch:
        index = {"GIT_INDEX_FILE": str(Path(scratch) / "index")}
        git.run(store, "read-tree", base, env=index)
        for file in files:
            try:
                made.append(_commit(store, made[-1], file, Path(scratch), index))
            except git.GitError as error:
                raise PatchError(file.name, error.reason) from error
    return made[1:]


class PatchError(Exception):
    """A patch does not apply: which, and git's reason."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        self.reason = reason
        super().__init__(f"{name}: {reason}")


def _commit(store: Path, parent: str, file: Path, scratch: Path, index: dict[str, str]) -> str:
    body, diff, message = scratch / "body", scratch / "diff", scratch / "message"
    with file.open("rb") as mail:
        # -b: only a bracketed PATCH is dropped from the subject, other brackets are upstream's.
        headers = git.run_on(store, "mailinfo", "-b", str(body), str(diff), stdin=mail)
    fields = dict(line.split(": ", 1) for line in headers.splitlines() if ": " in line)
    message.write_bytes(f"{fields.get('Subject', '')}\n\n".encode() + body.read_bytes())
    with message.open("rb") as text:
        tidy = git.run_on(store, "stripspace", stdin=text)
    git.run(store, "apply", "--cached", str(diff), env=index)
    return git.commit_tree(
        store, git.run(store, "write-tree", env=index), tidy, parents=[parent],
        author=(fields.get("Author", ""), fields.get("Email", "")), date=fields.get("Date", ""),
    )  # fmt: skip
