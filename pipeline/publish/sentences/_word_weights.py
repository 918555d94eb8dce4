"""The learned weights that belong to one word of the vocabulary."""

from __future__ import annotations

from pipeline.publish.sentences._row import Place
from pipeline.publish.sentences._speech import Speech
from pipeline.publish.sentences._vectors import Vectors
from transformer_core.stages import stage_of


class WordWeights(Vectors):
    """As a vector of a word of the vocabulary instead of a token."""

    def phrase(self, place: Place, speech: Speech) -> str:
        """The weights of a word, in the middle of a sentence."""
        owner, symbol = self.owner(place, speech), stage_of(place.name).symbol
        return speech.say(f"the {self.en} of {owner} in {symbol}", f"{symbol} 里{owner}的{self.zh}")

    def owner(self, place: Place, speech: Speech) -> str:
        """The word."""
        return speech.word(place.index["vocab"])
