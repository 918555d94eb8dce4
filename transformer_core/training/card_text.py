"""A card's data as a page that people read: README.md beside the weights, and `models show`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def card_text(card: Mapping[str, Any]) -> str:
    """Markdown, every figure taken from the card."""
    lines = [f"# {card['title']['en']}", ""]
    lines += ["This page is made from `card.json`; do not edit it.", ""]
    for claim in card["claims"]:
        lines += [*_CLAIMS[claim["id"]](claim), ""]
    if "default_prompt_figures" in card:
        lines += [*_prompts(card), ""]
    lines += [*_training(card), "", f"Licence: {card['licence']}.", ""]
    return "\n".join(lines)


def _binding(claim: Mapping[str, Any]) -> Iterator[str]:
    yield "## At a noun the head looks at that noun's own adjectives"
    yield ""
    yield (
        f"Mean over {claim['n']} sentences with a noun phrase that training never had, after another noun "
        f"with other adjectives: **{_two(claim['mean'])}** of the head's weight is on the noun's own "
        f"adjectives, {_two(claim['other'])} on the other noun's."
    )
    yield ""
    yield "| what chance gives | share |"
    yield "|---|---|"
    for name, share in claim["chances"].items():
        yield f"| {name} | {_two(share)} |"
    yield ""
    yield f"Seeds tried: {_list(claim['seeds'])}. Own adjectives: {_figures(claim['spread'])}."
    yield f"Other adjectives: {_figures(claim['spread_other'])}."


def _effect(claim: Mapping[str, Any]) -> Iterator[str]:
    yield "## That matters: the next word depends on it"
    yield ""
    yield (
        "P(the next word depends on the noun's own adjectives: one of them again, or the verb of a mood), "
        f"mean over the same {claim['n']} sentences: **{_two(claim['with'])}** with this ΔE, "
        f"**{_two(claim['without'])}** with ΔE = 0. The corpus itself: {_two(claim['corpus'])}. A reader who "
        "knows how often adjectives are said again, but not which: "
        f"{_two(claim['chance'])}. On the other noun's adjectives: {_two(claim['other'])}."
    )
    yield ""
    yield f"Seeds tried: {_list(claim['seeds'])}. With ΔE: {_figures(claim['spread'])}."
    yield f"ΔE = 0: {_figures(claim['spread_without'])}."


def _answer(claim: Mapping[str, Any]) -> Iterator[str]:
    yield f"## An answer that the corpus gives {100 * claim['corpus']:.0f} times in 100"
    yield ""
    for figures in claim["prompts"].values():
        yield f"- “{figures['prompt']}” → {figures['word']}: P = **{_two(figures['model'])}**"
    yield ""
    both = "; ".join(f"{seed}: {_figures(pair)}" for seed, pair in zip(claim["seeds"], claim["spread"], strict=True))
    yield f"By seed: {both}."


_CLAIMS = {"binding": _binding, "effect": _effect, "answer": _answer}


def _prompts(card: Mapping[str, Any]) -> Iterator[str]:
    yield "## The default prompts"
    for figures in card["default_prompt_figures"].values():
        visible = zip(figures["tokens"], figures["weights"][: figures["query"] + 1], strict=False)
        yield ""
        yield f"“{figures['tokens'][figures['query']]}” looks at " + ", ".join(
            f"{word} {_two(share)}" for word, share in visible
        )
        yield (
            f"and P({' or '.join(figures['adjectives'])}) is {_two(figures['with'])} with ΔE, "
            f"{_two(figures['without'])} with ΔE = 0."
        )


def _training(card: Mapping[str, Any]) -> Iterator[str]:
    training = card["training"]
    settings = training["settings"]
    yield "## Training"
    yield ""
    yield (
        f"Corpus: {training['corpus']}, {training['sentences']} sentences, {training['words']} words. "
        f"{settings['steps']} steps of {settings['batch']} sentences, learning rate {settings['rate']}, "
        f"weight decay {settings['weight_decay']}, no label smoothing, seed {training['seed']}; every "
        f"weight then rounded to {training['weights_on_grid']}. All of the above is measured on the rounded weights. "
        f"In every {settings['silent_every']}th step ΔE was 0, so that the model without it is no stranger to it."
    )
    if "seconds_per_seed" in training:
        yield f"It took {training['seconds_per_seed']} seconds on one core."
    if "chosen_by" in training:
        yield ""
        yield f"How the seed was chosen: {training['chosen_by']}"


def _two(value: float) -> str:
    return f"{value:.2f}"


def _figures(values: Sequence[float]) -> str:
    return ", ".join(map(_two, values))


def _list(values: Sequence[int]) -> str:
    return ", ".join(map(str, values))
