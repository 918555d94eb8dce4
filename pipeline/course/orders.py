"""The order of a course's picture: what the render process is to make."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from pipeline.course.asset import VIDEO_FORMS, Picture
from pipeline.course.command import command_of
from pipeline.publish.files import metadata
from pipeline.render.films import film_path
from pipeline.render.jobs import Drawn, Order
from pipeline.render.request import Request

FILMS: Mapping[str, Path] = {form: film_path(form) for form in VIDEO_FORMS}
"""Where a job's film of each form lies in its folder."""


def order_for(picture: Picture, request: Request, *, films: tuple[str, ...] = ()) -> Order:
    """Videos in the forms of `films`, with their poster; figures as outlines and as pixels.

    So any form of a figure can be made of what is drawn, and of a video those that were asked for.
    """
    entry, spec = picture.entry, request.asked
    beats = (spec.beat,) if spec.beat else entry.beats
    figure = picture.kind == "figure"
    return Order(
        spec=spec,
        entry=entry,
        folder=Path(),
        films=films,
        audit=True,
        stills=(poster_of(picture),) if picture.kind == "video" else beats if figure else (),
        drawings=beats if figure else (),
        metadata=partial(metadata, command=command_of(picture, films)),
        target=_no_name,
        publish=_no_files,
    )


def poster_of(picture: Picture) -> str:
    """The beat whose last picture stands for the video."""
    return picture.spec.beat or picture.spec.poster or picture.entry.poster


def _no_name(_: Request) -> str:
    return ""


def _no_files(_: Drawn) -> Mapping[str, Path]:
    return {}
