"""What is said of a head is what the model's card has measured, and nothing where it has not."""

from dataclasses import replace

import numpy as np
import pytest

from scenes.kit.relation import different_heads, relation_facts, relation_fields, relations_of
from transformer_core.capture import capture
from transformer_core.claims import claimed_head
from transformer_core.sources import load_model
from transformer_core.trace import Trace

SENTENCE = "small dogs near the cat sleep because they dream"


@pytest.fixture(scope="module")
def trace():
    return capture(load_model("relations"), SENTENCE)


def with_card(trace, **changes):
    spec = replace(trace.spec, card={**trace.spec.card, **changes})
    return Trace(spec, {name: trace.array(name) for name in trace.names()})


def changed(trace, place, **changes):
    claims = [dict(claim) for claim in trace.spec.card["claims"]]
    claims[place] |= changes
    return with_card(trace, claims=claims)


def test_every_number_is_the_cards(trace):
    claims = {claim["id"]: claim for claim in trace.spec.card["claims"]}
    found = relations_of(trace)
    assert [each.kind for each in found] == ["modifier", "subject", "referent"]
    for each in found:
        claim = claims[f"relation.{each.kind}"]
        assert (each.layer, each.head) == (claim["layer"], claim["head"])
        numbers = (each.share, each.count, each.offset, each.fixed, each.first)
        names = ("mean", "n", "offset", "baseline", "first_of_kind")
        assert [number.value for number in numbers] == [claim[name] for name in names]
        others = [share for head, share in enumerate(claim["all_heads"][0]) if head != each.head]
        head, share = each.other
        assert head != each.head
        assert share.value == max(others) == claim["all_heads"][0][head]


def test_an_arc_of_a_relation_is_from_its_words_to_its_words(trace):
    tokens, subject = trace.spec.tokens, relations_of(trace)[1]
    links = {
        (tokens[query], tokens[key])
        for query in range(9)
        for key in range(9)
        if subject.links(trace.cell("blocks.0.attn.pattern", head=3, query=query, key=key), tokens)
    }
    assert links == {("sleep", "dogs")}


CHOSEN = ["several", "measured", "some_named", "subject", "beats_counting", "first_as_good", "referent_shared"]


def test_captions_are_chosen_by_the_numbers(trace):
    facts = relation_facts(relations_of(trace), 0, 4)
    assert all(facts[name] for name in CHOSEN)
    assert not facts["unmeasured"]
    assert not facts["nameless"]
    assert not facts["referent_alone"]
    alone = relation_facts(relations_of(changed(trace, 2, all_heads=[[0.1, 0.2, 0.9281, 0.3]])), 0, 4)
    assert alone["referent_alone"]
    assert not alone["referent_shared"]
    poor = relation_facts(relations_of(changed(trace, 1, mean=0.35, first_of_kind=0.2)), 0, 4)
    assert poor["subject"]
    assert not poor["beats_counting"]
    assert not poor["first_as_good"]
    assert relation_fields(relations_of(trace), 0)["n_named"] == 3
    assert relation_fields(relations_of(trace), 0)["told_head"] == 4


def test_nothing_is_said_where_nothing_was_measured(trace):
    bare = with_card(trace, claims=[{"id": "relation.subject", "layer": 0, "head": 3}])
    elsewhere = changed(trace, 1, head=7)
    assert relations_of(bare) == ()
    assert [each.kind for each in relations_of(elsewhere)] == ["modifier", "referent"]
    facts = relation_facts((), 0, 4)
    assert facts["unmeasured"]
    assert facts["nameless"]
    elsewhere = relation_facts(relations_of(trace), 1, 4)
    assert elsewhere["nameless"]
    assert elsewhere["measured"]
    assert not any(facts[name] for name in ("measured", "some_named", "subject", "beats_counting", "first_as_good"))
    assert relation_fields((), 0)["n_named"] == 0


def test_without_names_the_heads_that_differ_most(trace):
    patterns = trace.array("blocks.0.attn.pattern")
    chosen = different_heads(trace, 0)
    apart = np.abs(patterns[:, None] - patterns[None]).sum(axis=(2, 3))
    totals = {left: sum(apart[a, b] for a in range(4) for b in range(a) if left not in (a, b)) for left in range(4)}
    assert chosen == tuple(head for head in range(4) if head != max(totals, key=totals.get))
    assert different_heads(trace, 0, count=5) == (0, 1, 2, 3)


def test_the_head_of_a_claim(trace):
    card = trace.spec.card
    assert claimed_head(card, "relation.subject", layer=0) == 3
    assert claimed_head(card, "relation.subject", layer=1) == 0
    assert claimed_head(card, "no such claim", layer=0) == 0
    assert claimed_head({}, "relation.subject", layer=0) == 0
