"""A copy of a folder that programs may write into, named after the folder's content."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory


def of(source: Path, homes: Path) -> Path:
    """The copy of `source` in `homes`; made, in place of all others, if it is not there yet."""
    copy = homes / _digest(source)
    if not copy.is_dir():
        shutil.rmtree(homes, ignore_errors=True)
        homes.mkdir(parents=True)
        with TemporaryDirectory(dir=homes) as folder:
            shutil.copytree(source, Path(folder) / "copy").rename(copy)
    return copy


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        name, content = os.fsencode(file.relative_to(folder)), file.read_bytes()
        digest.update(b"%d %s %d " % (len(name), name, len(content)) + content)
    return digest.hexdigest()[:16]
