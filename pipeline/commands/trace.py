"""`trace`: one forward pass, kept whole, in a file."""

from __future__ import annotations

import click

from pipeline.commands._options import MEDIA

ENDING = ".safetensors"


@click.command()
@click.argument("prompt", metavar="PROMPT")
@click.option("--model", default="glass", show_default=True, metavar="NAME|FOLDER", help="The model.")
@click.option("--cut", type=(int, int), metavar="LAYER HEAD", help="Also run the model without this head, from 1.")
@click.option("--device", type=click.Choice(["cpu", "cuda", "auto"]), default="cpu", show_default=True, help="Where.")
@click.option("-o", "--output", metavar="FILE", help="The file.  [default: media/traces/MODEL-DIGITS.safetensors]")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout and nothing else.")
def command(
    prompt: str, model: str, cut: tuple[int, int] | None, device: str, output: str | None, as_json: bool
) -> None:
    """Runs PROMPT through a model, keeps every number, and prints the path of the trace.

    \b
    Examples:
      python cli.py trace "a fluffy blue creature roamed the verdant forest"
      python cli.py trace "a red dragon" --cut 1 1 -o dragon.safetensors
    """
    import json

    from pipeline.publish.destination import destination
    from pipeline.render.request import device_of
    from pipeline.render.workspace import check_free, check_writable, unwritable
    from transformer_core.capture import capture
    from transformer_core.sources import load_model

    folder, stem = destination(output, default=MEDIA / "traces", ending=ENDING)
    check_writable(folder)
    place = None if cut is None else (cut[0] - 1, cut[1] - 1)
    trace = capture(load_model(model), prompt, cut=place, device=device_of(device))
    spec = trace.spec
    path = folder / f"{stem or f'{spec.model_name}-{trace.digest[:12]}'}{ENDING}"
    check_free(folder, path.name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error) from None
    trace.save(path)
    about = {
        "file": str(path),
        "digest": trace.digest,
        "model": spec.model_name,
        "tokens": spec.tokens,
        "quantities": len(trace.names()),
    }
    if as_json:
        click.echo(json.dumps(about, ensure_ascii=False, indent=2))
    else:
        click.echo(repr(trace), err=True)
        click.echo(str(path))
