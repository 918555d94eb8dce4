"""`sheet`: all beats of a scene on one page."""

from __future__ import annotations

from typing import Any

import click

from pipeline.commands._options import MEDIA, look_options, read_specs, subject_options


@click.command()
@click.argument("scene", metavar="SCENE")
@subject_options
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="Language.")
@look_options
@click.option("--quality", default="draft", show_default=True, help="The size of each picture, as for render.")
@click.option("-o", "--output", metavar="PATH", help="The PNG file.  [default: media/SCENE/SCENE.LANG.sheet.png]")
@click.option("--quiet", is_flag=True, help="No progress.")
def command(scene: str, lang: str, output: str | None, quiet: bool, **options: Any) -> None:
    """Draws the last picture of every beat on one page, in seconds, and prints its path.

    \b
    Examples:
      python cli.py sheet qkv
      python cli.py sheet qkv --lang zh --theme light -o zh.png
    """
    from pipeline.publish.make import draw_sheet
    from transformer_core.errors import InputError

    asked = read_specs((scene,), (lang,), **options)
    if output is not None and len(asked) > 1:
        raise InputError(f"-o {output}", f"{scene!r} is {len(asked)} sheets", "leave -o out, or name one scene")
    for entry, spec in asked:
        click.echo(str(draw_sheet(entry, spec, output=output, media=MEDIA, quiet=quiet)))
