"""The one place that touches Manim's configuration, the process's environment, seeds and threads."""

from __future__ import annotations

import gc
import logging
import os
import random
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pipeline.render.lifeline import lead_group
from transformer_core.errors import CheckFailed, InputError

FRAME_WIDTH, FRAME_HEIGHT = 16.0, 9.0
SEED = 0
AS_USER = "--as-user"
"""What a render process is told that runs a person's own file."""
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
MADE_BETWEEN_COLLECTIONS = 20_000
"""Objects, against Python's own 700: what a scene makes is seldom garbage that only the collector would find."""
SILENT = {"SVT_LOG": "1"}
"""SVT-AV1 would write its settings on stderr, where the reason is looked for when a process dies."""
ROOT = Path(__file__).resolve().parents[2]


def worker_environment(inherited: Mapping[str, str]) -> dict[str, str]:
    """The environment of a render process: the project importable from anywhere, NumPy on one thread.

    Manim asks for `PATH` while it is imported; a timer's environment may have none.
    """
    paths = [str(ROOT), *filter(None, [inherited.get("PYTHONPATH")])]
    return {
        "PATH": os.defpath,
        **inherited,
        **ONE_THREAD,
        **SILENT,
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONUNBUFFERED": "1",
    }


def import_manim() -> None:
    """Import Manim where it finds no `manim.cfg`, neither the user's own nor one in the current folder.

    Manim reads both once, while it is imported: `~/.config/manim/manim.cfg` and `./manim.cfg`.
    """
    if "manim" in sys.modules:
        raise CheckFailed("render process", "Manim was imported before its configuration was set aside")
    home, folder = os.environ.get("HOME"), os.getcwd()
    nowhere = Path(__file__).resolve().parent
    os.environ["HOME"] = str(nowhere)
    os.chdir(nowhere)
    try:
        import manim  # noqa: F401
    finally:
        os.chdir(folder)
        if home is None:
            del os.environ["HOME"]
        else:
            os.environ["HOME"] = home
    _collect_seldom()


def import_manim_as_user() -> None:
    """Import Manim with the person's own configuration, in their own folder, as the leader of a process group."""
    lead_group()
    import manim  # noqa: F401

    _collect_seldom()


def _collect_seldom() -> None:
    """Let the garbage collector pass over what has been imported, and look less often at the rest."""
    gc.freeze()
    gc.set_threshold(MADE_BETWEEN_COLLECTIONS)


@contextmanager
def user_settings(folder: Path, *, size: tuple[int, int] | None, frames_per_second: int | None) -> Iterator[None]:
    """The person's own configuration, with a size and a rate where they are given; Manim writes into the job folder."""
    from manim import logger, tempconfig

    logger.setLevel(logging.WARNING)
    asked: dict[str, object] = {}
    if size is not None:
        asked |= {"pixel_width": size[0], "pixel_height": size[1]}
    if frames_per_second is not None:
        asked["frame_rate"] = frames_per_second
    with tempconfig(asked | _kept_in(folder)):
        yield


def settle_user_settings(folder: Path) -> tuple[tuple[int, int], float]:
    """Size and frames per second, after the person's file has had its say.

    Raises InputError where Manim's OpenGL renderer or a ground that one sees through is asked for.
    """
    from manim import RendererType, config

    config.update(_kept_in(folder))
    if config.background_opacity < 1:
        raise InputError("background_opacity", "an mp4 has a ground", "leave it out, or use manim render --transparent")
    if config.renderer == RendererType.OPENGL:
        raise InputError("renderer opengl", "only Manim's Cairo scenes can be drawn", "use manim render for this one")
    return (config.pixel_width, config.pixel_height), config.frame_rate


def _kept_in(folder: Path) -> dict[str, object]:
    """Where Manim writes, and that it neither caches, plays nor reports."""
    return {
        "media_dir": str(folder / "manim"),
        "disable_caching": True,
        "progress_bar": "none",
        "format": "mp4",
        "dry_run": False,
        "preview": False,
    }


def enter(folder: Path) -> None:
    """Make the job folder the current folder and the home, so that whatever a library writes lands in it."""
    os.chdir(folder)
    os.environ["HOME"] = os.environ["TMPDIR"] = str(folder)
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    tempfile.tempdir = str(folder)
    random.seed(SEED)


@contextmanager
def manim_settings(*, size: tuple[int, int], frames_per_second: int, ground: bool = True) -> Iterator[None]:
    """Manim's configuration for one render; every path is relative to the job folder, every cache is off.

    `ground`: the background is painted, else left out.
    """
    from manim import logger, tempconfig

    logger.setLevel(logging.ERROR)
    settings = {
        "pixel_width": size[0],
        "pixel_height": size[1],
        "frame_rate": frames_per_second,
        "frame_width": FRAME_WIDTH,
        "frame_height": FRAME_HEIGHT,
        "media_dir": "manim",
        "disable_caching": True,
        "progress_bar": "none",
        # Its own word for it, which it wants to go with the opacity; our writer makes the files.
        "format": "mp4" if ground else "mov",
        "seed": SEED,
        "preview": False,
        "background_opacity": 1.0 if ground else 0.0,
    }
    with tempconfig(settings):
        yield
