"""From what was drawn to the films that were asked for, in the render process, so that ending it ends them too."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from pipeline.publish import formats
from pipeline.render.job import FRAMES, RAW_VIDEO, Job

STEM = "video"


def film_path(form: str) -> Path:
    """The film of that form in its job folder."""
    return Path(f"{STEM}{formats.load_film(form).ENDING}")


def write_films(job: Job, record: Any, *, frames: int, report: Callable[[str, int], None]) -> None:
    """Write each film of the job into the current folder, and remove what they are made of.

    Raises CheckFailed for one that is too large to be of use.
    """
    from pipeline.publish.formats._film import Film
    from pipeline.render.encoder import Chapter
    from pipeline.render.frames import read_frames

    language = job.brief.get("language", "en")
    film = Film(
        pictures=partial(read_frames, Path(FRAMES), frames_per_second=job.frames_per_second, ground=job.ground),
        video=Path(RAW_VIDEO),
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
    for path in (film.video, Path(FRAMES)):
        if path.exists():
            os.unlink(path)
