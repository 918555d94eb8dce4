"""A job on another machine: what travels there, what is done there, and what comes back. Needs no shared disk."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

from pipeline.cores import cores
from pipeline.course.asset import Picture
from pipeline.course.inputs import InputReader
from pipeline.course.orders import FILMS
from pipeline.render.job import DRAWINGS, JOB, LAST, RECORD, STILLS, TRACE, USES, Result
from pipeline.render.process import RenderProcess
from pipeline.render.runtime import ROOT

SENT = (JOB, TRACE)
RETURNED = (RECORD, STILLS, DRAWINGS, USES, LAST, *map(str, FILMS.values()))
OWN = "."
"""Stands in a job for the folder of the machine's own checkout."""


@dataclass(frozen=True)
class Parcel:
    """A job: its files, the picture it is for, and the components and fonts that it must be drawn with.

    `threads`: how many jobs each machine of the cluster may be given at once, by host.
    """

    files: Mapping[str, bytes]
    picture: Picture
    components: Mapping[str, str]
    fonts: Mapping[str, str]
    threads: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """How it ended: the result, the log, and the drawn files with the digests they had where they were drawn."""

    result: Result
    log: str
    files: Mapping[str, bytes]
    digests: Mapping[str, str]


def pack(
    folder: Path,
    picture: Picture,
    components: Mapping[str, str],
    fonts: Mapping[str, str],
    *,
    threads: Mapping[str, int],
) -> Parcel:
    """The job of a folder, ready to travel to a machine of a cluster with so many `threads` by address."""
    hosts: Counter[str] = Counter()
    for address, count in threads.items():
        hosts[_host(address)] += count
    files = {name: (folder / name).read_bytes() for name in SENT}
    if picture.entry.search == ROOT:
        job = json.loads(files[JOB]) | {"search": OWN}
        files[JOB] = json.dumps(job, ensure_ascii=False).encode()
        picture = replace(picture, entry=replace(picture.entry, search=Path(OWN)))
    return Parcel(files, picture, components, fonts, hosts)


def processes_here(threads: Mapping[str, int], address: str | None) -> int:
    """How many processes a job may draw with: this machine's cores, shared by the jobs it may be given at once.

    `address` is that of the worker, of which a machine may have several; None where it is none.
    """
    jobs = threads.get(_host(address), 0) if address else 0
    return max(1, cores() // jobs) if jobs else 1


def draw_here(parcel: Parcel) -> Answer:
    """Draw a job on this machine, in a fresh process and a folder of its own."""
    picture, files = parcel.picture, dict(parcel.files)
    own: dict[str, object] = {"processes": processes_here(parcel.threads, _address())}
    if picture.entry.search == Path(OWN):
        picture = replace(picture, entry=replace(picture.entry, search=ROOT))
        own["search"] = str(ROOT)
    files[JOB] = json.dumps(json.loads(files[JOB]) | own, ensure_ascii=False).encode()
    fault = _fault(picture, parcel)
    if fault:
        return Answer(Result(failure=f"another machine: {fault}", what="check"), "", {}, {})
    with tempfile.TemporaryDirectory(prefix="manim-attention-") as name:
        folder = Path(name)
        for file, data in files.items():
            (folder / file).write_bytes(data)
        process = RenderProcess()
        try:
            result = process.draw(folder, lambda _beat, _frames: None)
            drawn = _read(folder)
            digests = {file: hashlib.sha256(data).hexdigest() for file, data in drawn.items()}
            return Answer(result, process.log, drawn, digests)
        finally:
            process.end()


def unpack(answer: Answer, folder: Path) -> str:
    """Write what came back into the job's folder; returns what is wrong with it, empty for nothing."""
    for name, data in answer.files.items():
        path = folder / name
        if hashlib.sha256(data).hexdigest() != answer.digests.get(name):
            return f"{name} was damaged on its way"
        if path.resolve().parent not in (folder.resolve(), *(folder.resolve() / part for part in (STILLS, DRAWINGS))):
            return f"{name[:60]!r} is no file of a job"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    return ""


def _address() -> str | None:
    """The address of the worker that this runs in."""
    from distributed import get_worker

    try:
        return get_worker().address
    except ValueError:
        return None


def _host(address: str) -> str:
    return urlsplit(address).hostname or address


def _fault(picture: Picture, parcel: Parcel) -> str:
    """Why this machine would draw something else, empty where it would not."""
    reader = InputReader(ROOT)
    components, _ = reader.drawing(picture)
    differing = [name for name, told in parcel.components.items() if components.get(name) != told]
    differing += [name for name, told in parcel.fonts.items() if reader.fonts.get(name) != told]
    return f"its checkout or programs are not the same ({', '.join(differing)})" if differing else ""


def _read(folder: Path) -> dict[str, bytes]:
    found = {}
    for part in RETURNED:
        path = folder / part
        files = [path] if path.is_file() else sorted(path.glob("*")) if path.is_dir() else []
        found |= {str(file.relative_to(folder)): file.read_bytes() for file in files if file.is_file()}
    return found
