from __future__ import annotations

import pytest

from carry.errors import UserError
from carry.upstream_hooks.configuration import Hook, read

COMMIT = "745eface02aef23e168a8afb6b5737818efbea95"
TEXT = """\
default_stages: [pre-commit, manual]
exclude: ^third_party/
repos:
- repo: https://example.invalid/formatter
  rev: v1.2.3
  hooks:
  - id: format
    args: [--fix]
  - id: format
    alias: format-docs
    name: Format the docs
- repo: local
  hooks:
  - id: types-1
    <<: &common
      name: Types
      language: system
      entry: types
  - id: types-2
    <<: *common
    stages: [manual]
"""


def hooks(text: str) -> tuple[Hook, ...]:
    return read(text).hooks


def test_hooks_come_in_order_with_what_anchors_stand_for() -> None:
    assert [hook.id for hook in hooks(TEXT)] == ["format", "format-docs", "types-1", "types-2"]
    last = hooks(TEXT)[-1]
    assert last.keys == {
        "id": "types-2", "name": "Types", "language": "system", "entry": "types",
        "stages": ["manual"],
    }  # fmt: skip
    assert [hook.is_local for hook in hooks(TEXT)] == [False, False, True, True]
    assert [hook.name for hook in hooks(TEXT)] == ["format", "Format the docs", "Types", "Types"]


def test_settings_are_what_is_no_hook() -> None:
    assert read(TEXT).settings == {
        "default_stages": ["pre-commit", "manual"],
        "exclude": "^third_party/",
    }


@pytest.mark.parametrize(
    ("revision", "version"),
    [
        ("v1.2.3", "v1.2.3"),
        (COMMIT, ""),
        (f"{COMMIT} # v0.11.0.1", "v0.11.0.1"),
        (f"{COMMIT}  # frozen: 0.11", "0.11"),
        (f"'{COMMIT}' # v2", "v2"),
    ],
)
def test_version_is_the_tag_or_what_stands_beside_a_commit(revision: str, version: str) -> None:
    hook = hooks(TEXT.replace("v1.2.3", revision))[0]
    assert hook.version == version
    assert hook.revision in revision


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("repos: [", "cannot be read: while parsing"),
        ("- repo: local", "cannot be read: Expected `object`, got `array`"),
        ("default_stages: [manual]", "missing required field `repos`"),
        ("repos: [{repo: local}]", "missing required field `hooks`"),
        ("repos: [{repo: local, hooks: [types]}]", "Expected `object`, got `str`"),
        ("repos: [{repo: local, hooks: [{name: types}]}]", "a hook without an id"),
    ],
)
def test_a_file_that_is_none_is_one_line(text: str, says: str) -> None:
    with pytest.raises(UserError) as caught:
        read(text)
    assert says in caught.value.line()
    assert "\n" not in caught.value.line()
