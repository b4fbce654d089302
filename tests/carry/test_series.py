from __future__ import annotations

from pathlib import Path

import pytest

from carry import series
from carry.errors import UserError
from carry.series import Patch

IDENTITY = ("Ada Example", "ada@example.invalid")
MAIL = """\
From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001
From: Ada Example <ada@example.invalid>
Date: Sun, 1 Nov 2026 00:00:00 +0000
Subject: [PATCH] Say hello to a world that is so large that its name goes on to
 a second line

It was not polite.

Signed-off-by: Ada Example <ada@example.invalid>

diff --git a/hello.py b/hello.py
index 1..2 100644
--- a/hello.py
+++ b/hello.py
@@ -1,2 +1,3 @@
 def hello():
-    return
+    --done
+    ++more
"""


@pytest.fixture
def patch() -> Patch:
    return Patch("0001-Say-hello.patch", MAIL)


def write(folder: Path, listed: str, *files: str) -> Path:
    (folder / "series").write_text(listed)
    for name in files:
        (folder / name).write_text(MAIL)
    return folder


def test_patch_is_read_as_mail(patch: Patch) -> None:
    assert patch.subject == (
        "Say hello to a world that is so large that its name goes on to a second line"
    )
    assert patch.author == IDENTITY
    assert patch.sign_offs == [IDENTITY]
    assert patch.paths == ["hello.py"]
    assert patch.description.startswith("It was not polite.")
    assert "diff --git" not in patch.description
    assert patch.slug == "Say-hello"


def test_encoded_names_are_decoded() -> None:
    mail = MAIL.replace("From: Ada Example", "From: =?UTF-8?q?Ad=C3=A1=20Ex?=")
    assert Patch("0001-x.patch", mail).author == ("Adá Ex", "ada@example.invalid")


def test_list_skips_comments_and_blank_lines(tmp_path: Path) -> None:
    write(
        tmp_path, "# order\n\n0001-a.patch # first\n0002-b.patch\n", "0001-a.patch", "0002-b.patch"
    )
    assert [patch.name for patch in series.read(tmp_path)] == ["0001-a.patch", "0002-b.patch"]
    assert series.list_faults(tmp_path) == []


@pytest.mark.parametrize(
    ("listed", "files", "fault"),
    [
        ("0001-a.patch\n", (), "series names 0001-a.patch, which is not there"),
        ("0001-a.patch\n0001-a.patch\n", ("0001-a.patch",), "series names 0001-a.patch twice"),
        ("", ("0001-a.patch",), "0001-a.patch is not in series (an orphan)"),
    ],
)
def test_faults_name_the_file(
    tmp_path: Path, listed: str, files: tuple[str, ...], fault: str
) -> None:
    assert series.list_faults(write(tmp_path, listed, *files)) == [fault]


def test_reading_a_series_that_lacks_a_file_is_a_users_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"series names 0001-a\.patch, which is not there"):
        series.read(write(tmp_path, "0001-a.patch\n"))


def test_missing_list_says_how_to_get_it_back(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="git checkout"):
        series.names(tmp_path)


def test_identity_faults(patch: Patch) -> None:
    assert series.identity_faults(patch, IDENTITY) == []
    other = ("Bo", "bo@example.invalid")
    assert series.identity_faults(patch, other) == [
        "0001-Say-hello.patch is by Ada Example <ada@example.invalid>, "
        "not by Bo <bo@example.invalid>",
        "0001-Say-hello.patch is not signed off by Bo <bo@example.invalid>",
    ]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Title\n", "Title\n\nSigned-off-by: New <n@x>\n"),
        (
            "Title\n\nBody.\n\nSigned-off-by: Old <o@x>\n",
            "Title\n\nBody.\n\nSigned-off-by: New <n@x>\n",
        ),
        (
            "Title\n\nReviewed-by: R <r@x>\n",
            "Title\n\nReviewed-by: R <r@x>\nSigned-off-by: New <n@x>\n",
        ),
        ("Title\n\nSigned-off-by: New <n@x>\n", "Title\n\nSigned-off-by: New <n@x>\n"),
    ],
)
def test_sign_off_is_replaced_or_added_once(message: str, expected: str) -> None:
    assert series.with_sign_off(message, ("Old", "o@x"), ("New", "n@x")) == expected


def test_list_keeps_its_comments() -> None:
    assert series.render_list("# order\n\n0001-a.patch\n# tail\n", ["0001-b.patch"]) == (
        "# order\n\n0001-b.patch\n"
    )
