"""`build`: a course is made again where it is stale, and nowhere else."""

from __future__ import annotations

import click


@click.command()
@click.argument("course", required=False, metavar="[COURSE.toml]")
@click.option("--only", multiple=True, metavar="NAME", help="Only this asset, block or scene; * stands for anything.")
@click.option(
    "-j", "--jobs", type=click.IntRange(1, 256), help="Pictures at a time.  [default: as cores and memory allow]"
)
@click.option("--keep-going", is_flag=True, help="Go on with the others when one fails.")
@click.option("--dry-run", is_flag=True, help="Say what would be done and how long it takes.")
@click.option("--json", "as_json", is_flag=True, help="One JSON array on stdout and nothing else.")
@click.option("--quiet", is_flag=True, help="No progress.")
def command(
    course: str | None,
    only: tuple[str, ...],
    jobs: int | None,
    keep_going: bool,
    dry_run: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Makes what `status` lists, and prints the name of each asset that was made.

    A picture is drawn only when something that it shows has changed. Where a new model leaves every shown digit as it
    was, ledger, captions and marks are renewed instead. Stopped with Ctrl-C, or however it ends, it goes on where it
    was when it is started again.

    \b
    Examples:
      python cli.py build
      python cli.py build --dry-run
      python cli.py build lectures/course.toml --only "qkv*" -j 2 --keep-going
    """
    from pipeline.course.session import Wishes, build

    wishes = Wishes(only=only, parallel=jobs, keep_going=keep_going, dry_run=dry_run, quiet=quiet)
    build(course, wishes, say=click.echo, as_json=as_json)
