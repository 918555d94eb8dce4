"""`gc`: the store without what nothing needs any more."""

from __future__ import annotations

import click


@click.command()
@click.argument("course", required=False, metavar="[COURSE.toml]")
@click.option("--dry-run", is_flag=True, help="Only say how much would go.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout and nothing else.")
def command(course: str | None, dry_run: bool, as_json: bool) -> None:
    """Removes from the store what neither the lock file names nor the next build would use.

    What other courses of the folder, and the chapters in it, have published is kept.

    \b
    Examples:
      python cli.py gc --dry-run
      python cli.py gc
    """
    import json

    from pipeline.course.garbage import collect
    from pipeline.course.open import open_course, open_others

    opened = open_course(course)
    files, size = collect(opened, open_others(opened.course), dry_run=dry_run)
    if as_json:
        click.echo(json.dumps({"files": files, "bytes": size}))
    else:
        click.echo(f"{files} files, {size / 1e6:.1f} MB {'could go' if dry_run else 'removed'}")
