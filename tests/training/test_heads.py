"""heads1 … heads16: their cards say the losses that their weights have, beside the grammar's own, exactly computed."""

from collections import Counter
from dataclasses import replace
from math import exp, log
from random import Random

import pytest
import torch

from transformer_core.capture import capture
from transformer_core.derive import card_number
from transformer_core.errors import CheckFailed, InputError
from transformer_core.sources import load_model
from transformer_core.sources.bundled import MODELS
from transformer_core.sources.loaded import LoadedModel
from transformer_core.training import heads, heads_card, heads_corpus, relations_corpus
from transformer_core.training.loop import NEVER, Settings
from transformer_core.training.recipes import recipe, recipes

NAMES = tuple(f"heads{count}" for count in heads.HEAD_COUNTS)
FEW = Settings(steps=6, batch=8, warm_up=2, silent_every=NEVER)
MEGABYTES = 8
"""All weights of the bundled models together stay below."""


@pytest.fixture(scope="module")
def shipped():
    return {name: load_model(name) for name in NAMES}


@pytest.fixture(scope="module")
def held_out():
    return heads_corpus.held_out_sentences(heads_corpus.HELD_OUT_SENTENCES)


@pytest.mark.parametrize("name", NAMES)
def test_the_shipped_weights_have_the_loss_of_the_card(shipped, name):
    assert [entry["id"] for entry in heads_card.check(shipped[name])] == [
        "validation.loss",
        "validation.floor",
        "validation.n",
    ]


def test_a_card_that_says_something_else_is_found(shipped):
    loaded = shipped["heads4"]
    weights = dict(loaded.model.weights) | {"embed.W_E": 1.1 * loaded.model.weights["embed.W_E"]}
    other = replace(loaded, model=replace(loaded.model, weights=weights))
    with pytest.raises(CheckFailed, match="validation loss of heads4: the card says"):
        heads_card.check(other)
    with pytest.raises(CheckFailed, match="its card says no loss"):
        heads_card.check(replace(loaded, card={"name": "heads4"}))


def test_the_loss_is_the_mean_over_single_runs(shipped, held_out):
    """A few sentences again, one by one through the traced model: n words, each with the probability that it got."""
    loaded, some = shipped["heads8"], held_out[:12]
    found = []
    for sentence in some:
        trace = capture(loaded, " ".join(sentence.words))
        for place, following in enumerate(trace.spec.ids[1:]):
            found.append(-log(trace.cell("probabilities", position=place, vocab=following).value))
    assert len(found) == heads_corpus.predicted(some)
    loss = heads_card.validation_loss(loaded.model, loaded.tokenizer, some)
    assert loss == pytest.approx(sum(found) / len(found), abs=1e-12)


def test_only_the_number_of_heads_differs(shipped):
    configs = [loaded.model.config for loaded in shipped.values()]
    assert [config.head_count for config in configs] == list(heads.HEAD_COUNTS)
    assert {config.head_count * config.d_head for config in configs} == {heads.D_MODEL}
    assert len({replace(config, head_count=1, d_head=1) for config in configs}) == 1
    sizes = {sum(weight.numel() for weight in loaded.model.weights.values()) for loaded in shipped.values()}
    assert sizes == {loaded.card["size"]["weights"] for loaded in shipped.values()}
    assert len(sizes) == 1
    trainings = [loaded.card["training"] for loaded in shipped.values()]
    for same in ("sentences", "words", "corpus", "seeds_tried", "seed"):
        assert all(training[same] == trainings[0][same] for training in trainings)
    settings = [dict(training["settings"]) for training in trainings]
    assert [own.pop("rate") for own in settings] == [heads.settings_of(count).rate for count in heads.HEAD_COUNTS]
    assert all(own == settings[0] for own in settings)
    assert settings[0]["steps"] == heads.SETTINGS.steps


def test_the_rate_is_the_better_of_the_same_two(shipped):
    rates = [set(heads.RATES_TRIED[count]) for count in heads.HEAD_COUNTS]
    assert all(own == rates[0] for own in rates)
    for count, loaded in zip(heads.HEAD_COUNTS, shipped.values(), strict=True):
        training, losses = loaded.card["training"], loaded.card["validation"]["losses"]
        tried = heads.RATES_TRIED[count]
        assert training["rates_tried"] == {str(rate): loss for rate, loss in tried.items()}
        assert tuple(training["rates_tried_with"]) == heads.TRIED_WITH == heads.SEEDS[:2]
        assert tried[training["settings"]["rate"]] == min(tried.values())
        assert min(tried.values()) == pytest.approx(sum(losses[:2]) / 2, abs=2e-4)


def test_what_the_cards_say_of_all_seeds(shipped):
    floors = set()
    for loaded in shipped.values():
        validation = loaded.card["validation"]
        losses = validation["losses"]
        assert len(losses) == len(validation["seeds"]) >= 5
        assert (validation["least"], validation["most"]) == (min(losses), max(losses))
        assert validation["mean"] == pytest.approx(sum(losses) / len(losses), abs=1e-4)
        assert min(losses) > validation["floor"]
        floors.add((validation["floor"], validation["n"], validation["sentences"]))
        assert loaded.card["training"]["seconds_per_seed"] * len(losses) < 600
    assert len(floors) == 1


def test_a_trace_gives_their_numbers_as_cells(shipped):
    trace = capture(load_model("relations"), relations_corpus.DEFAULT, companions=NAMES)
    for name, loaded in shipped.items():
        losses = [card_number(trace, f"validation.losses.{seed}", of=name).value for seed in range(5)]
        assert losses == list(loaded.card["validation"]["losses"])
        assert card_number(trace, "validation.n", of=name).value == loaded.card["validation"]["n"]


@pytest.mark.parametrize("name", NAMES)
def test_its_page_is_made_from_its_card(shipped, name):
    assert (MODELS / name / "README.md").read_text(encoding="utf-8") == heads_card.card_page(shipped[name].card)


def test_all_weights_together_are_small():
    assert 0 < sum(path.stat().st_size for path in MODELS.glob("*/model.*")) < MEGABYTES * 1_000_000


def test_no_held_out_sentence_is_in_training(held_out):
    training = {sentence.words for sentence in heads_corpus.training_sentences(5_000)}
    assert len(held_out) == heads_corpus.HELD_OUT_SENTENCES
    assert not training & {sentence.words for sentence in held_out}
    assert {sentence.part for sentence in held_out} == {relations_corpus.TRAINING}


def test_the_grammar_gives_each_sentence_the_probability_that_it_is_drawn_with(monkeypatch):
    """Counted in a small language, whose sentences come often enough: Σ (counted − expected)² / expected."""
    for name, size in {"NOUNS": 2, "MODIFIERS": 1, "ORIGINS": 1, "VERBS": 1, "PREPOSITIONS": 1, "JOINTS": 1}.items():
        monkeypatch.setattr(relations_corpus, name, getattr(relations_corpus, name)[:size])
    random, draws, most = Random(4), 40_000, 200
    counted = Counter(relations_corpus.draw(random).words for _ in range(draws))
    expected = {words: draws * heads_corpus.probability(words) for words in counted}
    likeliest = sorted(expected, key=lambda words: -expected[words])[:most]
    assert expected[likeliest[-1]] > 10
    kinds = [any(word in words for words in likeliest) for word in ("near", "hiding", "farm", "indoors", "they", "it")]
    assert all(kinds)
    odd = sum((counted[words] - expected[words]) ** 2 / expected[words] for words in likeliest)
    # The mean is `most`, the standard deviation √(2 · most) = 20.
    assert odd == pytest.approx(most, abs=80)


def test_what_is_known_of_the_part_that_training_is_drawn_from():
    random = Random(5)
    sentences = [relations_corpus.draw(random) for _ in range(20_000)]
    kept = [sentence for sentence in sentences if sentence.part == relations_corpus.TRAINING]
    assert len(kept) / len(sentences) == pytest.approx(heads_corpus.share_of_training(), abs=0.01)
    firsts = Counter(sentence.words[0] for sentence in kept)
    assert sum(map(heads_corpus.first_word, firsts)) == pytest.approx(1.0, abs=1e-12)
    for word, count in firsts.items():
        assert count / len(kept) == pytest.approx(heads_corpus.first_word(word), abs=0.012)


def test_what_is_no_sentence_has_no_probability():
    words = relations_corpus.DEFAULT.split()
    assert 0 < heads_corpus.probability(words) < exp(-10)
    for other in (
        "small dogs near the cat sleeps because they dream",
        "small dogs near the cat sleep because they purr",
    ):
        with pytest.raises(ValueError, match="must stand"):
            heads_corpus.probability(other.split())
    for other in (words[:-1], [*words, "dream"]):
        with pytest.raises(ValueError, match=r"must stand|no sentence"):
            heads_corpus.probability(other)


def test_a_short_training_writes_a_model_the_same_for_a_seed(tmp_path, monkeypatch):
    monkeypatch.setattr(heads_corpus, "SENTENCES", 100)
    monkeypatch.setattr(heads_corpus, "HELD_OUT_SENTENCES", 20)
    told = []
    make = recipe("heads16").make
    cards = [
        make(tmp_path / name, seeds=(3, 4), settings=FEW, progress=lambda *each: told.append(each)) for name in "ab"
    ]
    first, again = (load_model(str(tmp_path / name)) for name in "ab")
    assert all(first.model.weights[name].equal(again.model.weights[name]) for name in first.model.weights)
    assert cards[0]["validation"] == cards[1]["validation"]
    assert len(set(cards[0]["validation"]["losses"])) == 2
    assert first.card["training"]["seed"] == 3
    assert first.model.config.head_count == 16
    assert first.model.weights["embed.W_E"].dtype == torch.float64
    assert len(told) == 2 * 2 * FEW.steps
    assert len(first.card["training"]["curve"]) == FEW.steps
    assert isinstance(first, LoadedModel)
    assert heads_card.check(first)


def test_the_recipes_are_found_and_what_they_refuse(tmp_path):
    assert set(NAMES) <= set(recipes())
    assert recipe("heads8").seeds == heads.SEEDS
    with pytest.raises(InputError, match="no seed"):
        recipe("heads1").make(tmp_path, seeds=())
    with pytest.raises(InputError, match="compared with others on sentences of a grammar"):
        recipe("heads1").make(tmp_path, corpus_file=tmp_path / "mine.txt")


def test_the_curve_is_a_mean_over_steps_and_seeds():
    assert heads.curve([[float(step) for step in range(20)], [2.0 * step for step in range(20)]]) == [
        1.5 * (2 * part + 0.5) for part in range(10)
    ]
