from __future__ import annotations

from pathlib import Path

import pytest

from carry.upstream_hooks.configuration import LOCAL, Hook
from carry.upstream_hooks.preparing import prepare
from carry.upstream_hooks.table import Interpreter, Package, Table

from .hooked import remote

FORMATTER = "https://example.invalid/formatter"
DOCS = "https://example.invalid/docs"
MANIFEST = {"language": "python", "entry": "formatter", "types": ["python"], "args": ["--check"]}
TABLE = Table(
    packages=(
        Package(FORMATTER, "formatter=={version}", {"format": MANIFEST}),
        Package(DOCS, "docs@{version}", {"docs": {"language": "node", "entry": "docs"}}),
    ),
    interpreters=(Interpreter("types", r"--python (\S+)"),),
)


def test_upstreams_own_hook_is_left_as_it_is() -> None:
    keys = {"id": "types", "name": "Types", "language": "system", "entry": "types --python 3.99"}
    ready = prepare(Hook(LOCAL, "", "", keys), TABLE, "1.0.0", from_packages=True)
    assert (ready.repository, ready.keys) == ({"repo": "local"}, keys)
    assert (ready.version, ready.source, ready.lacking) == ("1.0.0", "upstream's tree", "")
    assert ready.python == "3.99"


def test_repository_in_reach_is_taken_as_upstream_has_it() -> None:
    hook = remote(FORMATTER, "v1.2.3", id="format", args=["--fix"])
    ready = prepare(hook, TABLE, "1.0.0", from_packages=False)
    assert ready.repository == {"repo": FORMATTER, "rev": "v1.2.3"}
    assert ready.keys == {"id": "format", "args": ["--fix"]}
    assert (ready.version, ready.source) == ("v1.2.3", FORMATTER)


def test_package_has_the_manifests_words_and_upstreams_before_them() -> None:
    hook = remote(FORMATTER, "v1.2.3", id="format", args=["--fix"],
                  additional_dependencies=["plugin==2"])  # fmt: skip
    ready = prepare(hook, TABLE, "1.0.0", from_packages=True)
    assert ready.repository == {"repo": "local"}
    assert ready.keys == {
        "id": "format", "name": "format", "language": "python", "entry": "formatter",
        "types": ["python"], "args": ["--fix"],
        "additional_dependencies": ["formatter==1.2.3", "plugin==2"],
    }  # fmt: skip
    assert (ready.version, ready.source, ready.lacking) == ("1.2.3", "formatter==1.2.3", "")


def test_node_is_the_one_that_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hook = remote(DOCS, "v0.21.0", id="docs", language_version="lts")
    for name in ("node", "npm"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    ready = prepare(hook, TABLE, "1.0.0", from_packages=True)
    assert ready.keys["language_version"] == "system"
    assert ready.keys["additional_dependencies"] == ["docs@0.21.0"]
    assert ready.lacking == ""
    (tmp_path / "npm").unlink()
    assert prepare(hook, TABLE, "1", from_packages=True).lacking == "npm is not installed"


@pytest.mark.parametrize(
    ("repository", "revision", "says"),
    [
        ("https://example.invalid/other", "v1", "no package for format of https://example.invalid"),
        (FORMATTER, "0" * 40, "no version is known of https://example.invalid/formatter at 000"),
    ],
)
def test_hook_without_a_package_keeps_the_files_it_asks_for(
    repository: str, revision: str, says: str
) -> None:
    keys: dict[str, object] = {"id": "format", "files": "^docs/", "types_or": ["markdown"]}
    hook = Hook(repository, revision, "" if len(revision) == 40 else revision, keys)
    ready = prepare(hook, TABLE, "1.0.0", from_packages=True)
    assert ready.lacking.startswith(says)
    assert keys.items() <= ready.keys.items()
