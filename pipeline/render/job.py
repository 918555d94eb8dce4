"""What a render process is told, as files in its job folder, and what it answers."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Self

JOB, RECORD, TRACE = "job.json", "record.json", "trace.safetensors"
RAW_VIDEO, VIDEO, STILLS, DRAWINGS = "stream.mp4", "video.mp4", "stills", "drawings"
USES, LAST = "uses.json", "last.png"


@dataclass(frozen=True, kw_only=True)
class Job:
    """One render: the scene's class and where to import it from, its brief, and which pictures to make.

    `brief` holds the fields of the scene's brief except the trace, which lies beside. `films`: the forms of film to
    make; without any no frame is drawn. `ground`: the colour, #RRGGBB, of a ground that is to be left out. `engine`:
    fast or stock. `processes`: how many may draw at once. `audit`: prove each beat's picture. `stills`, `drawings`:
    the beats whose last picture is kept, as pixels and as outlines. `metadata` goes into the films.
    """

    module: str
    class_name: str
    search: str
    size: tuple[int, int]
    frames_per_second: int
    brief: Mapping[str, Any]
    audit: bool
    films: tuple[str, ...] = ()
    ground: str = ""
    engine: str = "fast"
    processes: int = 1
    stills: tuple[str, ...] = ()
    drawings: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)

    def save(self, folder: Path) -> None:
        """Write job.json."""
        write_json(folder / JOB, asdict(self))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read job.json."""
        job = cls(**json.loads((folder / JOB).read_text(encoding="utf-8")))
        lists = {name: tuple(getattr(job, name)) for name in ("size", "stills", "drawings", "films")}
        return replace(job, **lists)


@dataclass(frozen=True, kw_only=True)
class Result:
    """How a render ended. `failure` is empty, or one line; `what` is its kind: input, check or work.

    `engine` is the one that drew, `notice` a line for the person about why it was not the one asked for.
    """

    failure: str = ""
    what: str = ""
    frames: int = 0
    engine: str = ""
    notice: str = ""


def write_json(path: Path, data: Any) -> None:
    """Write JSON on one line, under another name first, so that nobody reads half of it."""
    draft = path.with_name(f"{path.name}.part")
    text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    draft.write_text(text + "\n", encoding="utf-8")
    os.replace(draft, path)
