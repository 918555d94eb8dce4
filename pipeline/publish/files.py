"""The files that belong to one video, made in the work folder and named as they will be published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pipeline.publish.films import film_files
from pipeline.publish.ledger import ENDING, ledger, write_ledger
from pipeline.publish.texts import sealed, texts_of
from pipeline.render.job import STILLS
from pipeline.render.jobs import Drawn
from pipeline.render.request import Request


def video_files(
    drawn: Drawn, *, stem: str, poster: str, command: str, films: Sequence[str] = ("mp4",)
) -> dict[str, Path]:
    """Poster, tracks, transcripts, ledger and, last, the films: who sees them finds the rest beside them."""
    folder = drawn.folder
    data = ledger(drawn.record, drawn.request, asset=stem, frames=drawn.frames, command=command)
    data["render"] |= {"poster": poster}
    texts = texts_of(data, stem=stem)
    files = {f"{stem}.png": folder / STILLS / f"{poster}.png"}
    for name, text in texts.items():
        files[name] = folder / name
        files[name].write_text(text, encoding="utf-8")
    files[f"{stem}{ENDING}"] = folder / "numbers.json"
    write_ledger(files[f"{stem}{ENDING}"], sealed(data, texts))
    return files | film_files(folder, stem=stem, forms=films)


def metadata(request: Request, *, command: str) -> Mapping[str, str]:
    """What the video itself says: title, how to make it again, and the digest of its numbers."""
    return {
        "title": f"{request.entry.titles[request.asked.language]} — {request.trace.spec.prompt}",
        "comment": command,
        "description": f"numbers sha256:{request.trace.digest}",
    }
