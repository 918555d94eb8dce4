"""The shipped model: its card says what its weights do."""

import pytest
import torch

from transformer_core.errors import CheckFailed
from transformer_core.sources import LoadedModel, load_model
from transformer_core.sources.bundled import MODELS
from transformer_core.training import card, claims, glass
from transformer_core.training.card_text import card_text


@pytest.fixture(scope="module")
def shipped() -> LoadedModel:
    return load_model("glass")


def claim(shipped: LoadedModel, name: str):
    return next(entry for entry in shipped.card["claims"] if entry["id"] == name)


def test_the_claims_measured_again_are_those_of_the_card(shipped):
    assert [entry["id"] for entry in card.check(shipped)] == ["binding", "effect", "answer"]


def test_a_card_that_says_something_else_is_found(shipped, monkeypatch):
    monkeypatch.setattr(claims, "HELD_OUT_COUNT", 50)
    with pytest.raises(CheckFailed, match="claim binding of glass"):
        card.check(shipped)


def test_the_head_binds(shipped):
    binding = claim(shipped, "binding")
    assert binding["mean"] > 0.8
    assert binding["other"] < 0.1
    assert all(min(binding["spread"]) > chance + 0.05 for chance in binding["chances"].values())
    assert len(binding["seeds"]) == len(binding["spread"]) >= 5
    assert binding["n"] >= 1000


def test_that_matters(shipped):
    effect = claim(shipped, "effect")
    assert effect["with"] > 0.4
    assert effect["without"] < 0.12
    assert len(effect["seeds"]) == len(effect["spread"]) >= 5


def test_the_default_prompts_show_it(shipped):
    for figures in shipped.card["default_prompt_figures"].values():
        weights = dict(zip(figures["tokens"], figures["weights"], strict=True))
        assert all(weights[word] > 0.2 for word in figures["adjectives"])
        assert figures["with"] > figures["without"] + 0.2


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_answer_is_as_sure_as_the_corpus(shipped, language):
    answer = claim(shipped, "answer")["prompts"][language]
    assert answer["model"] == pytest.approx(0.78, abs=0.03)


def test_the_weights_are_on_the_grid(shipped):
    for weight in shipped.model.weights.values():
        assert weight.equal(torch.round(weight * 100) / 100)


def test_the_shape(shipped):
    config = shipped.model.config
    assert config == glass.configuration(len(shipped.tokenizer.vocabulary))
    assert (config.layer_count, config.head_count, config.d_model, config.d_head) == (1, 1, 16, 4)
    assert config.tied
    assert not config.attention_bias


def test_every_word_of_the_card_is_known(shipped):
    known = set(shipped.tokenizer.vocabulary)
    for words in shipped.card["word_groups"].values():
        assert {word for group in words.values() for word in group} <= known
    assert set(shipped.card["gloss"]) == known


def test_the_page_is_made_from_the_card(shipped):
    assert (MODELS / "glass" / "README.md").read_text(encoding="utf-8") == card_text(shipped.card)


def test_the_recipe_makes_the_shipped_seed(shipped):
    assert shipped.card["training"]["seed"] == glass.SHIPPED_SEED
    assert shipped.card["training"]["seeds_tried"] == glass.SEEDS
