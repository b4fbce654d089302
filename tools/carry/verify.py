"""Whether series, manifest, files and pin agree; every fault named."""

from __future__ import annotations

from carry import git, manifest, series, stack
from carry.config import Config
from carry.console import say
from carry.errors import UserError
from carry.manifest import Manifest
from carry.series import Patch
from carry.sources.wanted import agree
from carry.sync import present_base
from carry.workspace import ensure_submodule, locked


def verify(config: Config, source: str, *, static: bool = False) -> None:
    """Look for every fault of the series.

    Args:
        config: The configuration.
        source: Where the base comes from if it is not here yet.
        static: Look at the files alone; the patches are not applied.

    Raises:
        UserError: There are faults; each was named on a line of its own.
    """
    faults = file_faults(config)
    if not static and not faults:
        faults = applied_faults(config, source)
    for fault in faults:
        say(fault, style="red")
    if faults:
        raise UserError(f"{len(faults)} fault(s) in the series", hint="mend them, then run again")
    how = "files agree" if static else "files agree and every patch applies strictly"
    say(f"{len(series.names(config.patches_dir))} patch(es): {how}")


def file_faults(config: Config) -> list[str]:
    """What can be seen without the base's tree."""
    folder = config.patches_dir
    faults = series.list_faults(folder)
    about = manifest.read(folder)
    faults += about.faults(series.names(folder))
    if faults:
        return faults
    patches = series.read(folder)
    for patch in patches:
        faults += series.identity_faults(patch, config.identity)
    return faults + _twins(config, patches) + pin_faults(config, about)


def _twins(config: Config, patches: tuple[Patch, ...]) -> list[str]:
    """Patches that make the very change another one makes, or none."""
    seen: dict[str, str] = {}
    faults = []
    for patch in patches:
        change = git.patch_id(config.root, config.patches_dir / patch.name)
        if not change:
            faults.append(f"{patch.name} changes nothing")
        elif change in seen:
            faults.append(f"{patch.name} makes the same change as {seen[change]} (a duplicate)")
        seen.setdefault(change, patch.name)
    return faults


def pin_faults(config: Config, about: Manifest) -> list[str]:
    """Where the gitlink and the manifest's base are not the same commit.

    In a rehearsal they cannot be: the pin stays at a commit that is known in full. What is known
    of the base's commit must then agree with the table of releases.
    """
    pin = git.gitlink(config.root, config.submodule)
    if pin is None:
        return [
            f"the index has no gitlink {config.submodule}: git restore --staged {config.submodule}"
        ]
    if not about.base.rehearsal:
        if pin == about.base.commit:
            return []
        return [f"the gitlink {config.submodule} is {pin}, the series is based on "
                f"{about.base.commit}: it is not the pin"]  # fmt: skip
    known = config.upstream.release(about.base.version).commit
    if known and not agree(known, about.base.commit):
        return [f"{manifest.FILE} says that {about.base.version} is commit {about.base.commit}, "
                f"{config.upstream.release_table} has {known}"]  # fmt: skip
    say(f"rehearsal: the series is on {about.base.version}, the pin stays at {pin[:12]}")
    return []


def applied_faults(config: Config, source: str) -> list[str]:
    """What shows when the series is applied at its base, strictly."""
    with locked(config, "verify"):
        ensure_submodule(config)
        base = present_base(config, source)
        patches = series.read(config.patches_dir)
        try:
            commits = stack.apply(config.tree, base.commit, config.patches_dir, patches)
        except stack.DoesNotApplyError as error:
            return [error.problem]
        about = manifest.read(config.patches_dir)
        return _fingerprint_faults(config, about, base.commit, commits)


def _fingerprint_faults(
    config: Config, about: Manifest, base: str, commits: list[str]
) -> list[str]:
    """Touched functions that the manifest lacks, has too many of or has with another hash."""
    faults = []
    for name, commit in zip(series.names(config.patches_dir), commits, strict=True):
        entry = about.entry(name)
        stated = dict(entry.functions) if entry else {}
        for key, found in stack.touched_functions(config.tree, base, commit).items():
            if stated.pop(key, None) != found:
                faults.append(f"{manifest.FILE}: {name} touches {key}, whose text is {found}")
        faults += [f"{manifest.FILE}: {name} does not touch {key}" for key in stated]
    return faults
