from __future__ import annotations

from pathlib import Path

import pytest

from carry import manifest
from carry.errors import UserError
from carry.manifest import BaseEntry, Carried

TEXT = """\
# A comment on the file.
schema = 1

[base]
version = "1.0.0"
commit = "0123456789012345678901234567890123456789"

[[patch]]
file = "0001-a.patch"
why = "Because."  # a comment on the reason
upstream-pr = ""
drop-when = "Never."

[patch.functions]
"a.py::f" = "sha256:1"

[[patch]]
file = "0002-b.patch"
why = "Tests."
drop-when = "With the first."
"""


def carried(file: str, was: str | None, functions: dict[str, str] | None = None) -> Carried:
    return Carried(file=file, was=was, why="From the subject", functions=functions or {})


def test_render_keeps_what_people_wrote() -> None:
    new = manifest.render(
        TEXT,
        BaseEntry("1.1.0", "abc"),
        [
            carried("0001-b.patch", "0002-b.patch"),
            carried("0002-a.patch", "0001-a.patch", {"a.py::f": "sha256:2"}),
        ],
    )
    assert new.startswith("# A comment on the file.\n")
    assert "# a comment on the reason" in new
    parsed = manifest.parse(new)
    assert parsed.base == BaseEntry("1.1.0", "abc")
    assert [(entry.file, entry.why) for entry in parsed.patch] == [
        ("0001-b.patch", "Tests."),
        ("0002-a.patch", "Because."),
    ]
    assert parsed.patch[1].functions == {"a.py::f": "sha256:2"}


def test_a_new_patch_gets_an_entry_that_asks_to_be_filled_in() -> None:
    new = manifest.parse(
        manifest.render(TEXT, BaseEntry("1.0.0", ""), [carried("0001-c.patch", None)])
    )
    assert [entry.file for entry in new.patch] == ["0001-c.patch"]
    assert new.patch[0].why == "From the subject"
    assert new.faults(["0001-c.patch"]) == ["manifest.toml: drop-when of 0001-c.patch is empty"]


def test_render_is_stable() -> None:
    same = [
        carried("0001-a.patch", "0001-a.patch", {"a.py::f": "sha256:1"}),
        carried("0002-b.patch", "0002-b.patch"),
    ]
    once = manifest.render(TEXT, manifest.parse(TEXT).base, same)
    assert once == TEXT
    assert manifest.render(once, BaseEntry("1.1.0", "abc"), same) == TEXT.replace(
        "1.0.0", "1.1.0"
    ).replace("0123456789" * 4, "abc")


def test_faults_name_the_file() -> None:
    parsed = manifest.parse(TEXT)
    assert parsed.faults(["0001-a.patch", "0002-b.patch"]) == []
    assert parsed.faults(["0001-a.patch", "0003-c.patch"]) == [
        "manifest.toml has no entry for 0003-c.patch",
        "manifest.toml names 0002-b.patch, which the series lacks",
    ]
    twice = manifest.parse(TEXT.replace("0002-b", "0001-a"))
    assert twice.faults(["0001-a.patch"]) == ["manifest.toml names 0001-a.patch twice"]


def test_rehearsal_is_a_base_without_a_full_id() -> None:
    assert not manifest.parse(TEXT).base.rehearsal
    assert BaseEntry("1.2.0", "0123abc").rehearsal


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "is missing"),
        ("schema = ", "no valid TOML"),
        (TEXT.replace("schema = 1", ""), "missing required field `schema`"),
        (TEXT.replace("why =", "wy ="), "unknown field `wy`"),
        (TEXT.replace('"1.0.0"', "1"), "Expected `str`, got `int`"),
    ],
)
def test_bad_files_are_one_line(tmp_path: Path, text: str | None, says: str) -> None:
    if text is not None:
        (tmp_path / manifest.FILE).write_text(text)
    with pytest.raises(UserError, match=says) as caught:
        manifest.read(tmp_path)
    assert "\n" not in caught.value.line()
