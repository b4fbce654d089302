"""The files that the text goes to, and what keeps an edit made there."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from carry.config import Config
from carry.errors import UserError
from carry.files import write_atomically
from carry.pull_request.words import FILE


def body_file(config: Config) -> Path:
    """The text."""
    return config.root / "build" / "pull_request.md"


def title_file(config: Config) -> Path:
    """The title."""
    return config.root / "build" / "pull_request.title"


def _digests(config: Config) -> Path:
    return config.root / "build" / "pull_request.sha256"


def require_unedited(config: Config) -> None:
    """Refuse to go on where somebody has changed what was written last.

    Raises:
        UserError: Names the file.
    """
    for file in (body_file(config), title_file(config)):
        if file.exists() and _line(file) not in _known(config):
            raise UserError(
                f"{file} was edited by hand, or by an earlier carry, and is kept",
                hint=f"move your words to {config.patches}/{FILE}, or give it up with --overwrite",
            )


def write(config: Config, title: str, body: str) -> None:
    """Write both files, and remember what was written."""
    files = {body_file(config): body, title_file(config): f"{title}\n"}
    body_file(config).parent.mkdir(exist_ok=True)
    # First of all: a kill in between must not make our own text look like somebody's edit.
    lines = [_line(file, text.encode()) for file, text in files.items()]
    known = [line for line in _known(config) if line not in lines]
    write_atomically(_digests(config), "".join(f"{line}\n" for line in (*known, *lines)).encode())
    for file, text in files.items():
        write_atomically(file, text.encode())
    write_atomically(_digests(config), "".join(f"{line}\n" for line in lines).encode())


def _known(config: Config) -> list[str]:
    file = _digests(config)
    return file.read_text("utf-8").splitlines() if file.exists() else []


def _line(file: Path, content: bytes | None = None) -> str:
    """As sha256sum writes it."""
    data = file.read_bytes() if content is None else content
    return f"{sha256(data).hexdigest()}  {file.name}"
