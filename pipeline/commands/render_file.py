"""`render-file`: a person's own Manim scene through the same engine."""

from __future__ import annotations

from pathlib import Path

import click

from pipeline.commands._options import MEDIA


@click.command()
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE.py")
@click.argument("scene", default="", metavar="[CLASS]")
@click.option(
    "--quality", help="draft, low, medium, high, 2k, 4k; or l m h p k.  [default: your manim.cfg's, else high]"
)
@click.option("--fps", type=int, help="Frames per second.  [default: the quality's own]")
@click.option(
    "--engine",
    type=click.Choice(["fast", "stock"]),
    default="fast",
    show_default=True,
    help="What draws: stock is Manim's own renderer, for the same picture more slowly.",
)
@click.option("-o", "--output", metavar="STEM|FOLDER", help="Where to.  [default: media/FILE/]")
@click.option("--open", "open_after", is_flag=True, help="Open the video afterwards.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout and nothing else.")
@click.option("--quiet", is_flag=True, help="No progress.")
def command(
    file: Path,
    scene: str,
    quality: str | None,
    fps: int | None,
    engine: str,
    output: str | None,
    open_after: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Renders a scene of your own file of Manim code, and prints the path of the video.

    CLASS may be left out where the file has one scene. Your manim.cfg counts, and what the file sets in
    `config`; named sections become chapters. Such a scene has no trace: nothing checks its numbers, and there is
    no ledger.

    \b
    Examples:
      python cli.py render-file lecture.py Welcome --quality high
      python cli.py render-file lecture.py Welcome --engine stock -o welcome.mp4
    """
    import json

    from pipeline.publish.scene_file import render_file

    video = render_file(
        file,
        scene,
        quality=quality,
        frames_per_second=fps,
        engine=engine,
        output=output,
        media=MEDIA,
        quiet=quiet,
    )
    if as_json:
        row = {
            "video": str(video.path),
            "scene": video.record["scene"],
            "seconds": video.record["seconds"],
            "frames": video.frames,
            "engine": video.engine,
            "ledger": None,
        }
        click.echo(json.dumps(row, indent=2, ensure_ascii=False))
    else:
        click.echo(str(video.path))
    if open_after:
        click.launch(str(video.path))
