"""From what was drawn to the films that were asked for, in the render process, so that ending it ends them too."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.publish import formats
from pipeline.render.job import Job

if TYPE_CHECKING:
    from pipeline.render.frames import Sink

STEM = "video"


def film_path(form: str) -> Path:
    """The film of that form in its job folder."""
    return Path(f"{STEM}{formats.load_film(form).ENDING}")


def open_stream(job: Job, beat: str) -> Sink:
    """What takes the frames of a beat, for the films of a job."""
    from pipeline.render.encoder import VideoStream
    from pipeline.render.frames import FrameFile, Sinks

    shape: dict[str, Any] = {"size": job.size, "frames_per_second": job.frames_per_second}
    video = [VideoStream(stream_path(beat), **shape)] if "mp4" in job.films else []
    frames = [FrameFile(frames_path(beat), **shape)] if set(job.films) - {"mp4"} else []
    sinks = [*video, *frames]
    return Sinks(*sinks) if len(sinks) > 1 else sinks[0]


def stream_path(beat: str) -> Path:
    """The H.264 stream of a beat in its job folder."""
    return Path(f"{beat}.stream.mp4")


def frames_path(beat: str) -> Path:
    """The pictures of a beat, as they were drawn, in its job folder."""
    return Path(f"{beat}.frames.mov")


def write_films(job: Job, record: Any, *, frames: int, report: Callable[[str, int], None]) -> None:
    """Write each film of the job into the current folder, and remove what they are made of.

    Raises CheckFailed for one that is too large to be of use.
    """
    from pipeline.publish.formats._film import Film
    from pipeline.render.encoder import Chapter
    from pipeline.render.frames import read_frames

    language = job.brief.get("language", "en")
    beats = [beat.name for beat in record.beats]
    streams, pictures = [stream_path(beat) for beat in beats], [frames_path(beat) for beat in beats]
    film = Film(
        pictures=partial(read_frames, pictures, frames_per_second=job.frames_per_second, ground=job.ground),
        streams=streams,
        size=job.size,
        frames_per_second=job.frames_per_second,
        frames=frames,
        transparent=bool(job.ground),
        chapters=tuple(Chapter(beat.titles[language], beat.start, beat.end) for beat in record.beats),
        metadata=job.metadata,
        language=language,
    )
    for form in job.films:
        report(form, frames)
        formats.load_film(form).write_film(film, film_path(form))
    for path in (*streams, *pictures):
        path.unlink(missing_ok=True)
