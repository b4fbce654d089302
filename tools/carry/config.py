"""`[tool.carry]` of pyproject.toml, read once into a value that cannot change."""

from __future__ import annotations

import re
import tomllib
from email.utils import parseaddr
from pathlib import Path

import msgspec

from carry.errors import UserError

_FULL_ID = re.compile(r"[0-9a-f]{40}")


class Release(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """What is known of one upstream release.

    `commit` is upstream's full commit id, or its beginning where no more is known; `sha256` is
    the digest of its source archive.
    """

    version: str
    commit: str = ""
    sha256: str = ""

    @property
    def full_commit(self) -> str | None:
        """Upstream's commit id, None unless it is known in full."""
        return self.commit if _FULL_ID.fullmatch(self.commit) else None


class Upstream(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """Where upstream's trees come from and what their versions are called.

    Attributes:
        package: Its name on the Python index.
        branch: What it is developed on.
        tag: The form of a release's tag.
        oldest: The oldest release that the series supports.
        generated: Patterns of files that packaging writes, left out of an imported release.
        version_file: Where a release names the commit it was made from.
        release_table: The file of the releases whose commits or digests are known, below the
            root; it grows by itself, see `sources.table`.
        releases: What that file holds.
    """

    package: str
    branch: str = "main"
    tag: str = "v{version}"
    oldest: str = ""
    generated: tuple[str, ...] = ()
    version_file: str = ""
    release_table: str = "releases.toml"
    releases: tuple[Release, ...] = ()

    def tag_of(self, version: str) -> str:
        """The name of a version's tag."""
        return self.tag.format(version=version)

    @property
    def newest_known(self) -> str:
        """The last release of the table; empty if it has none."""
        return self.releases[-1].version if self.releases else ""

    def release(self, version: str) -> Release:
        """The entry of a version; an empty one when nothing is known of it."""
        known = {release.version: release for release in self.releases}
        return known.get(version, Release(version))


class Tests(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """How upstream's own tests are run."""

    files: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    home: str = ""
    environment: dict[str, str] = {}


class PullRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """Where and when the series may be opened as a pull request.

    Attributes:
        repository: Upstream's, as gh takes it: `owner/name`, with a host before it if need be.
        fork: The address of the contributor's fork, one that git can push to.
        searches: What gh looks for among the open pull requests, one search each.
        address: Pull requests whose difference must be written down, whether found or not.
        fresh_hours: How long a check for duplicates counts.
        behind: How many commits upstream's branch may be ahead of the base, if none of them
            changes a file that the series changes.
        template: Upstream's own template of a pull request's text.
        title_pattern: What the title must match as a whole.
        most_words: How long the text may be outside of its collapsed parts.
    """

    repository: str = ""
    fork: str = ""
    searches: tuple[str, ...] = ()
    address: tuple[int, ...] = ()
    fresh_hours: int = 24
    behind: int = 0
    template: str = ".github/PULL_REQUEST_TEMPLATE.md"
    title_pattern: str = ".+"
    most_words: int = 600


class Hooks(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """How upstream's own hooks are run; `table` is a file, see `upstream_hooks.table`."""

    table: str = ""


class Check(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A command that must succeed on the moved series before it replaces the old one."""

    name: str
    command: tuple[str, ...]


class Evidence(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A kind of record that the series is to have.

    `command` is what makes it, `max_age_days` how long it counts, 0 for ever. Without one that
    is `required` no pull request is opened.
    """

    kind: str
    title: str
    command: str
    max_age_days: int = 30
    required: bool = True


class ReviewPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A section of the reviewer's page that is the series' own.

    `template` is a file below the root, rendered with the fresh record of `kind` as `record`.
    """

    title: str
    template: str
    kind: str = ""


class Review(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """What the reviewer's page says beside what carry knows."""

    title: str = ""
    summary: str = ""
    parts: tuple[ReviewPart, ...] = ()


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """One carried series: its submodule, its patches and its upstream.

    `root` is the top of the repository that carries the series.
    """

    author: str
    branch: str
    upstream: Upstream
    submodule: str = "vllm"
    patches: str = "patches"
    tests: Tests = Tests()
    hooks: Hooks = Hooks()
    checks: tuple[Check, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    pull_request: PullRequest = PullRequest()
    review: Review = Review()
    root: Path = Path()

    @property
    def identity(self) -> tuple[str, str]:
        """Name and mail address of the series' author."""
        return parseaddr(self.author)

    def front_door(self, session: str, *words: str) -> str:
        """The command that a user gives for a session: nox's here, else carry's own."""
        if (self.root / "noxfile.py").is_file():
            return " ".join(["nox", "-s", session, *(["--", *words] if words else [])])
        return " ".join(["carry", session, *words])

    @property
    def tree(self) -> Path:
        """The submodule's working tree."""
        return self.root / self.submodule

    @property
    def patches_dir(self) -> Path:
        """The folder of the series."""
        return self.root / self.patches

    @property
    def state_dir(self) -> Path:
        """The ignored folder of everything derived."""
        return self.root / ".carry"


def find_root(start: Path) -> Path:
    """The nearest folder at or above `start` whose pyproject.toml has a `[tool.carry]`."""
    for folder in (start, *start.parents):
        file = folder / "pyproject.toml"
        if file.is_file() and "tool.carry" in file.read_text(encoding="utf-8"):
            return folder
    raise UserError(
        f"no pyproject.toml with a [tool.carry] table at or above {start}",
        hint="change into the repository that carries the series",
    )


def load(root: Path) -> Config:
    """Read the configuration of the repository at `root`.

    Raises:
        UserError: The file does not parse, or a key is missing, unknown or of the wrong type.
    """
    file = root / "pyproject.toml"
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))["tool"]["carry"]
        config = msgspec.convert(table | {"root": str(root)}, Config, dec_hook=_to_path)
        config = _with_releases(config)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{file} is no valid TOML: {error}", hint="mend it") from error
    except KeyError as error:
        raise UserError(f"{file} has no [tool.carry] table", hint="add one") from error
    except msgspec.ValidationError as error:
        raise UserError(f"[tool.carry] in {file}: {error}", hint="mend that key") from error
    if not all(config.identity):
        raise UserError(
            f"[tool.carry] author in {file} is {config.author!r}",
            hint='write it as "Name <mail@address>"',
        )
    return config


def _with_releases(config: Config) -> Config:
    """The same with the releases of the table, which may not be there yet."""
    upstream = config.upstream
    if upstream.releases:
        raise UserError(
            "[[tool.carry.upstream.releases]] in pyproject.toml is no longer read",
            hint=f"move its entries to {upstream.release_table}, as [[release]]",
        )
    file = config.root / upstream.release_table
    if not file.is_file():
        return config
    try:
        rows = tomllib.loads(file.read_text(encoding="utf-8")).get("release", [])
        releases = msgspec.convert(rows, tuple[Release, ...])
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise UserError(
            f"{file} cannot be read: {error}",
            hint=f"restore it with git checkout -- {upstream.release_table}, or correct that line",
        ) from error
    replace = msgspec.structs.replace
    return replace(config, upstream=replace(upstream, releases=releases))


def _to_path(kind: type, value: object) -> object:
    if kind is Path:
        return Path(str(value))
    raise NotImplementedError(kind)
