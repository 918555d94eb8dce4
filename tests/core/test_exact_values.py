"""Ops and positions against small values known from elsewhere."""

import math

import numpy as np
import pytest
import torch

from tests.tolerances import SAME_LAYER_FLOAT64, SIX_DECIMALS
from transformer_core import ops, positions


def close(left, right, tolerance=SIX_DECIMALS):
    np.testing.assert_allclose(np.asarray(left), np.asarray(right), rtol=0, atol=tolerance)


def row(*values):
    return torch.tensor(values, dtype=torch.float64)


def test_softmax():
    close(ops.softmax(row(2, 1, 0.1)), [0.659001, 0.242433, 0.098566])
    close(ops.softmax(row(2, 1, 0.1) / 0.5), [0.863777, 0.116900, 0.019323])


def test_softmax_does_not_overflow():
    close(ops.softmax(row(10_000, 10_000)), [0.5, 0.5], 0)


def test_gelu():
    close(ops.gelu(row(1)), [0.841345])
    close(ops.gelu_tanh(row(1)), [0.841192])
    close(ops.relu(row(-1, 0, 2)), [0, 0, 2], 0)


def test_layer_norm_has_the_biased_variance_and_epsilon_inside_the_root():
    x = row(1, 0, 0, 0)
    average = ops.mean(x)
    spread = ops.variance(x, average)
    close(ops.normalise(x, average, spread, epsilon=1e-5), [1.732005, -0.577335, -0.577335, -0.577335])


def test_dot_product_attention_of_keras():
    q, k, v = (
        torch.tensor(rows, dtype=torch.float64) for rows in ([[1, 0], [0, 1]], [[0, 1], [1, 0]], [[1, 2], [3, 4]])
    )
    weights = ops.softmax(ops.scores(q, k))
    close(weights, [[0.269, 0.731], [0.731, 0.269]], 1e-3)
    close(ops.mix_values(weights, v), [[2.462, 3.462], [1.538, 2.538]], 1e-3)


def test_sinusoidal_positions_of_the_paper():
    table = positions.sinusoidal(8, d_model=512)
    close(table[0], [0.0, 1.0] * 256, 0)
    close(table[1, :4], [0.841471, 0.540302, 0.821856, 0.569695])
    close(table.square().sum(dim=-1), [256.0] * 8, SAME_LAYER_FLOAT64 * 256)
    close(positions.sinusoidal(2, d_model=20)[1, 4:8], [0.157827, 0.987467, 0.063054, 0.998010])


def test_sinusoidal_positions_meet_at_a_product_of_the_distance_only():
    table = positions.sinusoidal(30, d_model=16)
    products = table @ table.T
    for distance in range(1, 10):
        along = torch.diagonal(products, distance)
        close(along, [along[0]] * len(along), SAME_LAYER_FLOAT64 * 16)


def test_sinusoidal_positions_turn_by_a_rotation():
    table, step = positions.sinusoidal(10, d_model=2), 3
    turn = torch.tensor([[math.cos(step), math.sin(step)], [-math.sin(step), math.cos(step)]], dtype=torch.float64)
    close(table[5] @ turn.T, table[5 + step], SAME_LAYER_FLOAT64)


def test_causal_mask():
    closed = -math.inf
    assert ops.causal_mask(3).tolist() == [[0, closed, closed], [0, 0, closed], [0, 0, 0]]
    assert ops.causal_mask(2, key_count=3).tolist() == [[0, closed, closed], [0, 0, closed]]


@pytest.mark.parametrize("head", [0, 1, 2])
def test_a_silent_head_leaves_the_others_alone(head):
    outputs = torch.randn(3, 5, 7, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    silent = ops.silence_head(outputs, head=head)
    for other in range(3):
        assert torch.equal(silent[other], torch.zeros(5, 7, dtype=torch.float64) if other == head else outputs[other])
