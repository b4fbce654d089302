from __future__ import annotations

from pathlib import Path

import pytest

from carry import config
from carry.errors import UserError

TEXT = """\
[tool.carry]
author = "Ada Example <ada@example.invalid>"
branch = "series"

[tool.carry.upstream]
package = "acme"
"""
RELEASES = """\
[[release]]
version = "1.0.0"
commit = "0123456789012345678901234567890123456789"

[[release]]
version = "1.1.0"
commit = "0123abc"
"""


def load(folder: Path, text: str) -> config.Config:
    (folder / "pyproject.toml").write_text(text)
    return config.load(folder)


def test_what_is_not_said_has_a_default(tmp_path: Path) -> None:
    (tmp_path / "releases.toml").write_text(RELEASES)
    loaded = load(tmp_path, TEXT)
    assert loaded.identity == ("Ada Example", "ada@example.invalid")
    assert loaded.tree == tmp_path / "vllm"
    assert loaded.patches_dir == tmp_path / "patches"
    assert loaded.state_dir == tmp_path / ".carry"
    assert loaded.upstream.tag_of("1.0.0") == "v1.0.0"
    assert loaded.upstream.release("1.0.0").full_commit == "0123456789" * 4
    assert loaded.upstream.release("1.1.0").full_commit is None
    assert loaded.upstream.release("9").commit == ""


def test_a_value_cannot_change(tmp_path: Path) -> None:
    with pytest.raises(AttributeError):
        load(tmp_path, TEXT).author = "Bo <bo@example.invalid>"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[tool", "no valid TOML"),
        ("[tool.other]", "has no \\[tool.carry\\] table"),
        (TEXT.replace("branch", "brunch"), "`brunch`"),
        (TEXT.replace('"series"', "3"), r"Expected `str`, got `int` - at `\$.branch`"),
        (TEXT.replace("package", "parcel"), "`parcel`"),
        (TEXT.replace("Ada Example <ada@example.invalid>", "Ada"), "author"),
    ],
)
def test_bad_files_are_one_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(UserError, match=says) as caught:
        load(tmp_path, text)
    assert "\n" not in caught.value.line()


def test_root_is_found_from_below(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(TEXT)
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\n")
    assert config.find_root(below) == tmp_path
    with pytest.raises(UserError, match="change into the repository"):
        config.find_root(tmp_path.parent)


def test_this_repository_is_configured_for_vllm() -> None:
    loaded = config.load(config.find_root(Path(__file__).parent))
    pin = loaded.upstream.release("0.31.0")
    assert pin.full_commit == "db9527a46873454610df6dbedf79a36d6bf1a7f6"
    assert all(len(release.sha256) == 64 for release in loaded.upstream.releases)
    assert loaded.upstream.oldest in {release.version for release in loaded.upstream.releases}


@pytest.mark.parametrize(
    "text", ["[[release", "[[release]]\nversion = 1\n", '[[release]]\nversion = "1"\nid = "a"\n']
)
def test_a_table_of_releases_that_cannot_be_read_is_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "releases.toml").write_text(text)
    with pytest.raises(UserError, match=r"releases\.toml cannot be read: .*; restore it with git"):
        load(tmp_path, TEXT)


def test_a_table_where_it_was_before_is_named_with_its_new_place(tmp_path: Path) -> None:
    old = RELEASES.replace("[[release]]", "[[tool.carry.upstream.releases]]")
    with pytest.raises(UserError, match=r"is no longer read; move its entries to releases\.toml"):
        load(tmp_path, TEXT + old)
