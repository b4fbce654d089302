"""A small but real upstream, `acme`: a git repository with releases, and their sdists."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

MAINTAINER = ("Mae Maintainer", "mae@acme.invalid")
GENERATED = ("PKG-INFO", "setup.cfg", "*.egg-info", "acme/_version.py")

SCAN = '''\
"""Look for marks in a row of cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class Scanner:
    """A row of cells that can be searched."""

    def __init__(self, cells: Iterable[str]) -> None:
        self.cells = list(cells)
        self.looks = 0

    def find(self, mark: Sequence[str], start: int = 0) -> int:
        """The place of the first `mark` at or after `start`, -1 if there is none."""
        if start < 0:
            raise ValueError("start is negative")
        wanted = list(mark)
        if not wanted:
            return start
        last = len(self.cells)
        self.looks = 0
        for place in range(start, last):
            self.looks += 1
            matched = 0
            for cell in self.cells[place : place + len(wanted)]:
                if cell != wanted[matched]:
                    break
                matched += 1
            if matched == len(wanted):
                return place
        return -1

    def count(self, mark: Sequence[str]) -> int:
        """How often `mark` is there."""
        found, place = 0, self.find(mark)
        while place >= 0:
            found, place = found + 1, self.find(mark, place + 1)
        return found


def cells_of(text: str) -> list[str]:
    """The cells of a text: its words."""
    return text.split()
'''
#: What patch 1 does, in two halves that are not next to each other.
FIRST_HALF = (
    "        last = len(self.cells)\n",
    "        last = len(self.cells) - len(wanted) + 1\n",
)
SECOND_HALF = (
    """\
            matched = 0
            for cell in self.cells[place : place + len(wanted)]:
                if cell != wanted[matched]:
                    break
                matched += 1
            if matched == len(wanted):
                return place
""",
    """\
            if self.cells[place : place + len(wanted)] == wanted:
                return place
""",
)
#: What patch 2 adds.
NEW_TEST = """

def test_find_stops_where_no_mark_can_fit() -> None:
    scanner = Scanner("abcd")
    assert scanner.find("dx") == -1
    assert scanner.looks == 3
"""
TESTS = """\
import sys

import pytest

from acme.scan import Scanner, cells_of


def test_find() -> None:
    assert Scanner("abcabc").find("ca") == 2


def test_find_from_a_start() -> None:
    assert Scanner("abcabc").find("bc", 2) == 4


def test_a_negative_start_is_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        Scanner("a").find("a", -1)


def test_count() -> None:
    assert Scanner("aXaXa").count("aX") == 2


def test_needs_a_plan9_machine() -> None:
    assert sys.platform == "plan9"


def test_cells_of() -> None:
    assert cells_of("a b") == ["a", "b"]
"""
#: What upstream asks of a pull request.
TEMPLATE = """\
<!-- no lint here -->
PLEASE FILL THIS IN.

## What

<!-- One line
or two. -->

## Shown by

## More

---

- [ ] I used a robot.
- [ ] **Tests:** They ran. All of them.

Read the guide.
"""
FILES = {
    ".github/PULL_REQUEST_TEMPLATE.md": TEMPLATE,
    "README.md": "# acme\n\nLooks for marks in a row of cells.\n",
    ".gitignore": "*.dat\n__pycache__/\n",
    ".gitattributes": "*.md text\n",
    "pyproject.toml": '[project]\nname = "acme"\ndynamic = ["version"]\n',
    "acme/__init__.py": "",
    "acme/scan.py": SCAN,
    "acme/words.dat": "tracked, though ignored\n",
    "tests/test_scan.py": TESTS,
    "tools/release.sh": "#!/bin/sh\necho release\n",
}
EXECUTABLES = ("tools/release.sh",)


def run_git(where: Path, *words: str, who: tuple[str, str] = MAINTAINER) -> str:
    """Run git as somebody and return what it writes."""
    env = {
        f"GIT_{role}_{field}": value
        for role in ("AUTHOR", "COMMITTER")
        for field, value in zip(("NAME", "EMAIL"), who, strict=True)
    }
    flags = ("-c", "protocol.file.allow=always")
    command = ["git", "-C", str(where), *flags, *words]
    done = subprocess.run(
        command, env=os.environ | env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout.strip()


def edit(file: Path, *changes: tuple[str, str]) -> None:
    """Replace parts of a file, each of which must be there once."""
    text = file.read_text()
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} is in {file} {text.count(old)} times"
        text = text.replace(old, new)
    file.write_text(text)


def commit(where: Path, subject: str, *, who: tuple[str, str] = MAINTAINER, body: str = "") -> str:
    """Commit everything, ignored files too, and return the commit's id."""
    run_git(where, "add", "--all", "--force")
    message = ("-m", subject, *(("-m", body) if body else ()))
    run_git(where, "commit", "--quiet", *message, who=who)
    return run_git(where, "rev-parse", "HEAD")


@dataclass(frozen=True)
class Upstream:
    """The repository, the commits of its releases and of its branch, and the sdists.

    1.1.0 changes other things than the series does, 1.2.0 `find` itself but elsewhere, 1.3.0
    the lines that patch 1 changes; 1.4.0 has patch 1 and 1.5.0 the first half of it.
    """

    repository: Path
    releases: dict[str, str]
    main: str
    sdists: dict[str, Path]

    def sha256(self, version: str) -> str:
        """The digest of a release's sdist."""
        return sha256(self.sdists[version].read_bytes()).hexdigest()


def build(folder: Path, further: Mapping[str, str] | None = None) -> Upstream:
    """Make the upstream, below a folder that does not exist yet, with some further files."""
    repository = folder / "acme.git"
    repository.mkdir(parents=True)
    run_git(repository, "init", "--quiet", "--initial-branch=main")
    for name in ("allowFilter", "allowAnySHA1InWant"):
        run_git(repository, "config", f"uploadpack.{name}", "true")
    releases, main = _make_history(repository, FILES | dict(further or {}))
    sdists = {
        version: write_sdist(repository, version, of, folder) for version, of in releases.items()
    }
    return Upstream(repository, releases, main, sdists)


def _make_history(repository: Path, files: Mapping[str, str]) -> tuple[dict[str, str], str]:
    scan, readme = repository / "acme/scan.py", repository / "README.md"
    releases: dict[str, str] = {}

    def release(version: str) -> None:
        releases[version] = run_git(repository, "rev-parse", "HEAD")
        run_git(repository, "tag", "-a", "-m", version, f"v{version}")

    for name, text in files.items():
        (repository / name).parent.mkdir(exist_ok=True)
        (repository / name).write_text(text)
    for name in EXECUTABLES:
        (repository / name).chmod(0o755)
    commit(repository, "Look for marks")
    release("1.0.0")

    edit(readme, ("a row of cells.\n", "a row of cells, and counts them.\n"))
    commit(repository, "Say what is counted")
    edit(scan, ("    return text.split()\n", "    return text.casefold().split()\n"))
    commit(repository, "Take large letters for small ones")
    release("1.1.0")

    edit(scan, ('"start is negative"', 'f"start is negative: {start}"'))
    commit(repository, "Say which start is negative")
    release("1.2.0")

    run_git(repository, "checkout", "--quiet", "-b", "again", "v1.2.0")
    edit(scan, ("                if cell != wanted[matched]:\n",
                "                if cell.lower() != wanted[matched].lower():\n"))  # fmt: skip
    commit(repository, "Find a mark in large letters too")
    release("1.3.0")

    run_git(repository, "checkout", "--quiet", "-b", "fast", "v1.1.0")
    edit(scan, FIRST_HALF, SECOND_HALF)
    commit(repository, "Compare slices (#12)")
    release("1.4.0")

    run_git(repository, "checkout", "--quiet", "-b", "half", "v1.1.0")
    edit(scan, FIRST_HALF)
    commit(repository, "Stop early (#13)")
    release("1.5.0")

    run_git(repository, "checkout", "--quiet", "main")
    edit(readme, ("# acme\n", "# acme, a scanner\n"))
    commit(repository, "Say what acme is")
    (repository / "acme/py.typed").touch()
    main = commit(repository, "Tell type checkers that there are types")
    return releases, main


def write_sdist(repository: Path, version: str, of: str, folder: Path) -> Path:
    """Pack a commit's files the way a release is packed."""
    top = f"acme-{version}"
    tarball = folder / "plain.tar"
    run_git(repository, "archive", f"--prefix={top}/", f"--output={tarball}", of)
    short = of[:9]
    generated = {
        "PKG-INFO": f"Metadata-Version: 2.4\nName: acme\nVersion: {version}\n",
        "setup.cfg": "[egg_info]\ntag_build = \ntag_date = 0\n",
        "acme.egg-info/SOURCES.txt": "acme/scan.py\n",
        "acme/_version.py": f"__version__ = version = {version!r}\n\n"
        f"__commit_id__ = commit_id = 'g{short}'\n",
    }
    with tarfile.open(tarball, "a") as tar:
        for name, text in generated.items():
            member = tarfile.TarInfo(f"{top}/{name}")
            member.size, member.mtime, member.mode = len(text), 1_793_534_460, 0o644
            tar.addfile(member, io.BytesIO(text.encode()))
    sdist = folder / f"{top}.tar.gz"
    sdist.write_bytes(gzip.compress(tarball.read_bytes(), mtime=0))
    tarball.unlink()
    return sdist
