"""The one number that a softmax subtracts, and the one that it divides by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.publish.sentences._row import Row
from pipeline.publish.sentences._speech import Speech
from pipeline.publish.sentences._table import Block
from pipeline.publish.sentences._vectors import capital
from transformer_core.stages import stage_of

STEPS = {
    "blocks.{layer}.attn.row_max": ("the largest masked score of {}", "{}掩码后的最大分数"),
    "blocks.{layer}.attn.row_sum": ("the sum of the exponentials of {}", "{}的指数之和"),
    "logits_max": ("the largest logit after {}", "{}之后最大的 logit"),
    "logits_sum": ("the sum of the exponentials of the logits after {}", "{}之后各词 logit 的指数之和"),
}


class SoftmaxSteps:
    """max and Σ exp."""

    def takes(self, row: Row) -> bool:
        """Digits of them."""
        return row.digits_of in STEPS

    def tell(self, rows: Sequence[Row], speech: Speech) -> Iterator[Block]:
        """A sentence each."""
        for row in rows:
            place, head = row.place, speech.head(row.place)
            token = speech.token(place.index.get("query", place.index.get("position", 0)), place.run)
            words = speech.say(*STEPS[stage_of(row.name).key]).format(token)
            begin = f"{capital(head)}{speech.say(', ', '，')}{words}" if head else capital(words)
            yield begin + speech.say(f": {row.text}.", f"：{row.text}。")


QUANTITY = SoftmaxSteps()
