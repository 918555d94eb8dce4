"""`build`: a course is made again where it is stale, and nowhere else."""

from __future__ import annotations

import click


def read_shard(_: click.Context, __: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """`2/3` as (2, 3)."""
    if value is None:
        return None
    number, slash, count = value.partition("/")
    if not slash or not number.isdecimal() or not count.isdecimal() or not 1 <= int(number) <= int(count):
        raise click.BadParameter(f"{value!r} is no part; type 1/3 for the first of three.")
    return int(number), int(count)


@click.command()
@click.argument("course", required=False, metavar="[COURSE.toml]")
@click.option("--only", multiple=True, metavar="NAME", help="Only this asset, block or scene; * stands for anything.")
@click.option(
    "-j", "--jobs", type=click.IntRange(1, 256), help="Pictures at a time.  [default: as cores and memory allow]"
)
@click.option("--shard", callback=read_shard, metavar="I/N", help="Only the I-th of N parts of the course.")
@click.option("--cluster", metavar="ADDRESS", help="Draw on a dask.distributed cluster: tcp://scheduler:8786.")
@click.option("--keep-going", is_flag=True, help="Go on with the others when one fails.")
@click.option("--report", metavar="PATH", help="Write a page of what changed: pictures before and after, numbers.")
@click.option("--dry-run", is_flag=True, help="Say what would be done and how long it takes.")
@click.option("--json", "as_json", is_flag=True, help="One JSON array on stdout and nothing else.")
@click.option("--quiet", is_flag=True, help="No progress.")
def command(
    course: str | None,
    only: tuple[str, ...],
    jobs: int | None,
    shard: tuple[int, int] | None,
    cluster: str | None,
    keep_going: bool,
    report: str | None,
    dry_run: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Makes what `status` lists, and prints the name of each asset that was made.

    A picture is drawn only when something that it shows has changed. Where a new model leaves every shown digit as it
    was, ledger, captions and marks are renewed instead. Stopped with Ctrl-C, or however it ends, it goes on where it
    was when it is started again.

    Shards of several machines merge by copying their .course folders into one; a cluster needs no shared disk.

    \b
    Examples:
      python cli.py build
      python cli.py build --dry-run
      python cli.py build lectures/course.toml --only "qkv*" -j 2 --keep-going
      python cli.py build --shard 1/3
      python cli.py build --cluster tcp://scheduler:8786
    """
    from pipeline.course.session import Wishes, build

    wishes = Wishes(
        only=only,
        parallel=jobs,
        shard=shard,
        cluster=cluster,
        keep_going=keep_going,
        dry_run=dry_run,
        quiet=quiet,
        report=report,
    )
    build(course, wishes, say=click.echo, as_json=as_json)
