"""`models`: the bundled models: which there are, what is claimed of them, how they are made again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

MODEL_FILES = ("README.md", "card.json", "config.json", "model.safetensors", "vocabulary.json")


@click.group()
def command() -> None:
    """Lists, shows, trains and checks the bundled models.

    \b
    Example:
      python cli.py models list
      python cli.py models show glass
      python cli.py models check glass
      python cli.py models train glass
      python cli.py models train glass --corpus my-sentences.txt -o my-model
    """


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON array on stdout and nothing else.")
def list_models(as_json: bool) -> None:
    """One line for each bundled model: name, size, title.

    \b
    Example:
      python cli.py models list
    """
    import json

    from transformer_core.sources import load_model, model_names

    rows = []
    for loaded in map(load_model, model_names()):
        weights = sum(weight.numel() for weight in loaded.model.weights.values())
        title = loaded.card.get("title", {}).get("en", loaded.name)
        words = len(loaded.tokenizer.vocabulary)
        rows.append({"name": loaded.name, "weights": weights, "words": words, "title": title})
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for row in rows:
        click.echo(f"{row['name']:<12} {row['weights']:>8,} weights {row['words']:>6,} words  {row['title']}")


@command.command("show")
@click.argument("model")
@click.option("--json", "as_json", is_flag=True, help="The card's data as one JSON object on stdout.")
def show(model: str, as_json: bool) -> None:
    """The card of a model: its claims with seeds, spread and chance, and how it was trained.

    \b
    Example:
      python cli.py models show glass
    """
    import json

    from transformer_core.errors import InputError
    from transformer_core.sources import load_model
    from transformer_core.training.recipes import recipe_of

    card = load_model(model).card
    if "claims" not in card or "training" not in card:
        raise InputError(f"model {model!r}", "it has no card", "try 'glass'")
    if as_json:
        click.echo(json.dumps(card, ensure_ascii=False, indent=2))
        return
    with _readable(model, "read it with --json"):
        page = recipe_of(card).page(card)
    click.echo(page.rstrip())


@command.command("check")
@click.argument("model")
def check(model: str) -> None:
    """Measures the claims on a model's card again; exits with 1 where the card says something else.

    \b
    Example:
      python cli.py models check glass
    """
    from transformer_core.sources import load_model
    from transformer_core.training.recipes import recipe_of

    loaded = load_model(model)
    with _readable(model, "give a bundled model, or one made by models train"):
        entries = recipe_of(loaded.card).check(loaded)
    for entry in entries:
        click.echo(f"claim {entry['id']} of {model}: as the card says")


@command.command("train")
@click.argument("model")
@click.option("--corpus", type=click.Path(path_type=Path), help="A lecturer's own sentences, one a line.")
@click.option("--seed", "seeds", type=int, multiple=True, help="Repeat it for several.  [default: the recipe's own]")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The folder to write. [default: media/models/MODEL]",
)
def train(model: str, corpus: Path | None, seeds: tuple[int, ...], output: Path | None) -> None:
    """Trains a bundled model again, or the same shape on other sentences, into a folder that --model takes.

    The same seed gives the same weights on one machine. Chinese sentences need spaces between the words.

    \b
    Example:
      python cli.py models train glass
      python cli.py models train glass --seed 0 --seed 1 --seed 2
      python cli.py models train glass --corpus my-sentences.txt -o my-model
    """
    import os
    import shutil
    import tempfile

    from rich.console import Console
    from rich.progress import Progress, TaskID

    from transformer_core.errors import InputError
    from transformer_core.training import recipes

    recipe = recipes.recipe(model)
    folder = output or Path("media") / "models" / model
    if folder.exists() and not _may_be_replaced(folder):
        raise InputError(str(folder), "it is there and is no model folder", "give another folder with -o")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=".training-", dir=folder.parent))
    except OSError as error:
        raise InputError(str(folder), f"cannot be written ({error.strerror})", "give another folder with -o") from None
    try:
        made = work / folder.name
        with Progress(console=Console(stderr=True), transient=True) as bars:
            tasks: dict[int, TaskID] = {}

            def told(seed: int, done: int, steps: int, loss: float) -> None:
                if seed not in tasks:
                    tasks[seed] = bars.add_task(f"seed {seed}", total=steps)
                if done % 20 == 0 or done == steps:
                    bars.update(tasks[seed], completed=done, description=f"seed {seed}, loss {loss:.2f}")

            recipe.make(made, seeds=seeds or recipe.seeds, corpus_file=corpus, progress=told)
        if folder.exists():
            os.replace(folder, work / "before")
        os.replace(made, folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    click.echo(str(folder))


@contextmanager
def _readable(model: str, instead: str) -> Iterator[None]:
    """Raises InputError where a card from elsewhere lacks what those of the bundled models have."""
    from transformer_core.errors import InputError

    try:
        yield
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        what = f"{type(error).__name__}: {error}"
        raise InputError(f"model {model!r}", f"its card is not as the bundled models' are ({what})", instead) from None


def _may_be_replaced(folder: Path) -> bool:
    """Whether a folder holds the files of a model and no other, so that nothing else is lost with it."""
    return folder.is_dir() and all(path.name in MODEL_FILES for path in folder.iterdir())
