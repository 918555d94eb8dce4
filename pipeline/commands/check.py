"""`check`: what pages show, held against the model as it is."""

from __future__ import annotations

import click

from pipeline.commands._options import MEDIA


@click.command()
@click.argument("chapters", nargs=-1, required=True, metavar="CHAPTER.md...")
@click.option("-o", "--output", metavar="DIR", help="The folder that `chapter` built to.  [default: media/NAME/]")
@click.option("--json", "as_json", is_flag=True, help="One JSON array on stdout and nothing else.")
@click.pass_context
def command(ctx: click.Context, chapters: tuple[str, ...], output: str | None, as_json: bool) -> None:
    """Finds what a page shows that is stale, missing or unknown, and numbers in prose that no longer match.

    CHAPTER.md is a chapter, a page that `chapter` built, or a page, notebook or deck that `embed --write` wrote
    into.
    Exits with 3 when there is anything to mend.

    \b
    Examples:
      python cli.py check docs/chapter/attention.en.md
      python cli.py check media/attention.en/attention.en.html lecture/attention.html deck.pptx --json
    """
    import json
    from dataclasses import asdict
    from pathlib import Path

    from pipeline.chapter.check import check

    found = [
        each
        for chapter in chapters
        for each in check(Path(chapter), output=Path(output) if output else MEDIA / Path(chapter).stem)
    ]
    bad = [each for each in found if each.bad]
    if as_json:
        click.echo(json.dumps([asdict(each) for each in found], ensure_ascii=False, indent=2))
    else:
        for each in bad:
            click.echo(str(each))
        kinds = ("chapter", "video", "figure", "number")
        counts = {kind: sum(each.kind == kind for each in found) for kind in kinds}
        told = [f"{count} {kind}{'s' if count != 1 else ''}" for kind, count in counts.items() if count]
        click.echo(f"{', '.join(told) or 'nothing of ours'}: {f'{len(bad)} to mend' if bad else 'all current'}")
    ctx.exit(3 if bad else 0)
