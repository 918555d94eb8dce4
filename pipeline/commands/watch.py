"""`watch`: edit, and see the sheet at once."""

from __future__ import annotations

import click


@click.command()
@click.argument("course", required=False, metavar="[COURSE.toml]")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Of the page.  [default: any that is free]")
@click.option("--open", "open_page", is_flag=True, help="Open the page.")
def command(course: str | None, port: int, open_page: bool) -> None:
    """Draws the sheet of a scene again whenever its code, texts, theme, fonts or model were edited, until Ctrl-C.

    Prints the address of a page on this machine that shows the sheets, the last edited first, and reloads itself.

    \b
    Examples:
      python cli.py watch --open
      python cli.py watch lectures/course.toml
    """
    from pathlib import Path

    from pipeline.course.course import STANDARD
    from pipeline.course.watch import watch

    def started(address: str) -> None:
        click.echo(address)
        if open_page:
            click.launch(address)

    path = Path(course) if course is not None else STANDARD
    watch(path, port=port, say=lambda line: click.echo(line, err=True), started=started)
