from __future__ import annotations

from pathlib import Path

import pytest

from carry.errors import UserError
from carry.upstream_hooks.configuration import LOCAL, Hook
from carry.upstream_hooks.table import Table, load

from .hooked import remote

COMMIT = "3e8a8703264a2f4a69428a0aa4dcb512790b2c8c"
TEXT = f"""\
notes = ["hint"]

[[interpreters]]
hooks = "types.*"
entry = 'check "(\\d+\\.\\d+)"'

[[packages]]
repository = "https://example.invalid/formatter"
requirement = "formatter=={{version}}"
versions = {{ {COMMIT} = "6.0.0" }}
hooks.format = {{ language = "python", entry = "formatter" }}

[[packages]]
repository = "https://example.invalid/mirror"
requirement = "original=={{version}}"
version = "release-(.+)"
hooks.format = {{ language = "python", entry = "original" }}
"""


def table(folder: Path, text: str = TEXT) -> Table:
    (folder / "hooks.toml").write_text(text)
    return load(folder, "hooks.toml")


def test_no_file_is_an_empty_table(tmp_path: Path) -> None:
    assert load(tmp_path, "") == Table()


@pytest.mark.parametrize(
    ("repository", "revision", "version"),
    [
        ("formatter", "v1.2.3", "1.2.3"),
        ("formatter", "0.11", "0.11"),
        ("formatter", COMMIT, "6.0.0"),
        ("mirror", "release-9", "9"),
        ("mirror", "v9", ""),
    ],
)
def test_version_follows_the_packages_rule(
    tmp_path: Path, repository: str, revision: str, version: str
) -> None:
    hook = remote(f"https://example.invalid/{repository}", revision, id="format")
    package = table(tmp_path).package(hook)
    assert package is not None
    assert package.version_of(hook) == version


def test_what_is_not_in_the_table_has_no_package(tmp_path: Path) -> None:
    known = table(tmp_path)
    assert known.package(remote("https://example.invalid/formatter", "v1", id="check")) is None
    assert known.package(remote("https://example.invalid/other", "v1", id="format")) is None


@pytest.mark.parametrize(
    ("name", "entry", "version"),
    [
        ("types", 'check "3.12"', "3.12"),
        ("types-3.13", 'check "3.13"', "3.13"),
        ("types", "check local", ""),
        ("format", 'check "3.12"', ""),
    ],
)
def test_python_is_read_from_the_entry(tmp_path: Path, name: str, entry: str, version: str) -> None:
    assert table(tmp_path).python_of(Hook(LOCAL, "", "", {"id": name, "entry": entry})) == version


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("notes = [1", "Unclosed array"),
        ('note = ["hint"]', "unknown field `note`"),
        ('[[packages]]\nrepository = "x"', "missing required field `requirement`"),
    ],
)
def test_a_wrong_file_is_one_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(UserError, match=says) as caught:
        table(tmp_path, text)
    assert "hooks.toml" in caught.value.line()
    assert "\n" not in caught.value.line()


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"there is no .*none.toml; mend \[tool.carry.hooks\]"):
        load(tmp_path, "none.toml")
