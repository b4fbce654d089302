from __future__ import annotations

import pytest

from carry import console


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("no access to https://ada:secret@hub.invalid/ada/acme", "https://***@hub.invalid/ada"),
        ("HTTP 401 for ghp_0123456789abcdefghij", "HTTP 401 for ***"),
        ("github_pat_0123456789_abcdefghij is invalid", "*** is invalid"),
        ("mail ada@carrier.invalid about ghp_short", "mail ada@carrier.invalid about ghp_short"),
    ],
)
def test_no_secret_is_shown(capsys: pytest.CaptureFixture[str], text: str, shown: str) -> None:
    console.say(text)
    console.complain(text)
    captured = capsys.readouterr()
    assert shown in captured.out
    assert shown in captured.err
