"""The sums of attention, correctly rounded: the same in any order of the keys and at any place in the sentence.

An ordinary float64 sum depends on the order of its terms, and a matrix product may sum one row in another
order than the next. These functions take the place of those of `ops` with the same name; each product is
rounded once and their sum once (as `math.fsum` does). Slow, and without gradients: for traces, not training.
"""

import math

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor


def exact_sum(terms: Float[Tensor, "*batch term"]) -> Float[Tensor, "*batch"]:
    """Σ over the last axis, correctly rounded, hence free of the terms' order.

    Source: Shewchuk 1997, as in Python's `math.fsum`. Computed on the CPU in float64.
    """
    numbers = terms.detach().to("cpu", torch.float64).numpy()
    flat = numbers.reshape(math.prod(numbers.shape[:-1]), numbers.shape[-1])
    sums = np.array([math.fsum(row) for row in flat.tolist()], dtype=np.float64)
    return torch.from_numpy(sums.reshape(numbers.shape[:-1])).to(device=terms.device, dtype=terms.dtype)


def project_heads(
    x: Float[Tensor, "*batch position d_model"],
    weight: Float[Tensor, "head d_model d_head"],
    bias: Float[Tensor, "head d_head"] | None = None,
) -> Float[Tensor, "*batch head position d_head"]:
    """q[h, p] = x[p] W[h] + b[h]."""
    terms = x[..., None, :, None, :] * weight.transpose(-1, -2)[:, None]  # [..., head, position, d_head, d_model]
    projected = exact_sum(terms)
    return projected if bias is None else projected + bias[:, None, :]


def scores(
    query: Float[Tensor, "*batch query d_head"], key: Float[Tensor, "*batch key d_head"]
) -> Float[Tensor, "*batch query key"]:
    """S[i, j] = q[i] · k[j]."""
    return exact_sum(query[..., :, None, :] * key[..., None, :, :])


def exponential(x: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
    """eˣ, one entry at a time, so that equal entries give equal bits wherever they stand."""
    numbers = [math.exp(entry) for entry in x.detach().to("cpu", torch.float64).flatten().tolist()]
    return torch.tensor(numbers, dtype=torch.float64).reshape(x.shape).to(device=x.device, dtype=x.dtype)


def row_sum(exponentials: Float[Tensor, "*batch entry"]) -> Float[Tensor, "*batch"]:
    """Σ over the last axis."""
    return exact_sum(exponentials)


def mix_values(
    pattern: Float[Tensor, "*batch query key"], value: Float[Tensor, "*batch key d_head"]
) -> Float[Tensor, "*batch query d_head"]:
    """z[i] = Σ_j A[i, j] v[j]."""
    return exact_sum(pattern[..., :, None, :] * value.transpose(-1, -2)[..., None, :, :])


def head_outputs(
    z: Float[Tensor, "*batch head position d_head"], weight: Float[Tensor, "head d_head d_model"]
) -> Float[Tensor, "*batch head position d_model"]:
    """ΔE[h, p] = z[h, p] W_O[h]."""
    return exact_sum(z[..., :, None, :] * weight.transpose(-1, -2)[:, None])
