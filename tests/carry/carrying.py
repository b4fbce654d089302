"""A repository that carries a series of two patches on release 1.0.0 of `acme`."""

from __future__ import annotations

import ast
import json
import textwrap
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from .small_upstream import (
    FIRST_HALF,
    GENERATED,
    NEW_TEST,
    SECOND_HALF,
    Upstream,
    commit,
    edit,
    run_git,
)

AUTHOR = ("Ada Carrier", "ada@carrier.invalid")
FORMAT = (
    "format-patch", "--quiet", "--zero-commit", "--no-signature", "--no-stat", "--no-numbered",
    "--full-index", "--no-renames", "-U3", "--src-prefix=a/", "--dst-prefix=b/",
)  # fmt: skip

PYPROJECT = f"""\
[tool.carry]
submodule = "acme"
patches = "patches"
branch = "perf/scan"
author = "{AUTHOR[0]} <{AUTHOR[1]}>"

[tool.carry.upstream]
package = "acme"
branch = "main"
tag = "v{{version}}"
oldest = "1.0.0"
generated = {json.dumps(GENERATED)}
version-file = "acme/_version.py"

[tool.carry.tests]
files = ["tests/test_scan.py"]
"""


class Carrying(Protocol):
    """Makes a carrying repository, whose upstream is out of reach if that is asked for."""

    def __call__(self, *, git_in_reach: bool = True) -> Path: ...


@dataclass(frozen=True)
class Series:
    """The files of `patches/` by name."""

    files: dict[str, str]


def make_series(upstream: Upstream, scratch: Path) -> Series:
    """Commit both changes on 1.0.0 and format them."""
    run_git(scratch, "clone", "--quiet", "--branch=v1.0.0", str(upstream.repository), "work")
    work = scratch / "work"
    text = (work / "acme/scan.py").read_text()
    sign_off = f"Signed-off-by: {AUTHOR[0]} <{AUTHOR[1]}>"
    edit(work / "acme/scan.py", FIRST_HALF, SECOND_HALF)
    commit(work, "Compare slices in Scanner.find", who=AUTHOR, body=f"It is faster.\n\n{sign_off}")
    tests = work / "tests/test_scan.py"
    tests.write_text(tests.read_text() + NEW_TEST)
    commit(work, "Test how far Scanner.find looks", who=AUTHOR, body=sign_off)
    run_git(work, *FORMAT, f"--output-directory={scratch / 'patches'}", "v1.0.0..HEAD", who=AUTHOR)
    files = {file.name: file.read_text() for file in sorted((scratch / "patches").iterdir())}
    manifest = _manifest(upstream, sorted(files), _fingerprint(text, "find"))
    return Series(
        files | {"series": "".join(f"{name}\n" for name in files), "manifest.toml": manifest}
    )


def _manifest(upstream: Upstream, names: list[str], fingerprint: str) -> str:
    head = f"""\
        schema = 1

        [base]
        version = "1.0.0"
        commit = "{upstream.releases["1.0.0"]}"

        [[patch]]
        file = "{names[0]}"
        why = "find compares cell by cell"
        upstream-pr = ""
        drop-when = "upstream compares slices"

        [patch.functions]
        "acme/scan.py::Scanner.find" = "{fingerprint}"

        [[patch]]
        file = "{names[1]}"
        why = "nothing tests how far find looks"
        upstream-pr = ""
        drop-when = "upstream has the test"
        """
    return textwrap.dedent(head)


def _fingerprint(source: str, name: str) -> str:
    node = next(
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef) and node.name == name
    )
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    text = "\n".join(source.splitlines()[first - 1 : node.end_lineno]) + "\n"
    return f"sha256:{sha256(text.encode()).hexdigest()}"


def carrying_repository(
    tmp_path: Path, upstream: Upstream, series: Series, *, git_in_reach: bool = True
) -> Path:
    """Make the repository, with everything committed, and return its root.

    Args:
        tmp_path: An empty folder of the test's own.
        upstream: What is carried on.
        series: What is carried.
        git_in_reach: Whether .gitmodules names the upstream repository or a path without one.
    """
    root = tmp_path / "carrying"
    root.mkdir()
    url = upstream.repository if git_in_reach else tmp_path / "out-of-reach.git"
    files = {
        "pyproject.toml": PYPROJECT,
        "releases.toml": _releases(upstream),
        ".gitmodules": f'[submodule "acme"]\n\tpath = acme\n\turl = {url}\n',
        ".gitignore": "/.carry/\n__pycache__/\n",
    }
    files |= {f"patches/{name}": text for name, text in series.files.items()}
    for name, text in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    # As a clone has it before the submodule is there.
    (root / "acme").mkdir()
    run_git(root, "init", "--quiet", "--initial-branch=main")
    run_git(root, "add", "--all")
    pin = f"160000,{upstream.releases['1.0.0']},acme"
    run_git(root, "update-index", "--add", "--cacheinfo", pin)
    run_git(root, "commit", "--quiet", "-m", "Carry a series on acme 1.0.0", who=AUTHOR)
    return root


def _releases(upstream: Upstream) -> str:
    """The table of releases; of 1.2.0 only the beginning of the commit id is known."""
    known = {
        "1.0.0": upstream.releases["1.0.0"],
        "1.1.0": upstream.releases["1.1.0"],
        "1.2.0": upstream.releases["1.2.0"][:9],
    }
    tables = [
        f'\n[[release]]\nversion = "{version}"\n'
        f'commit = "{known_as}"\nsha256 = "{upstream.sha256(version)}"\n'
        for version, known_as in known.items()
    ]
    return "# What is known of acme's releases.\n" + "".join(tables)
