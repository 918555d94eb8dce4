"""`verify`: published numbers against the model, computed again."""

from __future__ import annotations

import click

from pipeline.commands._options import MEDIA


@click.command()
@click.argument("assets", nargs=-1, metavar="ASSET...")
@click.option("--all", "everything", is_flag=True, help="Everything below media/.")
@click.option("--model", metavar="NAME|FOLDER", help="Another model than the one that the ledger names.")
@click.option("--json", "as_json", is_flag=True, help="One JSON array on stdout and nothing else.")
@click.pass_context
def command(ctx: click.Context, assets: tuple[str, ...], everything: bool, model: str | None, as_json: bool) -> None:
    """Runs the model again and compares every number that a video shows.

    ASSET is a video, its ledger or their common stem. Exits with 3 when a shown digit or a drawn size
    differs, and names it; other last bits from another CPU or torch are no difference.

    \b
    Examples:
      python cli.py verify media/qkv/qkv.en.high.mp4
      python cli.py verify --all
    """
    import json
    from dataclasses import asdict

    from pipeline.publish.verify import find_ledgers, verify
    from transformer_core.errors import InputError

    chosen = [*assets, *(find_ledgers(MEDIA) if everything else ())]
    if not chosen:
        why = f"there is no ledger below {MEDIA}/" if everything else "none was named"
        raise InputError("assets", why, "give a video, such as media/qkv/qkv.en.high.mp4")
    verdicts = [verify(asset, model=model) for asset in chosen]
    if as_json:
        rows = [asdict(verdict) | {"words": verdict.words} for verdict in verdicts]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(verdict.words for verdict in verdicts))
    ctx.exit(3 if any(verdict.differences for verdict in verdicts) else 0)
