"""`figure`: a beat's picture as a file for slides, papers and pages."""

from __future__ import annotations

from typing import Any

import click

from pipeline.commands._options import MEDIA, command_line, look_options, read_specs, subject_options
from pipeline.publish import formats


@click.command()
@click.argument("scene", metavar="SCENE[:BEAT]")
@click.option(
    "--format",
    "forms",
    multiple=True,
    type=click.Choice(formats.names()),
    help="Form; repeat it for several.  [default: as -o ends, else svg]",
)
@subject_options
@click.option(
    "--lang",
    multiple=True,
    type=click.Choice(["en", "zh"]),
    help="Language; repeat it for both.  [default: en]",
)
@look_options
@click.option("--quality", default="high", show_default=True, help="The size of a PNG, as for render.")
@click.option("-o", "--output", metavar="PATH", help="The file, or a folder.  [default: media/SCENE/]")
@click.option("--json", "as_json", is_flag=True, help="One JSON array on stdout and nothing else.")
@click.option("--quiet", is_flag=True, help="No progress.")
def command(
    scene: str,
    forms: tuple[str, ...],
    lang: tuple[str, ...],
    output: str | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Draws the last picture of a beat, or of every beat, as vectors, and prints the path of each.

    SVG and PDF hold outlines only, text too, so that they need no fonts and stay sharp at any size. Title,
    text alternative, digest of the numbers and this command line are in the file; the ledger of every number
    shown lies beside it.

    \b
    Examples:
      python cli.py figure qkv:softmax --theme print -o softmax.pdf
      python cli.py figure qkv --format svg --format pdf --theme light --lang zh
    """
    import json

    from pipeline.publish.figures import figures, figures_of

    name, colon, beat = scene.partition(":")
    pairs = read_specs((name,), lang, beat=beat if colon else None, **options)
    made = figures(pairs, forms=forms, output=output, media=MEDIA, quiet=quiet, command=command_line())
    rows = [
        {"figure": str(path), "format": path.suffix[1:], "language": each.request.asked.language}
        | {"digest": each.request.trace.digest}
        for each in made
        for path in figures_of(each)
    ]
    click.echo(json.dumps(rows, indent=2, ensure_ascii=False) if as_json else "\n".join(row["figure"] for row in rows))
