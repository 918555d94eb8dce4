"""A web server for built pages that answers ranges, as every real one does: without, no browser can seek."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class RangeHandler(SimpleHTTPRequestHandler):
    """Serves a folder below a prefix, `/` or another."""

    def __init__(self, *args, prefix: str, **more):
        self.prefix = prefix
        self.extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".vtt": "text/vtt"}
        super().__init__(*args, **more)

    def do_GET(self):
        if not self.path.startswith(self.prefix):
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        self.path = "/" + self.path.removeprefix(self.prefix)
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        path = Path(self.translate_path(self.path))
        if not asked or not path.is_file():
            super().do_GET()
            return
        data = path.read_bytes()
        first, last = int(asked[1]), min(int(asked[2] or len(data)), len(data) - 1)
        self.send_response(HTTPStatus.PARTIAL_CONTENT)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
        self.send_header("Content-Length", str(last - first + 1))
        self.end_headers()
        self.wfile.write(data[first : last + 1])

    def handle(self):
        # A browser hangs up on a video as soon as it has what it needs.
        try:
            super().handle()
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def log_message(self, *_):
        pass


@contextmanager
def served(folder: Path, *, prefix: str = "/") -> Iterator[str]:
    """The address that the folder is served at while the context lasts."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(RangeHandler, directory=str(folder), prefix=prefix))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{prefix}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
