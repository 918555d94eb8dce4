"""`chapter`: a page whose videos, figures and numbers are the model's."""

from __future__ import annotations

import click

from pipeline.chapter.targets import TARGETS
from pipeline.commands._options import MEDIA


@click.command()
@click.argument("chapter", metavar="CHAPTER.md")
@click.option("-o", "--output", metavar="DIR", help="Where the page goes.  [default: media/NAME/]")
@click.option("--media", metavar="DIR", help="Where its videos and figures go.  [default: DIR/media/]")
@click.option(
    "--target", type=click.Choice(TARGETS), default="html", show_default=True, help="The tool that makes the page."
)
@click.option("--quality", help="The quality of every video, above what the chapter says.")
@click.option("--theme", help="dark, light, print or both, above what the chapter says.")
@click.option("--pace", metavar="X", help="Multiplies every duration, above what the chapter says.")
@click.option(
    "-j", "--jobs", type=click.IntRange(1, 256), help="Pictures at a time.  [default: as cores and memory allow]"
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout and nothing else.")
@click.option("--quiet", is_flag=True, help="No progress.")
def command(
    chapter: str,
    output: str | None,
    media: str | None,
    target: str,
    quality: str | None,
    theme: str | None,
    pace: str | None,
    jobs: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Builds a chapter, and prints the path of its page. The chapter itself is never changed.

    A chapter is Markdown that names its assets where they belong:

    \b
      {{ video qkv prompt="a small green dragon slept" }}
      {{ figure qkv:softmax theme=print }}
      The weight is {{ number qkv.pattern query=creature key=blue }}.

    What was drawn before is not drawn again. docs/guide/chapters.md has every directive.

    \b
    Examples:
      python cli.py chapter docs/chapter/attention.en.md --quality draft
      python cli.py chapter lecture.md --target quarto -o site/
    """
    import json
    from pathlib import Path

    from pipeline.chapter.build import Order, build_chapter

    source = Path(chapter)
    asked = {"quality": quality, "theme": theme, "pace": pace}
    order = Order(
        folder=Path(output) if output else MEDIA / source.stem,
        media=Path(media) if media else None,
        target=target,
        asked={key: value for key, value in asked.items() if value is not None},
        parallel=jobs,
        quiet=quiet or as_json,
    )
    built = build_chapter(source, order)
    if as_json:
        row = {"page": str(built.page), "assets": dict(built.how), "numbers": built.numbers}
        click.echo(json.dumps(row, ensure_ascii=False, indent=2))
    else:
        click.echo(str(built.page))
