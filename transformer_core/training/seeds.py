"""What every recipe does alike: one training for each seed, timed and told about, and a folder with model and card."""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from transformer_core.errors import InputError
from transformer_core.model import Transformer
from transformer_core.sources.bundled import save_folder
from transformer_core.tokens import WordTokenizer

SeedProgress = Callable[[int, int, int, float], None]
"""Told (seed, steps done, steps in all, loss) after every step."""
Told = Callable[[int, int, float], None]
"""The same for one seed."""
Made = TypeVar("Made")


def for_each_seed(
    seeds: Sequence[int], train_one: Callable[[int, Told], Made], *, progress: SeedProgress | None
) -> tuple[dict[int, Made], int]:
    """What `train_one(seed, told)` gives for each seed, and the whole seconds of processor time that one took.

    Raises InputError for no seed.
    """
    if not seeds:
        raise InputError("no seed", "there is nothing to train", "give at least one")
    started, made = time.process_time(), {}
    for seed in seeds:

        def told(done: int, steps: int, loss: float, seed: int = seed) -> None:
            if progress is not None:
                progress(seed, done, steps, loss)

        made[seed] = train_one(seed, told)
    return made, round((time.process_time() - started) / len(seeds))


def refuse_corpus(corpus_file: Path | None, *, why: str) -> None:
    """Raises InputError where a lecturer's sentences are given to a recipe that has no use for them."""
    if corpus_file is not None:
        raise InputError(str(corpus_file), why, "leave it out")


def write_model(
    folder: Path,
    model: Transformer,
    tokenizer: WordTokenizer,
    *,
    card: Mapping[str, Any],
    page: Callable[[Mapping[str, Any]], str],
) -> None:
    """Writes the model folder: weights, words, card, and the card as a page for people."""
    save_folder(folder, model, tokenizer, card=card)
    (folder / "README.md").write_text(page(card), encoding="utf-8")
