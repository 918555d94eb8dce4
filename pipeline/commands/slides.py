"""`slides`: scenes as a deck for a lecture."""

from __future__ import annotations

from typing import Any

import click

from pipeline import slides as forms_of_decks
from pipeline.commands._options import MEDIA, command_line, film_options, look_options, read_specs, subject_options


@click.command()
@click.argument("scenes", nargs=-1, required=True, metavar="SCENE...")
@click.option(
    "--format",
    "forms",
    multiple=True,
    type=click.Choice(forms_of_decks.names()),
    help="Form; repeat it for several.  [default: as -o ends, else html]",
)
@film_options
@subject_options
@click.option(
    "--lang",
    multiple=True,
    type=click.Choice(["en", "zh"]),
    help="Language; repeat it for a deck in each.  [default: en]",
)
@look_options
@click.option("--beat", metavar="NAME", help="Only this beat.")
@click.option("--notes", is_flag=True, help="In a PDF: pages for paper, with the notes under each picture.")
@click.option(
    "-o", "--output", metavar="PATH", help="The file, or a folder.  [default: media/SCENE/, or media/slides/]"
)
@click.option("--open", "open_after", is_flag=True, help="Open the first deck afterwards.")
@click.option("--json", "as_json", is_flag=True, help="One JSON array on stdout and nothing else.")
@click.option("--quiet", is_flag=True, help="No progress.")
def command(
    scenes: tuple[str, ...],
    forms: tuple[str, ...],
    lang: tuple[str, ...],
    fps: int | None,
    notes: bool,
    output: str | None,
    open_after: bool,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Makes a deck for a lecture of scenes, all in one, and prints its path; `all` stands for every scene.

    A title slide for each scene, then a slide for each beat: its film, which plays when it is asked to and stops on
    its last picture, its captions, and notes that tell its numbers. html is one file that needs a browser and no
    network; pptx is for PowerPoint; pdf has the pictures as vectors. The ledger of every number lies beside the deck.

    \b
    Examples:
      python cli.py slides qkv
      python cli.py slides embedding qkv --format pptx --theme light -o lecture.pptx
      python cli.py slides qkv --format pdf --notes --theme print --lang zh
    """
    import json

    from pipeline.slides._make import make_slides

    pairs = read_specs(scenes, lang, frames_per_second=fps, **options)
    made = make_slides(pairs, forms=forms, notes=notes, output=output, media=MEDIA, quiet=quiet, command=command_line())
    rows = [
        {
            "deck": str(path),
            "format": path.suffix[1:],
            "language": each.made[0].request.asked.language,
            "slides": each.slide_count,
            "digests": [scene.request.trace.digest for scene in each.made],
        }
        for each in made
        for path in each.files
    ]
    click.echo(json.dumps(rows, indent=2, ensure_ascii=False) if as_json else "\n".join(row["deck"] for row in rows))
    if open_after:
        click.launch(rows[0]["deck"])
