"""Positions of every kind against published values, the ONNX standard's cases and a second implementation."""

import math

import numpy as np
import pytest
import torch

from tests.core.onnx_nodes import cases
from tests.tolerances import ONNX_FLOAT32, SAME_LAYER_FLOAT64, SIX_DECIMALS
from transformer_core import positions
from transformer_core.errors import InputError

CASES = [case for name, case in cases("RotaryEmbedding").items() if not name.endswith("_expanded")]
OFFSETS = torch.arange(-20, 21, 4)


def near(values, tolerance=SAME_LAYER_FLOAT64):
    return pytest.approx(values, rel=0, abs=tolerance)


class TestWaves:
    table = positions.sinusoidal(200, d_model=512)

    def test_published_values(self):
        assert self.table[0].tolist() == [0.0, 1.0] * 256
        assert self.table[1, :4].tolist() == near([0.841471, 0.540302, 0.821856, 0.569695], SIX_DECIMALS)
        narrow = positions.sinusoidal(2, d_model=20)
        assert narrow[1, 4:8].tolist() == near([0.157827, 0.987467, 0.063054, 0.998010], SIX_DECIMALS)

    def test_all_are_of_one_length(self):
        assert self.table.square().sum(dim=1).tolist() == near([256.0] * 200, 1e-10)

    def test_products_depend_on_the_distance_alone(self):
        products = self.table @ self.table.T
        for step in (1, 3, 50):
            along = torch.diagonal(products, step)
            assert along.tolist() == near([along[0].item()] * len(along), 1e-9)

    def test_wavelengths_from_two_pi_to_ten_thousand_of_them(self):
        rates = torch.atan2(self.table[1, 0::2], self.table[1, 1::2])
        lengths = 2 * math.pi / rates
        assert lengths[0].item() == near(2 * math.pi)
        assert lengths[-1].item() == pytest.approx(2 * math.pi * 10_000 ** (510 / 512), rel=1e-9)

    @pytest.mark.parametrize("step", [1, 3, 17])
    def test_a_step_is_one_turn_for_every_start(self, step):
        small = positions.sinusoidal(40, d_model=16)
        for pair in range(8):
            sine, cosine = small[step, 2 * pair], small[step, 2 * pair + 1]
            block = torch.stack([torch.stack([cosine, sine]), torch.stack([-sine, cosine])])
            for start in (0, 2, 7, 20):
                turned = block @ small[start, 2 * pair : 2 * pair + 2]
                assert turned.tolist() == near(small[start + step, 2 * pair : 2 * pair + 2].tolist())

    def test_against_loops(self):
        again = [[f(p / 10_000 ** (2 * k / 14)) for k in range(7) for f in (math.sin, math.cos)] for p in range(30)]
        assert positions.sinusoidal(30, d_model=14).flatten().tolist() == near(np.ravel(again).tolist())


class TestBuckets:
    def test_published_values(self):
        both = positions.relative_bucket(OFFSETS)
        assert both.tolist() == [10, 10, 9, 8, 4, 0, 20, 24, 25, 26, 26]
        causal = positions.relative_bucket(OFFSETS, bidirectional=False)
        assert causal.tolist() == [17, 16, 12, 8, 4, 0, 0, 0, 0, 0, 0]

    @pytest.mark.parametrize("bidirectional", [True, False])
    @pytest.mark.parametrize(("count", "farthest"), [(32, 128), (16, 40), (8, 9)])
    def test_against_logarithms(self, bidirectional, count, farthest):
        """The published code's formula, in decimals wide enough that no border is missed."""
        offsets = range(-300, 301)
        again = [_bucket(offset, count, farthest, bidirectional=bidirectional) for offset in offsets]
        found = positions.relative_bucket(
            torch.tensor(list(offsets)), bucket_count=count, farthest=farthest, bidirectional=bidirectional
        )
        assert found.tolist() == again

    def test_the_bias_is_the_buckets_entry(self):
        table = torch.randn(32, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
        bias = positions.relative_bias(table, query_count=5, key_count=9)
        assert bias.shape == (3, 5, 9)
        for head, query, key in ((0, 0, 0), (1, 4, 0), (2, 1, 8)):
            bucket = _bucket(key - query, 32, 128, bidirectional=True)
            assert bias[head, query, key] == table[bucket, head]

    @pytest.mark.parametrize(("count", "farthest"), [(2, 128), (33, 128), (32, 8)])
    def test_counts_that_cannot_be_halved(self, count, farthest):
        with pytest.raises(InputError, match="buckets up to distance"):
            positions.relative_bucket(OFFSETS, bucket_count=count, farthest=farthest)


def _bucket(offset: int, count: int, farthest: int, *, bidirectional: bool) -> int:
    side = count // 2 if bidirectional else count
    start = side if bidirectional and offset > 0 else 0
    distance = abs(offset) if bidirectional else max(-offset, 0)
    near_count = side // 2
    if distance < near_count:
        return start + distance
    ratio = math.log(distance / near_count) / math.log(farthest / near_count) * (side - near_count)
    return start + min(near_count + math.floor(ratio + 1e-12), side - 1)


class TestSlopes:
    def test_published_values(self):
        assert positions.linear_slopes(8).tolist() == [2.0**-power for power in range(1, 9)]
        assert positions.linear_slopes(12).tolist() == near(
            [2.0**-power for power in range(1, 9)] + [2.0 ** -(power - 0.5) for power in range(1, 5)]
        )
        assert positions.linear_slopes(1).tolist() == [2.0**-8]

    def test_the_bias_falls_with_the_distance(self):
        bias = positions.linear_bias(positions.linear_slopes(4), query_count=6, key_count=6)
        again = [[[-(2.0 ** -(2 * (h + 1))) * abs(i - j) for j in range(6)] for i in range(6)] for h in range(4)]
        assert bias.flatten().tolist() == near(np.ravel(again).tolist())
        assert (torch.diagonal(bias, dim1=1, dim2=2) == 0).all()

    def test_no_head(self):
        with pytest.raises(InputError, match="0 heads"):
            positions.linear_slopes(0)


@pytest.mark.parametrize("pairing", ["neighbours", "halves"])
class TestTurns:
    def vectors(self, count=2):
        return torch.randn(count, 1, 8, dtype=torch.float64, generator=torch.Generator().manual_seed(3))

    def test_scores_depend_on_the_distance_alone(self, pairing):
        def turned(x, place):
            return positions.rotate(x, positions.rotary_table([place], turned=8, pairing=pairing))[0]

        a, b = self.vectors()
        near_start = turned(a, 7) @ turned(b, 3)
        assert (turned(a, 104) @ turned(b, 100)).item() == near(near_start.item(), 1e-12)
        assert (turned(a, 3) @ turned(b, 7)).item() != near(near_start.item(), 1e-3)

    def test_against_complex_numbers(self, pairing):
        x = self.vectors(1)[0]
        found = positions.rotate(x, positions.rotary_table([5], turned=6, pairing=pairing))[0].numpy()
        rates = 10_000.0 ** (-np.arange(0, 6, 2) / 6)
        entries = x[0].numpy()
        first, second = (entries[0:6:2], entries[1:6:2]) if pairing == "neighbours" else (entries[:3], entries[3:6])
        spun = (first + 1j * second) * np.exp(5j * rates)
        again = entries.copy()
        if pairing == "neighbours":
            again[0:6:2], again[1:6:2] = spun.real, spun.imag
        else:
            again[:3], again[3:6] = spun.real, spun.imag
        assert found.tolist() == near(again.tolist())
        assert np.linalg.norm(found) == near(np.linalg.norm(entries))

    def test_the_table_says_its_pairing(self, pairing):
        assert positions.rotary_table([0], turned=4, pairing=pairing).pairing == pairing


def test_turns_that_cannot_be():
    with pytest.raises(InputError, match="3 turned entries"):
        positions.rotary_table([0], turned=3, pairing="halves")
    table = positions.rotary_table([0], turned=4, pairing="halves")
    with pytest.raises(InputError, match="vectors of 2 entries"):
        positions.rotate(torch.zeros(1, 2, dtype=torch.float64), table)


def test_the_standard_has_eight_cases():
    assert len(CASES) == 8


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_onnx_cases(case):
    attributes, (wanted,) = case.attributes, case.outputs.values()
    named = {name: torch.tensor(array) for name, array in case.inputs.items()}
    x, cosine, sine, *places = named.values()
    if x.dim() == 3:  # [batch, position, head · d_head]
        x = x.unflatten(-1, (attributes["num_heads"], -1)).transpose(1, 2)
    turned = attributes.get("rotary_embedding_dim") or x.shape[-1]
    pairing = "neighbours" if attributes.get("interleaved") else "halves"
    if places:
        cosine, sine = cosine[places[0]], sine[places[0]]
    # A table has one row for each position; the cases have a table for each sentence as well.
    assert cosine.shape[-1] == turned // 2
    found = torch.stack(
        [
            positions.rotate(sentence, positions.RotaryTable(one, other, pairing))
            for sentence, one, other in zip(x, cosine, sine, strict=True)
        ]
    )
    if wanted.ndim == 3:
        found = found.transpose(1, 2).flatten(start_dim=-2)
    assert np.abs(found.numpy() - wanted).max() < ONNX_FLOAT32
