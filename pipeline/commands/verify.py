"""`verify`: published numbers against the model, computed again."""

from __future__ import annotations

import click

from pipeline.commands._options import MEDIA


@click.command()
@click.argument("assets", nargs=-1, metavar="ASSET...")
@click.option("--all", "everything", is_flag=True, help="Everything below media/, and of the course.")
@click.option("--course", metavar="COURSE.toml", help="The course whose names count.  [default: course.toml]")
@click.option("--model", metavar="NAME|FOLDER", help="Another model than the one that the ledger names.")
@click.option("--json", "as_json", is_flag=True, help="One JSON array on stdout and nothing else.")
@click.pass_context
def command(
    ctx: click.Context, assets: tuple[str, ...], everything: bool, course: str | None, model: str | None, as_json: bool
) -> None:
    """Runs the model again and compares every number that a video shows.

    ASSET is a video, a figure, its ledger, their common stem, or the name of an asset, a block or a scene of the
    course. Exits with 3 when a shown digit or a drawn size
    differs, or captions, chapters or a transcript beside it were changed, and names the place; other last bits
    from another CPU or torch are no difference.

    \b
    Examples:
      python cli.py verify media/qkv/qkv.en.high.mp4
      python cli.py verify pattern-figure
      python cli.py verify --all
    """
    import json
    from dataclasses import asdict
    from pathlib import Path

    from pipeline.course.course import STANDARD
    from pipeline.course.ledgers import Published, all_published, published
    from pipeline.publish.verify import find_ledgers, verify
    from transformer_core.errors import InputError

    file = Path(course) if course is not None else STANDARD
    if course is not None and not file.exists():
        raise InputError(course, "there is no such file", "name a course file")
    chosen = [each for asset in assets for each in published(asset, course=file)]
    if everything:
        own = all_published(file)
        paths = {Path(each.ledger) for each in own}
        chosen += [*own, *(Published(path) for path in find_ledgers(MEDIA) if Path(path) not in paths)]
    if not chosen:
        why = f"there is no ledger below {MEDIA}/" if everything else "none was named"
        raise InputError("assets", why, "give a video, such as media/qkv/qkv.en.high.mp4")
    verdicts = [verify(each.ledger, model=model or each.model) for each in chosen]
    if as_json:
        rows = [asdict(verdict) | {"words": verdict.words} for verdict in verdicts]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(verdict.words for verdict in verdicts))
    ctx.exit(3 if any(verdict.differences for verdict in verdicts) else 0)
