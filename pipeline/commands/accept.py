"""`accept`: an asset stays as it is, for a reason."""

from __future__ import annotations

import click


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--because", required=True, metavar="TEXT", help="The reason; it stands in the lock file.")
@click.option("--course", metavar="COURSE.toml", help="The course file.  [default: course.toml]")
def command(names: tuple[str, ...], because: str, course: str | None) -> None:
    """Takes a stale asset as it is until its inputs change once more, and writes the reason into course.lock.

    `verify` is not impressed: it goes on comparing the numbers with the model.

    \b
    Examples:
      python cli.py accept qkv.en.high.mp4 --because "only a name in the code changed"
    """
    from dataclasses import replace

    from pipeline.course.lock import change_lock, lock_path
    from pipeline.course.open import open_course
    from transformer_core.errors import InputError

    if not because.strip() or not because.isprintable():
        raise InputError("--because", "it gives no reason in one line", "say why the asset may stay")
    opened = open_course(course, only=names)
    accepted = {}
    for state in opened.states:
        if state.condition == "missing":
            raise InputError(state.asset.name, "it was never built, so there is nothing to accept", "build it")
        if state.condition in ("stale", "unsure", "accepted") and state.made:
            keys = {"picture": state.inputs.picture_key, "numbers": state.inputs.numbers_key}
            accepted[state.asset.name] = replace(state.made, accepted={"because": because.strip(), **keys})
    altered = next((state for state in opened.states if state.condition == "altered"), None)
    if altered and not accepted:
        why = f"what is accepted is its inputs, and it is files that were changed: {altered.why}"
        raise InputError(altered.asset.name, why, "build puts them back and keeps yours beside")
    if not accepted:
        raise InputError(", ".join(names), "nothing of it is stale", "see: python cli.py status")
    change_lock(lock_path(opened.course.path), accepted)
    click.echo("\n".join(accepted))
