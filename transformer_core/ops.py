"""One pure function per equation: no state, no work in place, no fused kernels.

A leading `...` stands for any batch axes. Letters: p position, i query, j key, h head, m d_model, d d_head,
f d_mlp, w vocab.
"""

from math import pi, sqrt

import torch
from jaxtyping import Float, Int
from torch import Tensor

from transformer_core.config import Activation


def look_up(
    table: Float[Tensor, "vocab d_model"], ids: Int[Tensor, "*batch position"]
) -> Float[Tensor, "*batch position d_model"]:
    """E[p] = W_E[id_p]: the row of the token."""
    return table[ids]


def project_heads(
    x: Float[Tensor, "*batch position d_model"],
    weight: Float[Tensor, "head d_model d_head"],
    bias: Float[Tensor, "head d_head"] | None = None,
) -> Float[Tensor, "*batch head position d_head"]:
    """q[h, p] = x[p] W[h] + b[h], the same form for queries, keys and values. Every head reads all of x.

    Source: Vaswani et al. 2017, section 3.2.2.
    """
    projected = torch.einsum("...pm,hmd->...hpd", x, weight)  # [..., head, position, d_head]
    return projected if bias is None else projected + bias[:, None, :]


def scores(
    query: Float[Tensor, "*batch query d_head"], key: Float[Tensor, "*batch key d_head"]
) -> Float[Tensor, "*batch query key"]:
    """S[i, j] = q[i] · k[j], raw: neither divided nor masked."""
    return torch.einsum("...id,...jd->...ij", query, key)


def scale(raw: Float[Tensor, "*batch query key"], *, d_head: int) -> Float[Tensor, "*batch query key"]:
    """S / √d_head. Source: Vaswani et al. 2017, equation 1."""
    return raw / sqrt(d_head)


def causal_mask(
    query_count: int,
    *,
    key_count: int | None = None,
    device: str | torch.device = "cpu",
    dtype: torch.dtype = torch.float64,
) -> Float[Tensor, "query key"]:
    """0 where key ≤ query, −∞ where the key comes later. Added to the scaled scores."""
    width = query_count if key_count is None else key_count
    later = torch.ones(query_count, width, dtype=torch.bool, device=device).triu(diagonal=1)
    open_everywhere = torch.zeros(query_count, width, dtype=dtype, device=device)
    return open_everywhere.masked_fill(later, float("-inf"))


def no_mask(
    query_count: int, *, device: str | torch.device = "cpu", dtype: torch.dtype = torch.float64
) -> Float[Tensor, "query key"]:
    """0 everywhere: every position may ask every position."""
    return torch.zeros(query_count, query_count, dtype=dtype, device=device)


def add_mask(
    scaled: Float[Tensor, "*batch query key"], mask: Float[Tensor, "*heads query key"]
) -> Float[Tensor, "*batch query key"]:
    """scaled + mask: −∞ where the mask is −∞, else unchanged."""
    return scaled + mask


def row_max(x: Float[Tensor, "*batch entry"]) -> Float[Tensor, "*batch"]:
    """max over the last axis. Subtracted before exp so that nothing overflows; no quotient changes."""
    return x.amax(dim=-1)


def shift(x: Float[Tensor, "*batch entry"], largest: Float[Tensor, "*batch"]) -> Float[Tensor, "*batch entry"]:
    """x − max."""
    return x - largest[..., None]


def exponential(x: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
    """eˣ, entry by entry."""
    return torch.exp(x)


def row_sum(exponentials: Float[Tensor, "*batch entry"]) -> Float[Tensor, "*batch"]:
    """Σ over the last axis."""
    return exponentials.sum(dim=-1)


def normalise_row(
    exponentials: Float[Tensor, "*batch entry"], total: Float[Tensor, "*batch"]
) -> Float[Tensor, "*batch entry"]:
    """exp / Σ exp: shares that sum to 1."""
    return exponentials / total[..., None]


def softmax(x: Float[Tensor, "*batch entry"]) -> Float[Tensor, "*batch entry"]:
    """softmax(x) = exp(x − max) / Σ exp(x − max) over the last axis, in the four steps above."""
    exponentials = torch.exp(shift(x, row_max(x)))
    return normalise_row(exponentials, row_sum(exponentials))


def mix_values(
    pattern: Float[Tensor, "*batch query key"], value: Float[Tensor, "*batch key d_head"]
) -> Float[Tensor, "*batch query d_head"]:
    """z[i] = Σ_j A[i, j] v[j]. Source: Vaswani et al. 2017, equation 1."""
    return torch.einsum("...ij,...jd->...id", pattern, value)


def head_outputs(
    z: Float[Tensor, "*batch head position d_head"], weight: Float[Tensor, "head d_head d_model"]
) -> Float[Tensor, "*batch head position d_model"]:
    """ΔE[h, p] = z[h, p] W_O[h]: what one head adds, without the shared bias b_O."""
    return torch.einsum("...hpd,hdm->...hpm", z, weight)


def silence_head(
    outputs: Float[Tensor, "*batch head position d_model"], *, head: int
) -> Float[Tensor, "*batch head position d_model"]:
    """The same outputs with ΔE[head] = 0 at every position."""
    keep = torch.ones(outputs.shape[-3], 1, 1, dtype=outputs.dtype, device=outputs.device)
    keep[head] = 0.0
    return outputs * keep


def concatenate_heads(
    z: Float[Tensor, "*batch head position d_head"],
) -> Float[Tensor, "*batch position concat"]:
    """The heads' results laid end to end: head 0's d_head entries first."""
    return z.transpose(-3, -2).flatten(start_dim=-2)


def sum_heads(
    outputs: Float[Tensor, "*batch head position d_model"], bias: Float[Tensor, " d_model"] | None = None
) -> Float[Tensor, "*batch position d_model"]:
    """ΔE[p] = Σ_h ΔE[h, p] + b_O; the bias once, not per head."""
    total = outputs.sum(dim=-3)
    return total if bias is None else total + bias


def mean(x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch"]:
    """μ = (1/d_model) Σ_m x[m]."""
    return x.mean(dim=-1)


def variance(x: Float[Tensor, "*batch d_model"], average: Float[Tensor, "*batch"]) -> Float[Tensor, "*batch"]:
    """σ² = (1/d_model) Σ_m (x[m] − μ)², the biased variance. Source: Ba, Kiros, Hinton 2016, equation 3."""
    return (x - average[..., None]).square().mean(dim=-1)


def normalise(
    x: Float[Tensor, "*batch d_model"],
    average: Float[Tensor, "*batch"],
    spread: Float[Tensor, "*batch"],
    *,
    epsilon: float,
) -> Float[Tensor, "*batch d_model"]:
    """(x − μ) / √(σ² + ε), ε inside the root."""
    return (x - average[..., None]) / torch.sqrt(spread + epsilon)[..., None]


def gain_and_bias(
    normalised: Float[Tensor, "*batch d_model"],
    gain: Float[Tensor, " d_model"],
    bias: Float[Tensor, " d_model"],
) -> Float[Tensor, "*batch d_model"]:
    """γ ⊙ x̂ + β, entry by entry."""
    return normalised * gain + bias


def linear(
    x: Float[Tensor, "*batch inward"],
    weight: Float[Tensor, "inward outward"],
    bias: Float[Tensor, " outward"] | None = None,
) -> Float[Tensor, "*batch outward"]:
    """y = x W + b, with W as the paper writes it (rows are inputs)."""
    product = x @ weight
    return product if bias is None else product + bias


def relu(x: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
    """max(0, x)."""
    return torch.clamp(x, min=0.0)


def gelu(x: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
    """x Φ(x) = x/2 (1 + erf(x/√2)). Source: Hendrycks, Gimpel 2016."""
    return 0.5 * x * (1.0 + torch.erf(x / sqrt(2.0)))


def gelu_tanh(x: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
    """x/2 (1 + tanh(√(2/π) (x + 0.044715 x³))), the approximation that GPT-2 uses. Source: as `gelu`."""
    return 0.5 * x * (1.0 + torch.tanh(sqrt(2.0 / pi) * (x + 0.044715 * x * x * x)))


def activate(x: Float[Tensor, "*shape"], kind: Activation) -> Float[Tensor, "*shape"]:
    """The feed-forward block's non-linearity by its name in ModelConfig."""
    return {"relu": relu, "gelu": gelu, "gelu_tanh": gelu_tanh}[kind](x)
