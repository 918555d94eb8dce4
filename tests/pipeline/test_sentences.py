"""The numbers of a ledger as sentences: one file for each quantity, every number one of the ledger's."""

import pytest

from pipeline.publish.sentences import tell
from pipeline.publish.sentences._folder import quantities, taker
from pipeline.publish.sentences._row import rows_of
from pipeline.publish.sentences._table import Table
from tests.pipeline.small_ledger import PATTERN, cell, derived, drawn, made, number, small_ledger

B = "blocks.0."
LANGUAGES = ("en", "zh")


def weight(text, key, *, query=3, head=0, **more):
    return number(text, cell(PATTERN, head=head, query=query, key=key), **more)


def blocks(data, language="en", beat="one"):
    return list(tell(data, language)[beat].blocks)


def entries(name, **index):
    return [cell(name, **index, d_model=entry) for entry in range(4)]


def grid(name):
    return [number("0.25", cell(B + name, head=0, query=3, key=1))]


def vector(name, axis="d_model", size=4, **index):
    return [number("0.25", cell(name, **index, **{axis: entry})) for entry in range(size)]


def per_word(name):
    return [number("0.25", cell(name, position=3, vocab=7))]


def constants(*values):
    return [made("constant", str(float(value))) for value in values]


E, PE, HEAD = B + "residual.before", "embed.PE", {"head": 0, "query": 3}
TEMPERED = made(
    "tempered", "", *constants(0.5, 1), cell("logits", position=3, vocab=7), cell("logits", position=3, vocab=1)
)
SAMPLES = {
    "query": vector(B + "attn.query", "d_head", 2, **HEAD),
    "key": vector(B + "attn.key", "d_head", 2, head=0, key=3),
    "value": vector(B + "attn.value", "d_head", 2, head=0, key=3),
    "mixed_value": vector(B + "attn.z", "d_head", 2, **HEAD),
    "embedding": vector("embed.token", position=3),
    "embedded": vector("embed.out", position=3),
    "token_position": vector("embed.position", position=3),
    "token_vector": vector(B + "attn.input", position=3),
    "vector_before": vector(E, position=3),
    "vector_added": vector(B + "residual.attn_sum", position=3),
    "vector_between": vector(B + "residual.mid", position=3),
    "vector_after": vector(B + "residual.after", position=3),
    "head_change": vector(B + "attn.head_out", head=0, position=3),
    "attention_change": vector(B + "attn.out", position=3),
    "feed_forward_change": vector(B + "mlp.out", position=3),
    "position_encoding": vector(PE, position=3),
    "embedding_weights": vector("embed.W_E", vocab=7),
    "unembedding_weights": vector("unembed.W_U", vocab=7),
    "pattern": [weight("0.25", 1)],
    "scores": grid("attn.scores"),
    "scaled_scores": grid("attn.scaled"),
    "masked_scores": grid("attn.masked"),
    "shifted_scores": grid("attn.shifted"),
    "exponentials": grid("attn.exp"),
    "softmax_steps": [number("0.25", cell(B + "attn.row_max", **HEAD)), number("0.25", cell("logits_sum", position=3))],
    "probabilities": per_word("probabilities"),
    "cut_probabilities": per_word("cut.probabilities"),
    "logits": per_word("logits"),
    "shifted_logits": per_word("logits_shifted"),
    "logit_exponentials": per_word("logits_exp"),
    "logit_changes": [
        derived(
            "0.25",
            made("difference", "l − l", cell("logits", position=3, vocab=7), cell("cut.logits", position=3, vocab=7)),
            index={"position": 3, "vocab": 7},
        )
    ],
    "lengths": [derived("0.25", made("norm", "‖E‖", *entries(E, position=3)))],
    "distances": [derived("0.25", made("distance", "", *entries(PE, position=0), *entries(PE, position=1)))],
    "dot_products": [derived("0.25", made("dot", "", *entries(E, position=3), *entries("unembed.W_U", vocab=7)))],
    "differences": [
        derived("0.25", made("difference", "", *pair), index={"d_model": at})
        for at, pair in enumerate(zip(entries(E, position=0), entries(E, position=3), strict=True))
    ],
    "products": [
        derived(
            "0.25",
            made(
                "product",
                "W_Q · E",
                cell(B + "attn.W_Q", head=0, d_model=at, d_head=1),
                cell(E, position=3, d_model=at),
            ),
            index={"head": 0, "d_head": 1, "position": 3, "d_model": at},
        )
        for at in range(4)
    ],
    "turns": [
        derived("−0.25", made("negative", "−PE", cell(PE, position=3, d_model=1)), index={"position": 3, "d_model": 1})
    ],
    "sums": [derived("0.25", made("sum", "Σ A", *(cell(PATTERN, head=0, query=3, key=key) for key in (0, 1))))],
    "temperatures": [derived("0.25", TEMPERED, index={"position": 3})],
    "measured": [derived("0.25", made("card_number", "claims.0.mean"))],
    "head_costs": [derived("25", made("product", "", made("product", "", *constants(1, 5)), *constants(5)))],
}


@pytest.mark.parametrize("name", sorted(quantities()))
def test_every_file_tells_its_rows_in_both_languages(name):
    data = small_ledger(*SAMPLES[name], words={7: "snape", 1: "marsh"}, claims=({"id": "relation.subject", "head": 4},))
    taken = {taker(row) for row in rows_of(data, "one")}
    assert taken == {name}
    takers = [each for each, kind in quantities().items() if all(kind.takes(row) for row in rows_of(data, "one"))]
    assert takers == [name]
    told = {language: " ".join(map(str, blocks(data, language))) for language in LANGUAGES}
    for text in told.values():
        assert SAMPLES[name][0]["text"] in text
    assert told["en"] != told["zh"]
    assert not any("\u4e00" <= sign <= "\u9fff" for sign in told["en"])
    assert told["en"].endswith(".")
    assert told["zh"].endswith("。")


def test_a_token_gives_its_attention_largest_first():
    rows = [weight("0.06", 0), weight("0.53", 1), weight("0.39", 2), weight("0.02", 3)]
    shut = [weight("0", 4) | {"kind": "masked"}]
    data = small_ledger(*rows, *shut)
    assert blocks(data) == [
        "Head 1: “creature” gives 0.53 of its attention to “fluffy”, 0.39 to “blue”, 0.06 to “a” and 0.02 to itself; "
        "1 masked word gets 0."
    ]
    assert blocks(data, "zh") == [
        "头 1：“creature”把注意力的 0.53 给“fluffy”，0.39 给“blue”，0.06 给“a”，0.02 给它自己；被遮住的 1 个词得 0。"
    ]


def test_drawn_weights_are_told_by_the_rules_of_display_and_the_rest_is_counted():
    values = (0.004, 0.5951, 0.3, 0.1009, 0.00001)
    data = small_ledger(
        encodings=tuple(drawn(value, cell(PATTERN, head=1, query=4, key=key)) for key, value in enumerate(values))
    )
    told = tell(data, "en")["one"]
    assert told.blocks == (
        "Head 2, drawn without digits: “roamed” gives 0.60 to “fluffy”, 0.30 to “blue”, 0.10 to “creature” "
        "and less to 2 more.",
    )
    assert told.drawn == {"area": 5}
    assert tell(data, "zh")["one"].blocks == (
        "头 2，只画出，不写数字：“roamed”把 0.60 给“fluffy”，0.30 给“blue”，0.10 给“creature”，其余 2 个更小。",
    )


def test_what_has_digits_is_not_told_as_drawn():
    data = small_ledger(
        weight("0.53", 1), encodings=(drawn(0.53, cell(PATTERN, head=0, query=3, key=1), channel="width"),)
    )
    told = tell(data, "en")["one"]
    assert told.blocks == ("Head 1: “creature” gives 0.53 of its attention to “fluffy”.",)
    assert told.drawn == {}


def test_channels_are_counted_in_the_order_of_the_rows():
    channels = ("width", "shade", "area", "position", "height", "opacity", "length")
    place = cell(B + "attn.W_Q", head=0, d_model=0, d_head=0)
    data = small_ledger(encodings=tuple(drawn(0.5, place, channel=each) for each in channels))
    assert list(tell(data, "en")["one"].drawn) == list(channels)


def test_layers_are_named_where_there_are_several():
    data = small_ledger(weight("0.53", 1), config={"layer_count": 2})
    assert blocks(data) == ["Layer 1, head 1: “creature” gives 0.53 of its attention to “fluffy”."]
    assert blocks(data, "zh") == ["层 1，头 1：“creature”把注意力的 0.53 给“fluffy”。"]


def test_a_number_is_told_once_and_counted_where_it_stays():
    rows = [
        weight("0.53", 1),
        weight("0.53", 1, time_in=0.5),
        weight("0.53", 1, beat="two"),
        weight("0.06", 0, beat="two"),
    ]
    told = tell(small_ledger(*rows, beats=("one", "two")), "en")
    assert told["one"].blocks == ("Head 1: “creature” gives 0.53 of its attention to “fluffy”.",)
    assert told["two"].blocks == ("Head 1: “creature” gives 0.06 of its attention to “a”.",)
    assert (told["one"].again, told["two"].again) == (0, 1)


def test_what_is_drawn_is_told_once_where_most_of_it_is_drawn():
    """It begins to come in the first beat, stays into the third, and is drawn once more in the last."""
    one = cell(PATTERN, head=0, query=1, key=0)
    counts = {"one": 1, "two": 2, "three": 1, "four": 0, "five": 9}
    rows = tuple(drawn(0.5, one, beat=beat) for beat, count in counts.items() for _ in range(count))
    arcs = tuple(drawn(0.5, one, channel="width", beat=beat) for beat in ("three", "four"))
    told = tell(small_ledger(encodings=rows + arcs, beats=tuple(counts)), "en")
    sentence = "Head 1, drawn without digits: “fluffy” gives 0.50 to “a”."
    assert {beat: each.blocks for beat, each in told.items() if each.blocks} == {"two": (sentence,)}
    assert told["three"].drawn == {"area": 1, "width": 1}


def test_a_guess_is_told_whole_when_one_of_its_words_is_fresh():
    rows = [number("0.77", cell("probabilities", position=4, vocab=7), beat=beat) for beat in ("one", "two")]
    rows.append(number("0.05", cell("probabilities", position=4, vocab=1), beat="two"))
    told = tell(small_ledger(*rows, words={7: "snape", 1: "marsh"}, beats=("one", "two")), "zh")
    assert told["two"].blocks == ("“roamed”之后，下一个词的概率：“snape” 0.77，“marsh” 0.05。",)
    assert told["two"].again == 0


def test_what_a_caption_quotes_is_told_and_told_again_when_it_comes_on_screen():
    place = cell("probabilities", position=4, vocab=7)
    row = number("0.77", place, beat="two")
    data = small_ledger(row, quoted=(number("0.77", place),), words={7: "snape"}, beats=("one", "two"))
    assert blocks(data, beat="one") == blocks(data, beat="two") == ["After “roamed” the model gives “snape” 0.77."]


def test_a_quantity_without_a_file_is_counted_where_it_has_many_numbers():
    rows = [number(f"0.2{entry}", cell(B + "attn.W_Q", head=0, d_model=entry, d_head=0)) for entry in range(5)]
    told = tell(small_ledger(*rows), "en")["one"]
    assert (told.blocks, told.counted) == ((), {"W_Q": 5})
    told = tell(small_ledger(*rows[:2]), "zh")["one"]
    assert (told.blocks, told.counted) == (("W_Q：0.20、0.21。",), {})


def test_many_vectors_and_whole_grids_are_tables():
    queries = [
        number(f"0.{token}{entry}", cell(B + "attn.query", head=0, query=token, d_head=entry))
        for token in range(4)
        for entry in range(2)
    ]
    scores = [
        number(f"1.{query}{key}", cell(B + "attn.scores", head=0, query=query, key=key), time_in=2.0)
        for query in range(3)
        for key in range(query + 1)
    ]
    first, sentence, second = blocks(small_ledger(*queries, *scores, query=3))
    assert isinstance(first, Table)
    assert first.head == ("token", "1", "2")
    assert first.rows[2] == ("“blue”", "0.20", "0.21")
    assert sentence == "Head 1, scores of “blue”: 1.22 with itself, 1.21 with “fluffy” and 1.20 with “a”."
    assert isinstance(second, Table)
    assert second.rows[1] == ("“fluffy”", "1.10", "1.11", "…")


def test_parts_of_a_vector_are_told_as_parts():
    assert blocks(small_ledger(*vector(E, size=3, position=3))) == [
        "The vector E of “creature”, entries 1 to 3: 0.25, 0.25, 0.25."
    ]
    assert blocks(small_ledger(number("0.25", cell(E, position=3, d_model=2))), "zh") == [
        "“creature”的向量 E，第 3 个数：0.25。"
    ]
    assert blocks(small_ledger(*vector(E, position=3))) == ["The vector E of “creature”: all 4 entries are 0.25."]


def test_positions_of_encodings_count_from_0_and_a_vector_to_itself():
    same = derived("0", made("distance", "", *entries(PE, position=0), *entries(PE, position=0)))
    part = derived("0.02", made("distance", "", *entries(PE, position=0)[:2], *entries(PE, position=2)[:2]))
    assert blocks(small_ledger(same, part)) == [
        "The distance between the encoding of position 0 and itself: 0.",
        "The distance between the first 2 entries of the encoding of position 0 and "
        "the first 2 entries of the encoding of position 2: 0.02.",
    ]
    assert blocks(small_ledger(same), "zh") == ["位置 0 的编码与它自己的距离：0。"]


def test_one_token_in_two_orders():
    one = entries("unplaced." + E, position=0)
    other = entries("unplaced_reordered." + E, position=2)
    row = derived("1.86", made("distance", "", *one, *other))
    data = small_ledger(row, tokens=("dog", "bites", "man"), order=(2, 1, 0))
    assert blocks(data) == [
        "The distance between the vector E of “dog” without positions in one order and in the other: 1.86."
    ]
    assert blocks(data, "zh") == ["两种语序下“dog”的向量 E（不加位置）的距离：1.86。"]


def test_words_that_occur_twice_are_numbered():
    data = small_ledger(weight("0.25", 1), tokens=("the", "the", "cat", "the"))
    assert blocks(data) == ["Head 1: “the” (no. 3) gives 0.25 of its attention to “the” (no. 2)."]
    assert blocks(data, "zh") == ["头 1：第 3 个“the”把注意力的 0.25 给第 2 个“the”。"]


def test_sums_say_of_what():
    share = made("sum", "Σ P", *(cell("probabilities", position=3, vocab=word) for word in (7, 1)))
    rest = made("sum", "Σ P", cell("probabilities", position=3, vocab=0) | {"along": "vocab", "count": 8})
    whole = made("sum", "Σ A", cell(PATTERN, head=0, query=3, key=0) | {"along": "key", "count": 5})
    seen = made("sum", "Σ A", cell(PATTERN, head=0, query=3, key=0) | {"along": "key", "count": 4})
    one = made("sum", "Σ A", cell(PATTERN, head=0, query=3, key=0))
    least = made("sum", "Σ A", *(cell(PATTERN, head=head, query=2, key=0) for head in (1, 0)))
    rows = [derived("0.55", share), derived("0.45", rest), derived("1.00", whole), derived("0.07", least)]
    rows += [derived("1.00", seen), derived("0.06", one)]
    data = small_ledger(*rows, words={7: "fluffy", 1: "blue"})
    assert blocks(data) == [
        "The probability that “fluffy” or “blue” comes after “creature”: 0.55.",
        "The probability that any of the 8 other words comes after “creature”: 0.45.",
        "Head 1: the 5 weights of “creature” add up to 1.00.",
        "The smallest 2 weights of heads 1 and 2 add up to 0.07.",
        "Head 1: the 4 weights of “creature” add up to 1.00.",
        "Head 1: the smallest weight of “creature” is 0.06.",
    ]
    assert blocks(data, "zh")[-3:] == [
        "头 1、2 最小的 2 个权重合计 0.07。",
        "头 1：“creature”的 4 个权重合计 1.00。",
        "头 1：“creature”最小的权重是 0.06。",
    ]


def test_sums_that_are_the_entries_of_a_vector_are_one_sentence():
    rows = [
        derived(
            f"0.2{at}",
            made("sum", "Σ ΔE_h", *(cell(B + "attn.head_out", head=head, position=3, d_model=at) for head in (0, 1))),
            index={"position": 3, "d_model": at},
        )
        for at in range(4)
    ]
    assert blocks(small_ledger(*rows)) == ["Σ ΔE_h, entry by entry: 0.20, 0.21, 0.22, 0.23."]


def test_costs_are_named_only_where_they_are_what_the_model_has():
    weights = made("product", "", *constants(4, 4, 2, 2))
    cells = made("product", "", *constants(2, 5, 5))
    others = [made("product", "", *constants(*factors)) for factors in ((2, 7), (2, 3, 5), (4, 4, 3, 2))]
    made_of = (("64", weights), ("50", cells), *zip(("14", "30", "96"), others, strict=True))
    rows = [derived(text, expression, kind="exact") for text, expression in made_of]
    told = ["2 · 7 = 14", "2 · 3 · 5 = 30", "4 · 4 · 3 · 2 = 96"]
    assert blocks(small_ledger(*rows)) == ["With h = 2: 64 weights, 50 grid cells.", *(f"{each}." for each in told)]
    assert blocks(small_ledger(*rows), "zh") == ["h = 2 时：64 个参数，50 个格子。", *(f"{each}。" for each in told)]
