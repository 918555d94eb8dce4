"""`scenes`: what can be rendered."""

from __future__ import annotations

import click


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON array on stdout and nothing else.")
def command(as_json: bool) -> None:
    """Lists the scenes and their beats.

    \b
    Examples:
      python cli.py scenes
      python cli.py scenes --json
    """
    import json

    from pipeline.catalogue import catalogue

    entries = catalogue()
    if as_json:
        rows = [
            {
                "name": entry.name,
                "class": entry.class_name,
                "titles": dict(entry.titles),
                "beats": entry.beats,
                "model": entry.default_model,
                "description": entry.description,
            }
            for entry in entries
        ]
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
        return
    for entry in entries:
        click.echo(f"{entry.name:<12} {entry.class_name}: {entry.titles['en']}")
        click.echo(f"{'':<12} beats: {', '.join(entry.beats)}")
