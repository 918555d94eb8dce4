"""`watch`: the sheet of what was edited is drawn again, and a local page shows it."""

from __future__ import annotations

import html
import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from pipeline.course.asset import Picture
from pipeline.course.course import read_course
from pipeline.course.digest import digest
from pipeline.course.inputs import InputReader
from pipeline.course.store import FOLDER, Store
from transformer_core.errors import CheckFailed, InputError

SHEETS = "sheets"
SECONDS_BETWEEN_LOOKS = 0.5
HOST = "127.0.0.1"
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>watching {name}</title>
<style>:root {{ color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }} body {{ margin: 1rem; }}
img {{ max-width: 100%; height: auto; }} .error {{ font-weight: bold; }}</style></head>
<body><main><h1>{name}</h1>{body}</main>
<script>
let version = {version};
setInterval(async () => {{
  try {{ if ((await (await fetch("/version")).json()) !== version) location.reload(); }} catch (gone) {{}}
}}, 500);
</script></body></html>
"""


@dataclass(frozen=True)
class Sheet:
    """One sheet: its file name, and what went wrong when it was drawn last."""

    label: str
    file: str
    error: str = ""


@dataclass
class Watch:
    """The state of a watched course. `draw` draws a picture's sheet into a file."""

    path: Path
    store: Store
    draw: Callable[[Picture, Path], None]
    version: int = 0
    error: str = ""
    sheets: dict[str, Sheet] = field(default_factory=dict)
    _keys: dict[str, str] = field(default_factory=dict)
    _began: bool = False

    @property
    def folder(self) -> Path:
        """Where the sheets lie."""
        return self.store.folder / SHEETS

    def look(self) -> list[str]:
        """Draw the sheet of every picture whose inputs changed since the last look; returns their labels."""
        try:
            course = read_course(self.path)
            reader = InputReader(course.folder, cache=self.store.sources)
            pictures = {sheet_label(picture): picture for picture in _sheets(asset.picture for asset in course.assets)}
            keys = {}
            for label, picture in pictures.items():
                inputs = reader.read(picture)
                keys[label] = digest([inputs.picture_key, inputs.numbers_key, dict(inputs.fonts)])
            reader.save()
        except (InputError, OSError) as error:
            self._set_error(str(error))
            return []
        changed = [label for label, key in keys.items() if self._began and self._keys.get(label) != key]
        self._keys, self._began = keys, True
        for label in changed:
            self._draw(label, pictures[label])
        self._set_error("")
        return changed

    def _draw(self, label: str, picture: Picture) -> None:
        file = f"{digest(label)}.png"
        try:
            self.draw(picture, self.folder / file)
            sheet = Sheet(label, file)
        except (InputError, CheckFailed) as error:
            sheet = Sheet(label, file, str(error))
        except OSError as error:
            sheet = Sheet(label, file, f"{error.filename or label}: {error.strerror}")
        # What was edited last stands first.
        self.sheets = {label: sheet, **{key: each for key, each in self.sheets.items() if key != label}}
        self.version += 1

    def _set_error(self, error: str) -> None:
        if error != self.error:
            self.error = error
            self.version += 1

    def page(self) -> str:
        """The page as it is now."""
        parts = [f'<p class="error">{html.escape(self.error)}</p>'] if self.error else []
        for sheet in self.sheets.values():
            parts.append(f"<h2>{html.escape(sheet.label)}</h2>")
            parts.append(f'<p class="error">{html.escape(sheet.error)}</p>' if sheet.error else "")
            if (self.folder / sheet.file).exists():
                alt = html.escape(f"All beats of {sheet.label}", quote=True)
                parts.append(f'<img src="/{sheet.file}?{self.version}" alt="{alt}">')
        body = "".join(parts) or "<p>Nothing was edited yet.</p>"
        return PAGE.format(name=html.escape(self.path.name), body=body, version=self.version)


def sheet_label(picture: Picture) -> str:
    """The name of a picture's sheet: all that makes it another one, short."""
    spec = picture.spec
    words = [picture.entry.name, spec.language, spec.theme, spec.layout, spec.prompt, spec.query, spec.model]
    return " ".join([*filter(None, words), f"layer {spec.layer}, head {spec.head}"])


def _sheets(pictures: Iterable[Picture]) -> list[Picture]:
    """Each picture as its scene's whole sheet: of all beats, small, however the course wants it."""
    return [
        replace(
            picture,
            kind="numbers",
            spec=replace(picture.spec, beat=None, poster=None, quality="draft", frames_per_second=None, pace=1.0),
        )
        for picture in pictures
    ]


def draw_sheet_of(picture: Picture, file: Path, *, base: Path) -> None:
    """Draw a picture's sheet. Raises InputError and CheckFailed."""
    from pipeline.course.work import local_spec
    from pipeline.publish.make import draw_sheet
    from pipeline.render.request import load

    # The model may be what was changed.
    load.cache_clear()
    file.parent.mkdir(parents=True, exist_ok=True)
    draw_sheet(picture.entry, local_spec(picture, base), output=str(file), media=file.parent, quiet=True)


def watch(path: Path, *, port: int, say: Callable[[str], None], started: Callable[[str], None]) -> None:
    """Watch until Ctrl-C. `started` is given the page's address. Raises InputError for a port that is taken."""
    course = read_course(path)
    store = Store(course.folder / FOLDER, course.path.name)
    store.make()
    watching = Watch(course.path, store, partial(draw_sheet_of, base=course.folder))
    with page_server(watching, port=port) as address:
        watching.look()
        started(address)
        while True:
            time.sleep(SECONDS_BETWEEN_LOOKS)
            for label in watching.look():
                say(watching.sheets[label].error or f"drawn: {label}")


@contextmanager
def page_server(watching: Watch, *, port: int) -> Iterator[str]:
    """The address of the page, as long as it is served. Raises InputError for a port that is taken."""
    try:
        server = _Server((HOST, port), partial(_Page, watching))
    except OSError as error:
        raise InputError(f"--port {port}", f"cannot be used ({error.strerror})", "leave it out") from None
    threading.Thread(target=server.serve_forever, name="page", daemon=True).start()
    try:
        yield f"http://{HOST}:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Nothing: a browser may close its end whenever it likes."""


class _Page(BaseHTTPRequestHandler):
    """The page, its version and its sheets, for this machine only."""

    def __init__(self, watching: Watch, *arguments: object) -> None:
        self.watching = watching
        super().__init__(*arguments)  # pyright: ignore[reportArgumentType]

    def do_GET(self) -> None:
        """Answer one request."""
        name = self.path.partition("?")[0].lstrip("/")
        if name == "":
            self._answer(self.watching.page().encode(), "text/html; charset=utf-8")
        elif name == "version":
            self._answer(json.dumps(self.watching.version).encode(), "application/json")
        elif picture := self._picture(name):
            self._answer(picture, "image/png")
        else:
            self.send_error(404)

    def _picture(self, name: str) -> bytes:
        """The sheet of that name; nothing where there is none any more."""
        if name not in {sheet.file for sheet in self.watching.sheets.values()}:
            return b""
        try:
            return (self.watching.folder / name).read_bytes()
        except OSError:
            return b""

    def _answer(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing: the terminal belongs to the watch."""
