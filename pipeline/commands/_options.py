"""The options that several commands share, and the specs that they come to."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from pipeline.catalogue import SceneEntry
    from pipeline.render.spec import RenderSpec

MEDIA = Path("media")
LANGUAGES = ("en", "zh")


def subject_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What is computed: prompt, query, model, layer, head, device."""
    for option in reversed(
        [
            click.option("--prompt", metavar="TEXT", help="The sentence, 1 to 16 tokens.  [default: the model's own]"),
            click.option("--query", metavar="WORD|INDEX", help="The token whose question is told; the#2 for a repeat."),
            click.option("--model", metavar="NAME|FOLDER", help="The model.  [default: the scene's own]"),
            click.option("--layer", type=int, default=1, show_default=True, help="Which layer, from 1."),
            click.option("--head", type=int, help="Which head, from 1.  [default: the scene's own, else 1]"),
            click.option(
                "--device",
                type=click.Choice(["cpu", "cuda", "auto"]),
                default="cpu",
                show_default=True,
                help="Where to compute.",
            ),
        ]
    ):
        command = option(command)
    return command


def film_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """How large and how long a film is: quality, fps, pace."""
    for option in reversed(
        [
            click.option(
                "--quality", default="high", show_default=True, help="draft, low, medium, high, 2k, 4k; or l m h p k."
            ),
            click.option("--fps", type=int, help="Frames per second.  [default: the quality's own]"),
            click.option("--pace", type=float, default=1.0, show_default=True, help="Multiplies every duration."),
        ]
    ):
        command = option(command)
    return command


def look_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """How it is drawn: theme, layout."""
    for option in reversed(
        [
            click.option(
                "--theme",
                type=click.Choice(["dark", "light", "print"]),
                default="dark",
                show_default=True,
                help="Colours.",
            ),
            click.option(
                "--layout",
                type=click.Choice(["columns", "rows"]),
                default="columns",
                show_default=True,
                help="Queries across the top, or down the side as in the paper.",
            ),
        ]
    ):
        command = option(command)
    return command


def read_specs(
    scenes: tuple[str, ...], languages: tuple[str, ...], **options: Any
) -> list[tuple[SceneEntry, RenderSpec]]:
    """One spec for each scene and language, every name in it checked. Raises InputError."""
    from pipeline.catalogue import find_scenes
    from pipeline.render.request import check_names
    from pipeline.render.spec import RenderSpec

    return [
        (entry, check_names(RenderSpec(scene=entry.name, language=language, **options), entry))
        for entry in find_scenes(scenes)
        for language in dict.fromkeys(languages or LANGUAGES[:1])
    ]


def command_line() -> str:
    """The command as it was typed, for the record."""
    return shlex.join(["python", "cli.py", *sys.argv[1:]])
