"""Position encodings: the fixed numbers that are added for each place. Positions count from 0, as in the paper."""

from __future__ import annotations

from pipeline.publish.sentences._row import Place
from pipeline.publish.sentences._speech import Speech
from pipeline.publish.sentences._vectors import Vectors


class Encodings(Vectors):
    """As a vector of a position instead of a token."""

    def phrase(self, place: Place, speech: Speech) -> str:
        """The encoding of a position, in the middle of a sentence."""
        return speech.say(f"the {self.en} of {self.owner(place, speech)}", f"{self.owner(place, speech)}的{self.zh}")

    def owner(self, place: Place, speech: Speech) -> str:
        """The position."""
        number = place.index["position"]
        return speech.say(f"position {number}", f"位置 {number} ")


QUANTITY = Encodings("embed.PE", "encoding", "编码")
