"""The model order: its card says what its weights do, its corpus asks what only the order of words answers."""

import pytest

from transformer_core.capture import capture
from transformer_core.errors import CheckFailed, InputError
from transformer_core.orders import read_orders
from transformer_core.sources import load_model
from transformer_core.tokens import WordTokenizer
from transformer_core.training import order, order_card, order_corpus
from transformer_core.training.order import Settings
from transformer_core.training.recipes import recipes


@pytest.fixture(scope="module")
def shipped():
    return load_model("order")


@pytest.fixture(scope="module")
def claim(shipped):
    return shipped.card["claims"][0]


def test_the_claim_measured_again_is_that_of_the_card(shipped):
    assert order_card.check(shipped)[0]["id"] == "doer"


def test_a_card_that_says_something_else_is_found(shipped, monkeypatch):
    monkeypatch.setattr(order_card, "CHANCE", 0.4)
    with pytest.raises(CheckFailed, match=r"claim doer of order: the card says chance 0.5, measured 0.4"):
        order_card.check(shipped)


def test_it_knows_the_doer_with_positions_only(claim):
    assert claim["mean"] > 0.99
    # Both orders of a clause give the verb the same vector: right in one of them at most.
    assert claim["removed"] <= claim["chance"]
    assert claim["removed_of_two"] == claim["never"] == claim["chance"] == 0.5
    assert len(claim["seeds"]) == len(claim["spread"]) >= 3
    assert min(claim["spread"]) > 0.99
    assert max(claim["spread_never"]) <= 0.5
    assert claim["n"] >= 500


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_default_sentences(shipped, language):
    figures = shipped.card["default_prompt_figures"][language]
    (first, _), (_, second) = figures["with"]
    assert min(first, second) > 0.95
    assert figures["without"][0] == figures["without"][1]
    prompt, turned = read_orders(shipped, shipped.card["default_prompt"][language])
    assert turned == (2, 1, 0)
    trace = capture(shipped, prompt, order=turned)
    doer = shipped.tokenizer.id_of(figures["words"][0])
    assert trace.cell("probabilities", position=1, vocab=doer).value == pytest.approx(first, abs=1e-4)
    alike = trace.array("unplaced.blocks.0.residual.attn_sum")[::-1]
    assert (alike == trace.array("unplaced_reordered.blocks.0.residual.attn_sum")).all()


def test_its_weights_are_on_the_grid(shipped):
    for weight in shipped.model.weights.values():
        assert all(value == round(value, 2) for value in weight.flatten().tolist())


def test_its_page_is_made_from_its_card(shipped):
    from transformer_core.sources.bundled import MODELS

    assert (MODELS / "order" / "README.md").read_text(encoding="utf-8") == order_card.card_page(shipped.card)


def test_training_never_has_what_is_measured():
    held = {scene.words for scene in order_corpus.held_out_scenes()}
    assert ("dog", "bites", "man") in held
    assert ("人", "咬", "狗") in held
    clauses = set()
    for scene in order_corpus.draws(3000, seed=order.CORPUS_SEED):
        for question in scene.questions:
            near = scene.words[max(question.verb - 3, 0) : question.verb + 3]
            clauses |= {tuple(near[start:end]) for start in range(len(near)) for end in range(start, len(near) + 1)}
        assert len(scene.words) <= order_corpus.LONGEST
    assert not held & clauses


def test_doer_and_done_to_are_drawn_alike():
    scenes = order_corpus.held_out_scenes()
    for scene in scenes:
        (question,) = scene.questions
        reverse = {question.doer: question.done_to, question.done_to: question.doer}
        assert any(
            other.words == tuple(reverse.get(word, word) for word in scene.words)
            and other.questions[0].doer == question.done_to
            for other in scenes
        )


def test_the_same_seed_gives_the_same_weights():
    tokenizer = WordTokenizer(order_corpus.vocabulary())
    config = order.configuration(len(tokenizer.vocabulary))
    scenes = order_corpus.draws(200, seed=1)
    first, again, other = (
        order.train(config, tokenizer, scenes, Settings(steps=6, batch=8), seed=seed) for seed in (3, 3, 4)
    )
    assert all(first.weights[name].equal(again.weights[name]) for name in first.weights)
    assert not first.weights["embed.W_E"].equal(other.weights["embed.W_E"])
    assert first.config.exact_sums


def test_a_short_training_writes_a_model(tmp_path):
    told = []
    card = order.make(
        tmp_path / "order",
        seeds=(0,),
        settings=Settings(steps=4, batch=8),
        progress=lambda *each: told.append(each),
    )
    assert load_model(str(tmp_path / "order")).card["claims"][0]["mean"] == card["claims"][0]["mean"]
    assert len(told) == 8
    assert "order" in recipes()


def test_no_corpus_of_ones_own(tmp_path):
    with pytest.raises(InputError, match="who does what"):
        order.make(tmp_path, corpus_file=tmp_path / "mine.txt")
    with pytest.raises(InputError, match="no seed"):
        order.make(tmp_path, seeds=())
