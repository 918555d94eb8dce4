"""Training: the same for a seed, on the grid, towards the corpus's own probabilities."""

import json

import pytest
import torch

from transformer_core.errors import InputError
from transformer_core.sources.bundled import load_folder
from transformer_core.training import glass
from transformer_core.training.corpus import grammar_corpus
from transformer_core.training.loop import Settings, on_grid, train
from transformer_core.training.recipes import recipe, recipes

FEW = Settings(steps=12, batch=16, warm_up=4)


def trained(seed: int, *, settings: Settings = FEW):
    corpus = grammar_corpus(200)
    return train(glass.configuration(len(corpus.vocabulary)), corpus, settings, seed=seed)


def test_the_same_weights_for_the_same_seed():
    first, second = trained(3), trained(3)
    assert all(first.weights[name].equal(second.weights[name]) for name in first.weights)


def test_other_weights_for_another_seed():
    assert not trained(3).weights["embed.W_E"].equal(trained(4).weights["embed.W_E"])


def test_trained_weights_are_on_the_grid():
    for weight in trained(3).weights.values():
        assert weight.dtype == torch.float64
        assert weight.equal(torch.round(weight * 100) / 100)


def test_the_grid_has_no_negative_zero():
    assert not any((torch.signbit(weight) & (weight == 0)).any() for weight in on_grid(trained(3)).weights.values())


def test_training_leaves_the_number_of_threads_alone():
    before = torch.get_num_threads()
    trained(3)
    assert torch.get_num_threads() == before


def test_the_loss_falls():
    losses = []
    corpus = grammar_corpus(200)
    train(
        glass.configuration(len(corpus.vocabulary)),
        corpus,
        Settings(steps=60, batch=16, warm_up=10),
        seed=0,
        progress=lambda done, steps, loss: losses.append(loss),
    )
    assert len(losses) == 60
    assert sum(losses[-10:]) < 0.8 * sum(losses[:10])


def test_a_lecturers_sentences_become_a_model_folder(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("the cat sat on the mat\nthe dog sat on the log\n", encoding="utf-8")
    steps = []
    glass.make(
        tmp_path / "mine",
        seeds=(1,),
        corpus_file=path,
        settings=Settings(steps=150, batch=2, warm_up=10),
        progress=lambda seed, done, total, loss: steps.append((seed, done, total)),
    )
    assert steps[-1] == (1, 150, 150)
    loaded = load_folder(tmp_path / "mine")
    assert set(loaded.tokenizer.vocabulary) == {"the", "cat", "sat", "on", "mat", "dog", "log"}
    assert loaded.card["claims"] == ()
    assert loaded.card["default_prompt"]["en"] == "the cat sat on the mat"
    assert "mine.txt, 2 sentences, 7 words" in (tmp_path / "mine" / "README.md").read_text(encoding="utf-8")


def test_several_seeds_with_a_file_are_refused(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("the cat sat\n", encoding="utf-8")
    with pytest.raises(InputError, match="give one seed"):
        glass.make(tmp_path / "mine", seeds=(1, 2), corpus_file=path, settings=FEW)
    assert not (tmp_path / "mine").exists()


def test_the_card_of_a_short_training_states_its_claims(tmp_path, monkeypatch):
    monkeypatch.setattr(glass, "SENTENCES", 200)
    monkeypatch.setattr("transformer_core.training.claims.HELD_OUT_COUNT", 20)
    glass.make(tmp_path / "glass", seeds=(0, 1), settings=FEW)
    written = json.loads((tmp_path / "glass" / "card.json").read_text(encoding="utf-8"))
    assert [claim["id"] for claim in written["claims"]] == ["binding", "effect", "answer"]
    assert written["training"]["seeds_tried"] == [0, 1]
    assert written["training"]["seed"] in (0, 1)
    assert all(len(claim["spread"]) == 2 for claim in written["claims"])


def test_recipes_are_found():
    assert recipes()["glass"] is glass.recipe
    with pytest.raises(InputError, match="try 'glass'"):
        recipe("gless")
