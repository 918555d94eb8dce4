"""The embedding scene on its own model: the numbers it promises, and captions short enough to be read."""

import pytest

from scenes.embedding import EmbedUnembed
from scenes.kit.brief import LANGUAGES, SceneBrief
from tests.scenes.captions import LONGEST
from transformer_core.capture import capture
from transformer_core.display import show
from transformer_core.sources import load_model

ANSWER = {"en": "snape", "zh": "斯内普"}


@pytest.fixture(scope="module", params=LANGUAGES)
def scene(request):
    loaded = load_model(EmbedUnembed.default_model)
    trace = capture(loaded, loaded.card[EmbedUnembed.prompt_key][request.param])
    made = EmbedUnembed(SceneBrief(trace, language=request.param))
    made.setup()
    return made


def test_the_model_says_what_its_corpus_says(scene):
    guess = scene.guess_of
    assert scene.trace.spec.vocabulary[guess.best] == ANSWER[scene.language]
    assert guess.probability(guess.best).value == pytest.approx(0.78, abs=0.03)


def test_shares_add_up_to_one_as_shown(scene):
    for shares in scene.guess_of.panels:
        texts = [show(cell, decimals=shares.decimals).text.replace("≈", "") for cell in shares.parts]
        assert sum(round(float(text) * 1000) for text in texts) == 1000, texts


def test_temperature_keeps_the_order_and_moves_the_best(scene):
    cold, own, hot = scene.guess_of.panels
    assert cold.words[0].value > own.words[0].value > hot.words[0].value
    for shares in (cold, own, hot):
        values = [cell.value for cell in shares.words]
        assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_captions_fit_their_line(scene, language):
    for beat in scene.beats:
        for line in scene.texts.beats[beat].captions:
            if line.holds(scene.facts):
                text = line.fill(language, scene.fields).text
                assert len(text) <= LONGEST[language], text
