"""`numbers`: the numbers that a scene shows."""

from __future__ import annotations

from typing import Any

import click

from pipeline.commands._options import command_line, look_options, read_specs, subject_options


@click.command()
@click.argument("scene", metavar="SCENE")
@subject_options
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="Language.")
@look_options
@click.option("--beat", metavar="NAME", help="Only this beat.")
@click.option("--format", "form", type=click.Choice(["json", "csv"]), default="json", show_default=True, help="Form.")
@click.option("--quiet", is_flag=True, help="No progress.")
def command(scene: str, lang: str, form: str, quiet: bool, **options: Any) -> None:
    """Writes every number that a scene shows to stdout, with its address and exact value, without a video.

    \b
    Examples:
      python cli.py numbers qkv --format csv > numbers.csv
      python cli.py numbers qkv --beat softmax
    """
    import json

    from pipeline.publish.make import list_numbers, numbers_csv

    [(entry, spec)] = read_specs((scene,), (lang,), quality="draft", **options)
    data = list_numbers(entry, spec, quiet=quiet, command=command_line())
    text = numbers_csv(data) if form == "csv" else json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    click.echo(text, nl=False)
