"""`embed`: a published video or figure on a page, in a deck, in a notebook."""

from __future__ import annotations

import click

from pipeline.commands._options import LANGUAGES, MEDIA
from pipeline.publish import embeds


@click.command()
@click.argument("asset", metavar="ASSET")
@click.option("--target", required=True, type=click.Choice(embeds.names()), help="The tool that makes the page.")
@click.option("--write", metavar="FILE", help="Insert it into this page, or bring it up to date there.")
@click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    help="Of which language, where the name leaves it open.",
)
@click.option("--inline-captions", is_flag=True, help="Captions inside the page, which is then opened from disk.")
def command(asset: str, target: str, write: str | None, lang: str, inline_captions: bool) -> None:
    """Prints what shows a video or a figure on a page: player, poster, captions, chapters, text alternative.

    ASSET is a published file, its stem, a name of course.toml, or what lies in media/: a scene's video by the
    scene's name, a figure as SCENE:BEAT.
    Addresses are as seen from the current folder; with --write, as that page needs them, and the page's path
    is printed. There the snippet stands between two comments, and is replaced when the command is run again;
    nothing else in the page changes.

    \b
    Examples:
      python cli.py embed qkv --target html
      python cli.py embed qkv:softmax --target markdown --write lecture.md
      python cli.py embed docs/_static/qkv.en.high.mp4 --target sphinx --write docs/attention.rst
      python cli.py embed qkv --target pptx --write lecture.pptx
    """
    from pathlib import Path

    from pipeline.course.course import STANDARD
    from pipeline.course.named import asset_named
    from pipeline.publish.embeds._asset import Asset
    from pipeline.publish.embeds._find import find
    from pipeline.publish.embeds._page import Page
    from pipeline.publish.embeds._write import place

    tool = embeds.load(target)
    page = Page(Path(write or f"page{tool.ENDINGS[0]}"))
    named = asset_named(asset, language=lang, file=STANDARD)
    shown = find(str(named or asset), language=lang, media=MEDIA, inline=inline_captions)
    if isinstance(shown.asset, Asset) and shown.asset.moves:
        click.echo(f"note: nobody can stop {shown.asset.video.name}; a film can be: --format mp4", err=True)
    if write is None:
        click.echo(tool.snippet(shown, page))
    else:
        click.echo("\n".join(str(path) for path in place(tool, shown, page, name=target)))
