from __future__ import annotations

import os

import pytest

#: As it was before anything of it was hidden: this is read before the first fixture runs.
_FOUND = dict(os.environ)
_INDEXES = ("PIP_", "XDG_", "SSL_", "REQUESTS_", "CURL_")


@pytest.fixture
def indexes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pip and npm be told what they are told on this machine."""
    monkeypatch.delenv("PIP_CONFIG_FILE", raising=False)
    monkeypatch.setenv("HOME", _FOUND.get("HOME", ""))
    for name, value in _FOUND.items():
        if name.startswith(_INDEXES) or name.lower().endswith("_proxy"):
            monkeypatch.setenv(name, value)
