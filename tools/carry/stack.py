"""The series as commits, and back: patches onto a base, commits into patches."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from carry import fingerprints, git, mail, manifest, series
from carry.config import Config
from carry.errors import UserError
from carry.series import Patch

# What a user may have set for his own patches must not show in the series.
_NEUTRAL = (
    "-c", "diff.noprefix=false", "-c", "diff.mnemonicPrefix=false", "-c", "diff.algorithm=myers",
    "-c", "diff.indentHeuristic=true", "-c", "diff.interHunkContext=0",
    "-c", "diff.suppressBlankEmpty=false", "-c", "diff.relative=false",
    "-c", "format.useAutoBase=false", "-c", "format.notes=false", "-c", "format.mboxrd=false",
    "-c", "format.encodeEmailHeaders=true", "-c", "format.signOff=false",
    "-c", "i18n.commitEncoding=UTF-8", "-c", "i18n.logOutputEncoding=UTF-8",
)  # fmt: skip
_FORMAT = (
    "--zero-commit", "--no-signature", "--no-stat", "--no-numbered", "--full-index",
    "--no-renames", "--no-attach", "--no-thread", "--no-cover-letter", "--no-ext-diff",
    "--no-textconv", "--no-color", "--unified=3", "--src-prefix=a/", "--dst-prefix=b/",
    "--suffix=.patch", "--no-base", "--no-to", "--no-cc", "--no-add-header", "--no-from",
    "--subject-prefix=PATCH", "--always", "--binary", "-O/dev/null",
)  # fmt: skip


class DoesNotApplyError(UserError):
    """A patch of the series does not apply to its base as it stands."""


def apply(store: Path, base: str, folder: Path, patches: Sequence[Patch]) -> list[str]:
    """Make the series' commits on a base, see `mail.commit_patches`.

    Raises:
        DoesNotApplyError: Names the patch and git's reason.
    """
    try:
        return mail.commit_patches(store, base, [folder / patch.name for patch in patches])
    except mail.PatchError as error:
        raise DoesNotApplyError(
            f"{error.name} does not apply to its base: {error.reason}",
            hint="restore it with git checkout, or make it anew: edit in the submodule, commit, "
            "carry export",
        ) from error


def export(
    config: Config,
    base: str,
    tip: str,
    *,
    entry: manifest.BaseEntry,
    present: Mapping[str, str],
    folder: Path,
) -> list[str]:
    """Write the commits after `base` as a whole patches folder.

    What people wrote in the present folder's manifest and list stays.

    Args:
        config: The configuration.
        base: The commit below the first patch.
        tip: The commit of the last patch.
        entry: What the manifest says of the base.
        present: The present files by the commits they make; such a file keeps its bytes.
        folder: An empty folder to write into.

    Returns:
        The names of the patches in order.
    """
    git.run(
        config.tree, *_NEUTRAL, "format-patch", *_FORMAT, "--quiet",
        f"--output-directory={folder}", f"{base}..{tip}",
    )  # fmt: skip
    names = sorted(file.name for file in folder.glob("*.patch"))
    made = dict(zip(names, git.commits(config.tree, base, tip), strict=True))
    old = config.patches_dir
    for name, commit in made.items():
        if commit in present:
            shutil.copyfile(old / present[commit], folder / name)
    about = (old / manifest.FILE).read_text("utf-8")
    text = manifest.render(about, entry, _carried(config, base, made))
    (folder / manifest.FILE).write_text(text, "utf-8")
    listed = (old / series.LIST).read_text("utf-8")
    (folder / series.LIST).write_text(series.render_list(listed, names), "utf-8")
    _copy_other_files(old, folder)
    return names


def _carried(config: Config, base: str, made: Mapping[str, str]) -> list[manifest.Carried]:
    """What the manifest is to say of each new patch file and the commit it was made from."""
    was = _predecessors([*made], series.names(config.patches_dir))
    return [
        manifest.Carried(
            file=name,
            was=was[name],
            why=git.run(config.tree, "log", "-1", "--format=%s", commit),
            functions=touched_functions(config.tree, base, commit),
        )
        for name, commit in made.items()
    ]


def _copy_other_files(old: Path, new: Path) -> None:
    """What people keep beside the patches goes along."""
    replaced = {series.LIST, manifest.FILE, *series.names(old)}
    for entry in old.iterdir():
        if entry.name in replaced or (new / entry.name).exists():
            continue
        if entry.is_dir():
            shutil.copytree(entry, new / entry.name)
        else:
            shutil.copyfile(entry, new / entry.name)


def _predecessors(names: Sequence[str], old: Sequence[str]) -> Mapping[str, str | None]:
    """Which old file each new one replaces: by its slug, else by its place."""
    by_slug = {Patch(name, "").slug: name for name in old}
    found = {name: by_slug.get(Patch(name, "").slug) for name in names}
    left = [name for name in old if name not in found.values()]
    if len(names) == len(old):
        for name, other in zip(names, old, strict=True):
            if found[name] is None and other in left:
                found[name] = other
    return found


def touched_functions(store: Path, base: str, commit: str) -> dict[str, str]:
    """The base's functions that a commit changes, `path::name`, with their fingerprints."""
    found = {}
    for path in git.changed_paths(store, f"{commit}^", commit):
        if not path.endswith(".py"):
            continue
        original = fingerprints.functions(git.show(store, f"{base}:{path}") or "")
        before = git.show(store, f"{commit}^:{path}") or ""
        after = git.show(store, f"{commit}:{path}") or ""
        for name in fingerprints.touched(before, after):
            if name in original:
                found[f"{path}::{name}"] = fingerprints.fingerprint(original[name])
    return found


def series_id(store: Path, folder: Path, patches: Sequence[Patch]) -> str:
    """The name of what the series does: a hash over its patches' ids, whatever the base."""
    ids = [git.patch_id(store, folder / patch.name) for patch in patches]
    return sha256("\n".join(ids).encode()).hexdigest()[:16]


@contextmanager
def exported(
    config: Config, base: str, tip: str, *, entry: manifest.BaseEntry, present: Mapping[str, str]
) -> Iterator[tuple[Path, str]]:
    """The files of the commits after `base`, and the last commit that these files make.

    The arguments are those of `export`; the folder is there as long as the block runs.
    """
    with TemporaryDirectory(dir=config.state_dir, prefix="series-") as name:
        folder = Path(name)
        export(config, base, tip, entry=entry, present=present, folder=folder)
        made = [base, *apply(config.tree, base, folder, series.read(folder))][-1]
        if git.tree_of(config.tree, made) != git.tree_of(config.tree, tip):
            raise RuntimeError(f"the exported series makes {made}, which is not {tip}")
        yield folder, made


def snapshot(config: Config, folder: Path, tip: str) -> str:
    """Store a patches folder together with the commits it stands for; returns a commit.

    The commit's tree is the folder, its parent the last commit of the series: one id, and
    so one ref, holds both, and nothing of either can be lost while the ref is there.
    """
    tree = git.write_tree(config.tree, folder)
    return git.commit_tree(
        config.tree, tree, "The series as files (tree) and as commits (parent)",
        parents=[tip], author=("carry", "carry@carry.invalid"), date="2000-01-01T00:00:00Z",
    )  # fmt: skip
