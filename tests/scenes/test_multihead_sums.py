"""MultiHead's sums: what `copies`, `concat` and `why` show adds up, and every dot stands at its model's loss."""

from collections import defaultdict

import numpy as np
import pytest
from manim import tempconfig

from pipeline.catalogue import find_scenes
from pipeline.publish.audit import findings
from scenes.kit.brief import SceneBrief
from scenes.kit.head_costs import head_costs
from scenes.kit.ledger import family
from scenes.kit.text import Label, Tick
from scenes.multihead import MultiHead
from transformer_core.capture import capture
from transformer_core.sources import load_model

BEATS = ("copies", "concat", "why")
ENTRY = find_scenes(["multihead"])[0]
SENTENCE = "small dogs near the cat sleep because they dream"
SETTINGS = {"dry_run": True, "pixel_width": 160, "pixel_height": 90, "frame_rate": 15}
SETTINGS |= {"disable_caching": True, "progress_bar": "none", "verbosity": "ERROR"}


def played(folder, *, model="relations", head=3, **brief):
    """The three beats alone; with what the audit found, and the ticks and dots at the end of each."""
    trace = capture(load_model(model), SENTENCE, cut=(0, head), companions=ENTRY.companions)
    found, seen = {}, {}

    def after(scene, beat):
        found[beat] = [str(each) for each in findings(scene, beat)]
        seen[beat] = list(family(scene.mobjects))
        return []

    with pytest.MonkeyPatch.context() as patch, tempconfig(SETTINGS | {"media_dir": str(folder)}):
        patch.setattr(MultiHead, "beats", BEATS)
        scene = MultiHead(SceneBrief(trace, head=head, **brief), after_beat=after)
        scene.render()
    return scene, found, seen


@pytest.fixture(scope="module")
def default(tmp_path_factory):
    return played(tmp_path_factory.mktemp("sums"), query=5)


def numbers(scene, beat, name):
    return [each for each in scene.record.numbers if each.beat == beat and each.name == name]


def by_entry(records):
    """The shown numbers of each kind of vector by entry, doubles of one address once."""
    found = defaultdict(dict)
    for each in records:
        found[each.index["d_model"]][each.index.get("head")] = (each.text, float.fromhex(each.hex))
    return found


def test_the_beats_are_proven(default):
    _, found, _ = default
    assert {name: faults for name, faults in found.items() if faults} == {}
    assert set(found) == set(BEATS)


def test_both_ways_show_the_same_change(default):
    scene, _, _ = default
    d_model = scene.trace.spec.config.d_model
    total = by_entry(numbers(scene, "concat", "blocks.0.attn.out"))
    product = by_entry(numbers(scene, "concat", "derived.dot"))
    heads = by_entry(numbers(scene, "concat", "blocks.0.attn.head_out"))
    assert set(total) == set(product) == set(heads) == set(range(d_model))
    for entry in range(d_model):
        ((text, value),) = total[entry].values()
        ((other_text, other),) = product[entry].values()
        assert text == other_text
        assert other == pytest.approx(value, abs=1e-12)
        assert len(heads[entry]) == scene.trace.spec.config.head_count
        assert sum(each for _, each in heads[entry].values()) == pytest.approx(value, abs=1e-12)


def test_the_shown_product_is_w_o_times_the_shown_results(default):
    scene, _, _ = default
    config = scene.trace.spec.config
    weights, results = (
        np.zeros((config.d_model, config.head_count, config.d_head)),
        np.zeros((config.head_count, config.d_head)),
    )
    shown = numbers(scene, "concat", "blocks.0.attn.W_O")
    assert len({tuple(sorted(each.index.items())) for each in shown}) == weights.size
    for each in shown:
        weights[each.index["d_model"], each.index["head"], each.index["d_head"]] = float.fromhex(each.hex)
    for each in numbers(scene, "concat", "blocks.0.attn.z"):
        assert each.index["query"] == scene.asking
        results[each.index["head"], each.index["d_head"]] = float.fromhex(each.hex)
    product = by_entry(numbers(scene, "concat", "derived.dot"))
    made = np.einsum("mhd,hd->m", weights, results)
    assert made == pytest.approx([next(iter(product[m].values()))[1] for m in range(config.d_model)], abs=1e-12)


def test_the_difference_of_both_ways_is_said_and_no_more_than_rounding(default):
    scene, _, _ = default
    (apart,) = numbers(scene, "concat", "derived.distance")
    assert apart.text == "≈0"
    assert 0.0 < float.fromhex(apart.hex) < 1e-13


def test_the_table_of_costs_is_shown_with_every_number_of_heads(default):
    scene, _, seen = default
    costs = head_costs(scene.trace)
    shown = [float.fromhex(each.hex) for each in scene.record.numbers if each.beat == "copies" and each.expression]
    wanted = [cell.value for cost in costs for cell in (cost.weights, cost.products, cost.grid_cells)]
    assert sorted(shown) == sorted(wanted)
    labels = [each.text for each in seen["copies"] if isinstance(each, Label)]
    assert [str(cost.heads) for cost in costs if str(cost.heads) not in labels] == []


def test_every_seed_has_a_dot_at_its_loss(default):
    scene, _, seen = default
    cards = scene.trace.spec.companions
    losses = sorted(loss for card in cards.values() for loss in card["validation"]["losses"])
    assert len(losses) >= 5 * len(ENTRY.companions)
    heights = [round(float(each.get_center()[1]), 2) for each in seen["why"] if isinstance(each, Tick)]
    ticks = [each for each in seen["why"] if isinstance(each, Tick)]
    ticks = [each for each, height in zip(ticks, heights, strict=True) if heights.count(height) == 1]
    slope, start = np.polyfit([each.get_center()[1] for each in ticks], [float(each.text) for each in ticks], 1)
    dots = [each for each in seen["why"] if type(each).__name__ == "Circle" and hasattr(each, "encodings")]
    step = abs(float(ticks[1].text) - float(ticks[0].text))
    assert sorted(start + slope * dot.get_center()[1] for dot in dots) == pytest.approx(losses, abs=0.02 * step)


def test_the_lowest_mean_is_the_one_that_is_named(default):
    scene, _, _ = default
    cards = scene.trace.spec.companions.values()
    best = min(cards, key=lambda card: np.mean(card["validation"]["losses"]))
    assert scene.fields["best"] == best["size"]["head_count"]
    line = next(each for each in scene.record.beats if each.name == "why").captions["en"][1].text
    assert str(best["size"]["head_count"]) in line
    means = numbers(scene, "why", "derived.card_number")
    assert any(each.text == f"{best['validation']['mean']:.3f}" for each in means)


def test_a_model_with_more_heads_than_are_drawn(tmp_path):
    look = {"layout": "rows", "theme": "light", "language": "zh"}
    scene, found, _ = played(tmp_path, model="heads8", head=0, **look)
    assert {name: faults for name, faults in found.items() if faults} == {}
    rest = [each for each in numbers(scene, "concat", "derived.sum") if "d_model" in each.index]
    assert rest
    total = by_entry(numbers(scene, "concat", "blocks.0.attn.out"))
    drawn = by_entry(numbers(scene, "concat", "blocks.0.attn.head_out"))
    for each in rest:
        entry = each.index["d_model"]
        added = float.fromhex(each.hex) + sum(value for _, value in drawn[entry].values())
        assert added == pytest.approx(next(iter(total[entry].values()))[1], abs=1e-11)
