"""Where a token stands: a vector added to its embedding, a number added to a score, or a turn of q and k.

Added to E: `sinusoidal`, `learned`. Added to the scaled score: `relative_bias` (T5), `linear_bias` (ALiBi).
A turn of queries and keys before they meet: `rotary_table` and `rotate`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log2
from typing import Literal, get_args

import torch
from jaxtyping import Float, Int
from torch import Tensor

from transformer_core.errors import InputError

BASE = 10_000.0

Pairing = Literal["neighbours", "halves"]
"""Which entries turn together: (0, 1), (2, 3), … (RoFormer, GPT-J), or m and m + d/2 (GPT-NeoX, Llama)."""


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


def learned(table: Float[Tensor, "context d_model"], *, position_count: int) -> Float[Tensor, "position d_model"]:
    """The first rows of a learned table: PE[p] = W_P[p]. Source: GPT-2; Gehring et al. 2017."""
    return table[:position_count]


def relative_bucket(
    offset: Int[Tensor, "*shape"], *, bucket_count: int = 32, farthest: int = 128, bidirectional: bool = True
) -> Int[Tensor, "*shape"]:
    """The bucket of an offset j − i (key minus query): one for each near offset, wider ones farther out.

    With b buckets a side, distances below b/2 have their own; distance r ≥ b/2 falls into
    b/2 + ⌊ln(r / (b/2)) / ln(farthest / (b/2)) · b/2⌋, at most b − 1. Bidirectional: half of the buckets for
    each side, keys after the query in the upper half. Else later keys all fall into bucket 0. The borders
    are found in whole numbers, so none depends on how a logarithm rounds. Raises InputError for a count
    that cannot be halved so or a `farthest` that is not beyond the near ones.
    Source: Raffel et al. 2020, section 2.1, and its published code.
    """
    side = bucket_count // 2 if bidirectional else bucket_count
    near = side // 2
    if near < 1 or bucket_count % (4 if bidirectional else 2) or farthest <= near:
        raise InputError(
            f"{bucket_count} buckets up to distance {farthest}",
            "half of a side is for single distances, half for the farther ones",
            "give 32 buckets up to distance 128, as T5 has",
        )
    later = (offset > 0).long() * side if bidirectional else torch.zeros_like(offset)
    distance = offset.abs() if bidirectional else (-offset).clamp(min=0)
    borders = torch.tensor(_far_borders(near, side - near, farthest), device=offset.device)
    far = near + torch.bucketize(distance, borders, right=True)
    return later + torch.where(distance < near, distance, far)


def _far_borders(near: int, steps: int, farthest: int) -> list[int]:
    """The least r with ln(r/near) / ln(farthest/near) · steps ≥ n, for n = 1 … steps − 1."""
    borders, r = [], near
    for step in range(1, steps):
        while r**steps < farthest**step * near ** (steps - step):
            r += 1
        borders.append(r)
    return borders


def relative_bias(
    table: Float[Tensor, "bucket head"],
    *,
    query_count: int,
    key_count: int,
    farthest: int = 128,
    bidirectional: bool = True,
) -> Float[Tensor, "head query key"]:
    """B[h, i, j] = table[bucket(j − i), h], learned, added to the score. Source: as `relative_bucket`."""
    query = torch.arange(query_count, device=table.device)
    key = torch.arange(key_count, device=table.device)
    bucket = relative_bucket(
        key[None, :] - query[:, None],
        bucket_count=table.shape[0],
        farthest=farthest,
        bidirectional=bidirectional,
    )  # [query, key]
    return table[bucket].permute(2, 0, 1)


def linear_slopes(head_count: int) -> Float[Tensor, " head"]:
    """m_h = 2^(−8h/H) for h = 1 … H; fixed, not learned.

    Where H is no power of two: those of the power P below it, then every second one of 2P. Raises
    InputError for no head. Source: Press, Smith, Lewis 2022 (ALiBi), section 3, and its published code.
    """
    if head_count < 1:
        raise InputError(f"{head_count} heads", "slopes are for at least one", "give 1 or more")
    below = 2 ** floor(log2(head_count))
    slopes = [2.0 ** (-8.0 * head / below) for head in range(1, below + 1)]
    finer = [2.0 ** (-4.0 * head / below) for head in range(1, 2 * below + 1, 2)]
    return torch.tensor((slopes + finer)[:head_count], dtype=torch.float64)


def linear_bias(slopes: Float[Tensor, " head"], *, query_count: int, key_count: int) -> Float[Tensor, "head query key"]:
    """B[h, i, j] = −m_h |i − j|, added to the scaled score: the farther, the less. Source: as `linear_slopes`.

    A causal mask closes the keys after the query; without one both sides fall alike.
    """
    query = torch.arange(query_count, dtype=slopes.dtype, device=slopes.device)
    key = torch.arange(key_count, dtype=slopes.dtype, device=slopes.device)
    return -slopes[:, None, None] * (query[:, None] - key[None, :]).abs()


@dataclass(frozen=True, slots=True, eq=False)
class RotaryTable:
    """cos and sin of p · ω_k, [position, pair], and which entries of a vector make a pair.

    The vectors' entries beyond 2 · pairs do not turn.
    """

    cos: Float[Tensor, "position pair"]
    sin: Float[Tensor, "position pair"]
    pairing: Pairing

    def __post_init__(self) -> None:
        if self.pairing not in get_args(Pairing):
            raise InputError(
                f"pairing {self.pairing!r}", "no such pairing", "use one of " + ", ".join(get_args(Pairing))
            )


def rotary_table(
    position: Int[Tensor, " position"] | Sequence[int],
    *,
    turned: int,
    pairing: Pairing,
    base: float = BASE,
    dtype: torch.dtype = torch.float64,
) -> RotaryTable:
    """The turns for vectors whose first `turned` entries turn, pair k by the angle p / base^(2k/turned).

    Raises InputError for an odd `turned`. Source: Su et al. 2021 (RoFormer), equation 15.
    """
    if turned < 2 or turned % 2:
        raise InputError(f"{turned} turned entries", "they turn in pairs", "give an even number")
    place = torch.as_tensor(position, dtype=torch.float64)
    pair = torch.arange(0, turned, 2, dtype=torch.float64)
    angle = place[:, None] / base ** (pair / turned)  # [position, pair]
    return RotaryTable(angle.cos().to(dtype), angle.sin().to(dtype), pairing)


def rotate(x: Float[Tensor, "*batch position d_head"], table: RotaryTable) -> Float[Tensor, "*batch position d_head"]:
    """Each pair (a, b) of x[p] becomes (a cos − b sin, a sin + b cos): a turn by p · ω_k, lengths kept.

    rotate(q, p) · rotate(k, r) depends on q, k and p − r alone. Raises InputError for vectors shorter than
    the turned part. Source: as `rotary_table`.
    """
    turned = 2 * table.cos.shape[-1]
    if turned > x.shape[-1]:
        raise InputError(
            f"vectors of {x.shape[-1]} entries", f"{turned} of them are to turn", "make the table for fewer"
        )
    first, second = _pairs(x[..., :turned], table.pairing)  # [..., position, pair] each
    left = first * table.cos - second * table.sin
    right = first * table.sin + second * table.cos
    if table.pairing == "neighbours":
        together = torch.stack((left, right), dim=-1).flatten(start_dim=-2)
    else:
        together = torch.cat((left, right), dim=-1)
    return torch.cat((together, x[..., turned:]), dim=-1)


def _pairs(x: Float[Tensor, "*batch entry"], pairing: Pairing) -> tuple[Tensor, Tensor]:
    if pairing == "neighbours":
        return x[..., 0::2], x[..., 1::2]
    first, second = x.chunk(2, dim=-1)
    return first, second
