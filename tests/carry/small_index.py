"""A Python package index on the loopback interface, with the faults that a real one can have."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

JSON = "application/vnd.pypi.simple.v1+json"


@dataclass
class Index:
    """What the server serves, how it misbehaves, and what it was asked for.

    Attributes:
        files: The sdists by file name.
        html: Answer with PEP 503's HTML, which has no sizes and no times.
        ranges: Honour the Range header.
        cut_after: Close the connection after so many bytes of a file.
        silent_cut: The cut is not to be seen from the length, as in a chunked answer.
        wrong_digest: Files whose digest on the page is not theirs.
        no_digest: Leave the digests out.
        gone: Files that are listed but not there.
        missing: Versions that are not listed.
        yanked: Versions that are listed as yanked.
        status: Answer everything with this HTTP status.
        page: Answer with this text where a page is asked for.
        requests: Paths and Range headers, in order.
    """

    files: dict[str, bytes]
    url: str = ""
    html: bool = False
    ranges: bool = True
    cut_after: int | None = None
    silent_cut: bool = False
    wrong_digest: set[str] = field(default_factory=set)
    no_digest: bool = False
    gone: set[str] = field(default_factory=set)
    missing: set[str] = field(default_factory=set)
    yanked: set[str] = field(default_factory=set)
    status: int = 200
    page: str | None = None
    requests: list[tuple[str, str]] = field(default_factory=list)

    @property
    def downloads(self) -> list[tuple[str, str]]:
        """The requests for files: name and Range header."""
        return [
            (path.removeprefix("/files/"), header)
            for path, header in self.requests
            if path.startswith("/files/")
        ]

    def add(self, path: Path) -> None:
        """Serve one more file."""
        self.files[path.name] = path.read_bytes()

    def _listed(self) -> list[dict[str, object]]:
        listed: list[dict[str, object]] = []
        for name, content in sorted(self.files.items()):
            version = name.removesuffix(".tar.gz").rpartition("-")[2]
            if version in self.missing:
                continue
            digest = sha256(content).hexdigest()
            if name in self.wrong_digest:
                digest = sha256(b"another").hexdigest()
            listed.append(
                {
                    "filename": name,
                    "url": f"/files/{name}",
                    "hashes": {} if self.no_digest else {"sha256": digest},
                    "size": len(content),
                    "upload-time": "2026-11-02T10:12:56.000000Z",
                    "yanked": version in self.yanked,
                }
            )
        return listed

    def render(self) -> tuple[str, str]:
        """The project's page and its content type."""
        if self.page is not None:
            return self.page, JSON
        if not self.html:
            meta = {"api-version": "1.1"}
            project = {"meta": meta, "name": "acme", "files": self._listed(), "versions": []}
            return json.dumps(project), JSON
        links = []
        for item in self._listed():
            hashes = item["hashes"]
            assert isinstance(hashes, dict)
            fragment = "".join(f"#sha256={digest}" for digest in hashes.values())
            yanked = ' data-yanked=""' if item["yanked"] else ""
            links.append(f'<a href="{item["url"]}{fragment}"{yanked}>{item["filename"]}</a>')
        return f"<!DOCTYPE html><html><body>{''.join(links)}</body></html>", "text/html"


@contextmanager
def serve(files: dict[str, bytes]) -> Iterator[Index]:
    """Serve files while the block runs."""
    index = Index(files)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"index": index}))
    index.url = f"http://127.0.0.1:{server.server_port}/simple/"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield index
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    index: Index

    def do_GET(self) -> None:
        index = self.index
        asked = self.headers.get("Range", "")
        index.requests.append((self.path, asked))
        if index.status != 200:
            self.send_error(index.status)
        elif self.path == "/simple/acme/":
            page, kind = index.render()
            self._answer(200, page.encode(), {"Content-Type": kind})
        elif (name := self.path.removeprefix("/files/")) in set(index.files) - index.gone:
            self._send_file(index.files[name], asked)
        else:
            self.send_error(404)

    def _send_file(self, content: bytes, asked: str) -> None:
        # As some servers do, which take the archive's own compression for the transfer's.
        headers = {"Content-Type": "application/x-tar", "Content-Encoding": "gzip"}
        if not asked or not self.index.ranges:
            self._answer(200, content, headers)
            return
        start = int(asked.removeprefix("bytes=").rstrip("-"))
        if start >= len(content):
            self.send_error(416)
            return
        headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        self._answer(206, content[start:], headers)

    def _answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        is_file = self.path.startswith("/files/")
        cut = self.index.cut_after if is_file else None
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if not (is_file and self.index.silent_cut):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:cut])

    def log_message(self, *_: object) -> None:
        pass
