"""`numbers`: the numbers that a scene shows."""

from __future__ import annotations

import sys
from typing import Any

import click

from pipeline.commands._options import command_line, look_options, read_specs, subject_options
from pipeline.publish import number_formats


@click.command()
@click.argument("scene", metavar="SCENE")
@subject_options
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="Language.")
@look_options
@click.option("--beat", metavar="NAME", help="Only this beat.")
@click.option(
    "--format", "form", type=click.Choice(number_formats.names()), default="json", show_default=True, help="Form."
)
@click.option("--quiet", is_flag=True, help="No progress.")
def command(scene: str, lang: str, form: str, quiet: bool, **options: Any) -> None:
    """Writes every number that a scene shows to stdout, with its address and exact value, without a video.

    json is the whole ledger; csv and npz have a row for each number and beat; latex is a tabular of address,
    text as shown and exact value.

    \b
    Examples:
      python cli.py numbers qkv --format csv > numbers.csv
      python cli.py numbers qkv --beat softmax --format latex > softmax.tex
    """
    from pipeline.publish.make import list_numbers
    from transformer_core.errors import InputError

    if form == "npz" and sys.stdout.isatty():
        raise InputError("npz on a terminal", "it is no text", "send it to a file: … --format npz > numbers.npz")
    asked = read_specs((scene,), (lang,), quality="draft", **options)
    if len(asked) > 1:
        raise InputError(f"scene {scene!r}", f"it is {len(asked)} scenes, one table holds one", "name one scene")
    [(entry, spec)] = asked
    data = list_numbers(entry, spec, quiet=quiet, command=command_line())
    click.echo(number_formats.write(data, form=form), nl=False)
