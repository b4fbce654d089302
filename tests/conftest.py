"""What every test starts from: an environment without anything of the developer's."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from .slow import listed, name_of

DATE = "2026-11-01T12:00:00+00:00"
_DROPPED = ("GIT_", "XDG_", "PIP_", "CARRY_", "REQUESTS_", "CURL_", "SSL_", "EMAIL")
_FIXED = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_AUTHOR_DATE": DATE,
    "GIT_COMMITTER_DATE": DATE,
    # Whatever pip is told on this machine.
    "PIP_CONFIG_FILE": os.devnull,
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "TERM": "dumb",
    "COLUMNS": "100",
    "LINES": "40",
    "EDITOR": "false",
    "VISUAL": "false",
    "NO_PROXY": "localhost,127.0.0.1,::1",
    "no_proxy": "localhost,127.0.0.1,::1",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that were measured to be slow."""
    slow = listed()
    for item in items:
        if name_of(item.nodeid) in slow:
            item.add_marker("slow")


@pytest.fixture(scope="session", autouse=True)
def sealed_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Hide the developer's settings from every test and every fixture."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith(_DROPPED) or name.lower().endswith("_proxy"):
                patch.delenv(name)
        for name in ("FORCE_COLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
            patch.delenv(name, raising=False)
        for name, value in _FIXED.items():
            patch.setenv(name, value)
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        # A shell that starts tests in the background has them ignore Ctrl-C.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        yield


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An empty home of the test's own: no git identity, no configuration.

    Whatever a test does to the environment, such as running the command line, which drops
    git's variables, ends with it.
    """
    before = dict(os.environ)
    folder = tmp_path_factory.mktemp("home")
    os.environ["HOME"] = str(folder)
    yield folder
    os.environ.clear()
    os.environ.update(before)
