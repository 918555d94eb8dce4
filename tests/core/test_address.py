"""The address grammar, printed and parsed."""

import pytest

from tests.core.small_models import small_model
from transformer_core import derive
from transformer_core.address import find_token, format_address, parse_address, token_label
from transformer_core.capture import capture
from transformer_core.errors import InputError


@pytest.fixture(scope="module")
def trace():
    return capture(
        small_model(positions="learned", attention_bias=True, final_norm=True),
        "the fluffy the 蓝色生物 .",
        cut=(0, 0),
    )


def test_every_cell_has_one_address_that_leads_back(trace):
    seen = set()
    for name in trace.names():
        cells = list(trace.cells(name))
        for cell in {cells[0], cells[len(cells) // 2], cells[-1]}:
            address = format_address(cell, trace.spec)
            assert parse_address(address, trace) == cell, address
            assert address not in seen
            seen.add(address)


@pytest.mark.parametrize(
    ("text", "name", "index"),
    [
        (
            "L1.H1.pattern[query=fluffy, key=the#1]",
            "blocks.0.attn.pattern",
            {"head": 0, "query": 1, "key": 0},
        ),
        ("L2.H3.pattern[ key=the#2,query=生物 ]", "blocks.1.attn.pattern", {"head": 2, "query": 4, "key": 2}),
        ("L2.H3.pattern[query=5, key=3]", "blocks.1.attn.pattern", {"head": 2, "query": 4, "key": 2}),
        ('L1.attn.out[position=".", d_model=14]', "blocks.0.attn.out", {"position": 5, "d_model": 13}),
        ("L1.H2.W_Q[d_model=3, d_head=1]", "blocks.0.attn.W_Q", {"head": 1, "d_model": 2, "d_head": 0}),
        ("probabilities[position=Fluffy, vocab=blue]", "probabilities", {"position": 1, "vocab": 3}),
        ("embed.W_P[position=11, d_model=1]", "embed.W_P", {"position": 10, "d_model": 0}),
    ],
)
def test_what_people_write(trace, text, name, index):
    assert parse_address(text, trace) == trace.cell(name, **index)


def test_how_it_is_printed(trace):
    cell = trace.cell("blocks.0.attn.pattern", head=0, query=2, key=0)
    assert format_address(cell, trace.spec) == "L1.H1.pattern[query=the#2, key=the#1]"
    assert format_address(trace.cell("logits", position=5, vocab=7), trace.spec) == 'logits[position=".", vocab="."]'


def test_derived_numbers_say_what_they_are_made_of(trace):
    terms = derive.score_terms(trace, layer=0, head=1, query=4, key=3)
    assert format_address(terms[0], trace.spec) == (
        "product(L1.H2.query[query=生物, d_head=1], L1.H2.key[key=蓝色, d_head=1])"
    )
    assert format_address(derive.sum_of(terms), trace.spec).endswith("; 5 numbers)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "pattern",
            "address 'pattern': it cannot be read; write it like L1.H1.pattern[query=creature, key=blue]",
        ),
        (
            "L1.H1.pattern[query]",
            "address part 'query': it cannot be read; write it like L1.H1.pattern[query=creature, key=blue]",
        ),
        ("L1.H4.pattern[query=1, key=1]", "head 4: the model has 3; give a head from 1 to 3"),
        ("L0.H1.pattern[query=1, key=1]", "layer 0: the model has 2; give a layer from 1 to 2"),
        (
            "H1.pattern[query=1, key=1]",
            "pattern without a layer: there is one for each layer; put L1. in front of it",
        ),
        (
            "L1.pattern[query=1, key=1]",
            "pattern without a head: there is one for each head; put H1. in front of it",
        ),
        ("H1.logits[position=1, vocab=a]", "H1 in front of logits: logits has no head; leave H1. out"),
        (
            "L1.H1.patern[query=1, key=1]",
            "quantity 'patern': there is no such quantity; try pattern, mlp.act, attn.out",
        ),
        (
            "L1.H1.pattern[query=1]",
            "[query=1] after pattern: its axes are query, key; give each of them once",
        ),
        ("L1.H1.pattern[query=the, key=1]", "token 'the': it occurs 2 times; say which, the#1 to the#2"),
        ("L1.H1.pattern[query=the#3, key=1]", "token 'the#3': the occurs 2 times; say the#1 to the#2"),
        ("L1.H1.pattern[query=fluffy#2, key=1]", "token 'fluffy#2': fluffy occurs once; say fluffy"),
        ("L1.H1.pattern[query=flufy, key=1]", "token 'flufy': it is not among the query tokens; try fluffy"),
        ("L1.H1.pattern[query=7, key=1]", "place 7: the query tokens are 6; give 1 to 6"),
        ("L1.H1.pattern[query=0, key=1]", "place 0: the query tokens are 6; give 1 to 6"),
        ("L1.H1.query[query=1, d_head=0]", "d_head=0: it is no place; give a whole number counted from 1"),
        (
            "L1.H1.query[query=1, d_head=6]",
            "d_head = 5 in blocks.0.attn.query: out of range; give a whole number from 0 to 4",
        ),
    ],
)
def test_what_cannot_be_found(trace, text, message):
    with pytest.raises(InputError) as caught:
        parse_address(text, trace)
    assert str(caught.value) == message


def test_tokens_of_the_prompt(trace):
    assert [token_label(trace.spec, place) for place in range(6)] == [
        "the#1",
        "fluffy",
        "the#2",
        "蓝色",
        "生物",
        '"."',
    ]
    assert [find_token(trace.spec, token_label(trace.spec, place)) for place in range(6)] == list(range(6))
    assert find_token(trace.spec, "3") == 2
    assert find_token(trace.spec, ".") == 5
    with pytest.raises(InputError) as caught:
        find_token(trace.spec, "zoo")
    assert str(caught.value) == "token 'zoo': it is not among the prompt's tokens; try the, fluffy, 蓝色, 生物, ."
