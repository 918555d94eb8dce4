"""The vocabulary hangs together, and the shapes that annotations promise are really checked."""

from typing import get_args

import pytest
import torch
from jaxtyping import TypeCheckError

from transformer_core import ops
from transformer_core.axes import AXES, TOKEN_AXES
from transformer_core.errors import InputError
from transformer_core.stages import STAGES, Role, Unit, layer_of, stage_of


def test_axes_parents_roles_and_units_exist():
    assert set(AXES) >= TOKEN_AXES
    for stage in STAGES.values():
        assert set(stage.axes) <= set(AXES), stage.key
        assert set(stage.parents) <= set(STAGES), stage.key
        assert stage.role in get_args(Role)
        assert stage.unit in get_args(Unit)
        assert stage.symbol
        assert stage.equation
        assert stage.per_layer == stage.key.startswith("blocks.")


def test_no_stage_is_its_own_ancestor():
    done = set()
    for key, stage in STAGES.items():
        parents = set(stage.parents) - {"blocks.{layer}.residual.after"}
        assert parents <= done | {"unembed.W_U", "unembed.b_U"}, key
        done.add(key)


def test_names_and_layers():
    assert stage_of("blocks.12.attn.pattern").name(12) == "blocks.12.attn.pattern"
    assert layer_of("blocks.12.attn.pattern") == 12
    assert layer_of("logits") is None
    assert stage_of("logits").name() == "logits"


@pytest.mark.parametrize(
    "name", ["blocks.{layer}.attn.pattern", "blocks.01.attn.pattern", "blocks.attn.pattern", "", "x"]
)
def test_other_names_are_refused(name):
    with pytest.raises(InputError, match="no such quantity; try "):
        stage_of(name)


def test_a_wrong_shape_is_caught_while_tests_run():
    right = torch.zeros(2, 4, 5)
    assert ops.scores(torch.zeros(2, 3, 5), right).shape == (2, 3, 4)
    with pytest.raises(TypeCheckError):
        ops.scores(torch.zeros(2, 3, 6), right)
    with pytest.raises(TypeCheckError):
        ops.look_up(torch.zeros(7, 5), torch.zeros(3))
