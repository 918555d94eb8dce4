"""What a scene is asked to show: one trace, one head, one query, one language, one look. Frozen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from transformer_core.trace import Trace

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")


@dataclass(frozen=True)
class SceneBrief:
    """The whole input of a lecture scene.

    ``layer``, ``head`` and ``query`` count from 0; ``query=None`` leaves the choice to the scene. ``pace``
    multiplies every duration. With ``only_beat`` the other beats are skipped; with ``stills`` the picture at
    the end of each beat is kept.
    """

    trace: Trace
    layer: int = 0
    head: int = 0
    query: int | None = None
    language: Language = "en"
    theme: Literal["dark", "light", "print"] = "dark"
    layout: Literal["columns", "rows"] = "columns"
    pace: float = 1.0
    captions: Literal["tracks", "burnt", "none"] = "tracks"
    only_beat: str | None = None
    stills: bool = False
