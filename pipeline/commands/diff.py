"""`diff`: two runs of one prompt, number by number."""

from __future__ import annotations

import click


@click.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option("--prompt", metavar="TEXT", help="The sentence.  [default: that of a trace, else model A's own]")
@click.option("--weights/--no-weights", default=True, show_default=True, help="Also the weights themselves.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout and nothing else.")
def command(first: str, second: str, prompt: str | None, weights: bool, as_json: bool) -> None:
    """Compares two traces or models on one prompt: for each quantity how many numbers changed, and the largest change.

    A and B are trace files, or models by name or folder. Largest changes come first; a number is written with as many
    decimals as tell its two values apart.

    \b
    Examples:
      python cli.py diff glass media/models/glass
      python cli.py diff before.safetensors after.safetensors --no-weights
    """
    import json
    from dataclasses import asdict

    from pipeline.differences import differences, only_in_one, two_runs

    one, two = two_runs(first, second, prompt=prompt)
    found = [each for each in differences(one, two) if weights or each.role != "weight"]
    missing = only_in_one(one, two)
    if as_json:
        about = {"prompt": one.spec.prompt, "digests": [one.digest, two.digest], "only_in_one": list(missing)}
        rows = [asdict(each) for each in found]
        click.echo(json.dumps(about | {"differences": rows}, ensure_ascii=False, indent=2))
        return
    width = max((len(each.name) for each in found), default=0)
    for each in found:
        click.echo(f"{each.name:<{width}}  {each.words}")
    if missing:
        click.echo(f"only in one of them: {', '.join(missing)}")
    if not found and not missing:
        click.echo("no number differs")
