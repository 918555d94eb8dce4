"""The same model a second time, in plain NumPy: the oracle of the first.

Written from the paper and not from `ops`, with loops over heads and positions, one token's vector at a time
where that is the clearer way. Slow on purpose.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from transformer_core.config import ModelConfig

Arrays = dict[str, np.ndarray]

_erf = np.vectorize(math.erf, otypes=[np.float64])


def run(
    config: ModelConfig,
    weights: Mapping[str, np.ndarray],
    ids: Sequence[int],
    *,
    cut: tuple[int, int] | None = None,
) -> Arrays:
    """Every stage of the forward pass by its name, float64, weights included."""
    found: Arrays = {name: np.array(weight, dtype=np.float64) for name, weight in weights.items()}
    found["unembed.W_U"] = found["embed.W_E"].transpose().copy() if config.tied else found["unembed.W_U"]
    logits = _pass(config, found, list(ids), silenced=None)
    for layer in range(config.layer_count):
        after = found[f"blocks.{layer}.residual.after"]
        found[f"blocks.{layer}.lens.logits"] = _read_out(config, found, after, keep=False)
    found["logits"] = logits
    found["logits_max"] = np.array([max(row) for row in logits])
    found["logits_shifted"] = np.array([[entry - max(row) for entry in row] for row in logits])
    found["logits_exp"] = np.exp(found["logits_shifted"])
    found["logits_sum"] = np.array([math.fsum(row) for row in found["logits_exp"]])
    found["probabilities"] = _softmax_rows(logits)
    if cut is not None:
        found["cut.logits"] = _pass(config, dict(found), list(ids), silenced=cut)
        found["cut.probabilities"] = _softmax_rows(found["cut.logits"])
    return found


def _pass(config: ModelConfig, found: Arrays, ids: list[int], *, silenced: tuple[int, int] | None) -> np.ndarray:
    stream = found["embed.token"] = np.stack([found["embed.W_E"][number] for number in ids])
    if config.positions == "learned":
        found["embed.position"] = found["embed.W_P"][: len(ids)].copy()
    elif config.positions == "sinusoidal":
        found["embed.position"] = _waves(len(ids), config.d_model)
    if config.positions != "none":
        stream = stream + found["embed.position"]
    found["embed.out"] = stream
    for layer in range(config.layer_count):
        silent = silenced[1] if silenced is not None and silenced[0] == layer else None
        stream = _layer(config, found, stream, f"blocks.{layer}", silent)
    return _read_out(config, found, stream, keep=True)


def _waves(count: int, size: int) -> np.ndarray:
    table = np.zeros((count, size))
    for place in range(count):
        for entry in range(size):
            angle = place / math.pow(10000.0, (entry - entry % 2) / size)
            table[place, entry] = math.cos(angle) if entry % 2 else math.sin(angle)
    return table


def _layer(config: ModelConfig, found: Arrays, before: np.ndarray, name: str, silent: int | None) -> np.ndarray:
    found[f"{name}.residual.before"] = before
    read = _norm(config, found, before, f"{name}.norm1") if config.norm_order == "pre" else before
    summed = before + _attention(config, found, read, f"{name}.attn", silent)
    found[f"{name}.residual.attn_sum"] = summed
    middle = _norm(config, found, summed, f"{name}.norm1") if config.norm_order == "post" else summed
    found[f"{name}.residual.mid"] = after = middle
    if config.d_mlp > 0:
        read = _norm(config, found, middle, f"{name}.norm2") if config.norm_order == "pre" else middle
        after = found[f"{name}.residual.mlp_sum"] = middle + _mlp(config, found, read, f"{name}.mlp")
        if config.norm_order == "post":
            after = _norm(config, found, after, f"{name}.norm2")
    found[f"{name}.residual.after"] = after
    return after


def _attention(config: ModelConfig, found: Arrays, read: np.ndarray, name: str, silent: int | None) -> np.ndarray:
    heads, count, biased = config.head_count, len(read), config.attention_bias
    found[f"{name}.input"] = read
    for letter, part in (("Q", "query"), ("K", "key"), ("V", "value")):
        per_head = [read @ found[f"{name}.W_{letter}"][head] for head in range(heads)]
        if biased:
            per_head = [rows + found[f"{name}.b_{letter}"][head] for head, rows in enumerate(per_head)]
        found[f"{name}.{part}"] = np.stack(per_head)
    query, key, value = (found[f"{name}.{part}"] for part in ("query", "key", "value"))
    mask = np.zeros((heads, count, count))
    scores = np.zeros((heads, count, count))
    for head in range(heads):
        for asks in range(count):
            for asked in range(count):
                scores[head, asks, asked] = float(np.dot(query[head, asks], key[head, asked]))
                if config.causal and asked > asks:
                    mask[head, asks, asked] = -np.inf
    found[f"{name}.scores"], found[f"{name}.mask"] = scores, mask
    found[f"{name}.scaled"] = scores / math.sqrt(config.d_head)
    found[f"{name}.masked"] = masked = found[f"{name}.scaled"] + mask
    found[f"{name}.row_max"] = masked.max(axis=2)
    found[f"{name}.shifted"] = masked - masked.max(axis=2)[:, :, np.newaxis]
    found[f"{name}.exp"] = np.exp(found[f"{name}.shifted"])
    found[f"{name}.row_sum"] = found[f"{name}.exp"].sum(axis=2)
    found[f"{name}.pattern"] = pattern = np.stack([_softmax_rows(masked[head]) for head in range(heads)])
    found[f"{name}.z"] = z = np.stack([pattern[head] @ value[head] for head in range(heads)])
    found[f"{name}.concat"] = joined = np.concatenate(list(z), axis=1)
    found[f"{name}.head_out"] = np.stack([z[head] @ found[f"{name}.W_O"][head] for head in range(heads)])
    if silent is not None:
        joined = joined.copy()
        joined[:, silent * config.d_head : (silent + 1) * config.d_head] = 0.0
    # The paper's W_O is one matrix for the concatenated heads: its row blocks are the heads' matrices.
    delta = joined @ np.concatenate(list(found[f"{name}.W_O"]), axis=0)
    found[f"{name}.out"] = delta + found[f"{name}.b_O"] if biased else delta
    return found[f"{name}.out"]


def _mlp(config: ModelConfig, found: Arrays, read: np.ndarray, name: str) -> np.ndarray:
    pre, bias = read @ found[f"{name}.W_in"], config.mlp_bias
    pre = pre + found[f"{name}.b_in"] if bias else pre
    found[f"{name}.pre"] = pre
    if config.activation == "relu":
        active = np.where(pre > 0.0, pre, 0.0)
    elif config.activation == "gelu":
        active = pre * (1.0 + _erf(pre / math.sqrt(2.0))) / 2.0
    else:
        active = pre / (1.0 + np.exp(-2.0 * math.sqrt(2.0 / math.pi) * (pre + 0.044715 * pre**3)))
    found[f"{name}.act"] = active
    out = active @ found[f"{name}.W_out"]
    found[f"{name}.out"] = out + found[f"{name}.b_out"] if bias else out
    return found[f"{name}.out"]


def _norm(config: ModelConfig, found: Arrays, x: np.ndarray, name: str, *, keep: bool = True) -> np.ndarray:
    mean = np.array([math.fsum(row) / len(row) for row in x])
    variance = np.array([math.fsum((row - average) ** 2) / len(row) for row, average in zip(x, mean, strict=True)])
    normalised = (x - mean[:, np.newaxis]) * (variance + config.layer_norm_epsilon)[:, np.newaxis] ** -0.5
    out = found[f"{name}.gain"][np.newaxis] * normalised + found[f"{name}.bias"][np.newaxis]
    if keep:
        found.update(
            {
                f"{name}.mean": mean,
                f"{name}.variance": variance,
                f"{name}.normalised": normalised,
                f"{name}.out": out,
            }
        )
    return out


def _read_out(config: ModelConfig, found: Arrays, stream: np.ndarray, *, keep: bool) -> np.ndarray:
    if config.final_norm:
        stream = _norm(config, found, stream, "final_norm", keep=keep)
    logits = stream @ found["unembed.W_U"]
    return logits + found["unembed.b_U"] if config.unembed_bias else logits


def _softmax_rows(rows: np.ndarray) -> np.ndarray:
    result = np.zeros_like(rows)
    for number, row in enumerate(rows):
        parts = [math.exp(entry - max(row)) for entry in row]
        result[number] = np.array(parts) / math.fsum(parts)
    return result
