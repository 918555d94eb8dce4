"""`render`: scenes become videos with captions, chapters, transcript, poster and ledger."""

from __future__ import annotations

from typing import Any

import click

from pipeline.commands._options import MEDIA, command_line, film_options, look_options, read_specs, subject_options
from pipeline.publish import formats


@click.command()
@click.argument("scenes", nargs=-1, required=True, metavar="SCENE...")
@film_options
@subject_options
@click.option(
    "--lang",
    multiple=True,
    type=click.Choice(["en", "zh"]),
    help="Language; repeat it for both.  [default: en]",
)
@look_options
@click.option(
    "--captions",
    type=click.Choice(["tracks", "burnt", "none"]),
    default="tracks",
    show_default=True,
    help="As files beside the video, drawn into it, or none.",
)
@click.option("--beat", metavar="NAME", help="Only this beat.")
@click.option(
    "--engine",
    type=click.Choice(["fast", "stock"]),
    default="fast",
    show_default=True,
    help="What draws: stock is Manim's own renderer, for the same picture more slowly.",
)
@click.option(
    "--format",
    "forms",
    multiple=True,
    type=click.Choice(formats.film_names()),
    help="Form; repeat it for several.  [default: as -o ends, else mp4]",
)
@click.option("--transparent", is_flag=True, help="Leave the theme's ground out; webm unless --format says otherwise.")
@click.option("--poster", metavar="BEAT", help="The beat whose last picture is the poster.")
@click.option("--compare", metavar="MODEL", help="The same scene with another model beside it, changed cells coloured.")
@click.option("-o", "--output", metavar="STEM|FOLDER", help="Where to.  [default: media/SCENE/]")
@click.option("-j", "--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Videos at a time.")
@click.option("--open", "open_after", is_flag=True, help="Open the first video afterwards.")
@click.option("--json", "as_json", is_flag=True, help="One JSON array on stdout and nothing else.")
@click.option("--quiet", is_flag=True, help="No progress.")
def command(
    scenes: tuple[str, ...],
    lang: tuple[str, ...],
    output: str | None,
    jobs: int,
    open_after: bool,
    as_json: bool,
    quiet: bool,
    fps: int | None,
    compare: str | None,
    forms: tuple[str, ...],
    **options: Any,
) -> None:
    """Renders scenes to video; `all` stands for every scene.

    Prints the path of each published video. Beside it lie poster, captions (.en.vtt, .zh.vtt), chapters,
    transcripts (.en.transcript.md, .zh.transcript.md) and the ledger of every number shown.

    \b
    Examples:
      python cli.py render qkv --quality high
      python cli.py render qkv --lang zh --layout rows --theme light
      python cli.py render qkv --beat mask --quality draft
      python cli.py render qkv --beat softmax --format gif
      python cli.py render qkv --transparent --theme light --format webm --format mov
      python cli.py render qkv --model before/ --compare after/
    """
    import json

    from pipeline.publish.films import films_of
    from pipeline.publish.make import render

    pairs = read_specs(scenes, lang, frames_per_second=fps, **options)
    if compare is not None:
        _check_comparable(forms, **options)
        _compared(pairs, compare, output=output, as_json=as_json, quiet=quiet, open_after=open_after)
        return
    made = render(pairs, forms=forms, output=output, media=MEDIA, parallel=jobs, quiet=quiet, command=command_line())
    films = [[str(path) for path in films_of(each)] for each in made]
    if as_json:
        rows = [
            {
                "video": paths[0],
                "films": paths,
                "files": [str(path) for path in each.files],
                "seconds": each.record["duration"],
                "frames": each.frames,
                "engine": each.engine,
                "numbers": len(each.record["numbers"]),
                "digest": each.request.trace.digest,
            }
            for each, paths in zip(made, films, strict=True)
        ]
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        click.echo("\n".join(path for paths in films for path in paths))
    if open_after:
        click.launch(films[0][0])


def _check_comparable(forms: tuple[str, ...], *, transparent: bool, **_: Any) -> None:
    from transformer_core.errors import InputError

    if transparent or set(forms) - {"mp4"}:
        raise InputError("--compare", "two models beside each other are an mp4", "leave --format and --transparent out")


def _compared(
    pairs: list[Any], other: str, *, output: str | None, as_json: bool, quiet: bool, open_after: bool
) -> None:
    """Each scene with two models."""
    import json

    from pipeline.publish.comparison import render_compared
    from transformer_core.errors import InputError

    if len(pairs) > 1 and output is not None and not output.endswith("/"):
        raise InputError(
            f"output {output[:60]!r}", "several videos cannot have one name", f"name a folder: {output[:60]}/"
        )
    made = [
        render_compared(entry, spec, other, output=output, media=MEDIA, quiet=quiet, command=command_line())
        for entry, spec in pairs
    ]
    videos = [str(files[-1]) for files in made]
    if as_json:
        rows = [{"video": str(files[-1]), "files": [str(path) for path in files]} for files in made]
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        click.echo("\n".join(videos))
    if open_after:
        click.launch(videos[0])
