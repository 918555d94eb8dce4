"""Where a token stands, as a vector that is added to its embedding."""

import torch
from jaxtyping import Float
from torch import Tensor

BASE = 10_000.0


def sinusoidal(
    position_count: int,
    *,
    d_model: int,
    device: str | torch.device = "cpu",
    dtype: torch.dtype = torch.float64,
) -> Float[Tensor, "position d_model"]:
    """PE[p, 2k] = sin(p / 10000^(2k/d_model)), PE[p, 2k+1] = cos(p / 10000^(2k/d_model)).

    Fixed by the formula, not learned. `d_model` must be even. Computed in float64 on the CPU and then
    converted, so that every device starts from the same numbers. Source: Vaswani et al. 2017, section 3.5.
    """
    position = torch.arange(position_count, dtype=torch.float64)  # [position]
    pair = torch.arange(0, d_model, 2, dtype=torch.float64)  # [d_model / 2]
    angle = position[:, None] / BASE ** (pair / d_model)  # [position, d_model / 2]
    both = torch.stack((angle.sin(), angle.cos()), dim=-1)  # [position, d_model / 2, 2]
    return both.reshape(position_count, d_model).to(device=device, dtype=dtype)


def learned(
    table: Float[Tensor, "context d_model"], *, position_count: int
) -> Float[Tensor, "position d_model"]:
    """The first rows of a learned table: PE[p] = W_P[p]. Source: GPT-2; Gehring et al. 2017."""
    return table[:position_count]
