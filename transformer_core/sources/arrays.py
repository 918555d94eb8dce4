"""Traces and models from plain arrays: a lecturer's own Q, K and V, or weights that are already in memory."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from transformer_core import identities
from transformer_core.config import ModelConfig
from transformer_core.errors import InputError
from transformer_core.model import Transformer, attend
from transformer_core.numerics import plain_numerics, versions
from transformer_core.recorder import Recorder
from transformer_core.sources.bundled import weights_hash
from transformer_core.sources.loaded import LoadedModel
from transformer_core.spec import TraceSpec
from transformer_core.tokens import WordTokenizer
from transformer_core.trace import Trace


def attention_trace(
    query: Any,
    key: Any,
    value: Any,
    *,
    causal: bool,
    tokens: Sequence[str] = (),
    name: str = "arrays",
) -> Trace:
    """softmax(Q Kᵀ/√d_head + M) V with every step kept, from arrays [(head,) position, d_head].

    `tokens` are the labels of the positions, by default 1, 2, 3 … The trace has scope "attention" and one
    layer. Raises InputError for arrays that do not fit together or are not finite.
    """
    given = {"query": query, "key": key, "value": value}
    arrays = {part: _three_axes(part, array) for part, array in given.items()}
    shape = arrays["query"].shape
    for part, array in arrays.items():
        if array.shape != shape:
            raise InputError(f"{part} {array.shape}", f"the query is {shape}", "give three arrays of one shape")
    labels = tuple(tokens) or tuple(str(number + 1) for number in range(shape[1]))
    if len(labels) != shape[1]:
        raise InputError(f"{len(labels)} token labels", f"there are {shape[1]} positions", "give one label for each")
    recorder = Recorder()
    with plain_numerics():
        q, k, v = (recorder.tap(f"blocks.0.attn.{part}", torch.from_numpy(array)) for part, array in arrays.items())
        attend(q, k, v, causal=causal, name="blocks.0.attn", tap=recorder.tap)
    spec = TraceSpec(
        model_name=name,
        weights_hash=_hash(arrays),
        tokenizer_hash=hashlib.sha256("\n".join(labels).encode()).hexdigest(),
        prompt=" ".join(labels),
        ids=tuple(range(shape[1])),
        tokens=labels,
        vocabulary=labels,
        config=_attention_config(shape, causal=causal),
        versions=versions("cpu"),
        scope="attention",
    )
    trace = Trace(spec, {kept: tensor.numpy() for kept, tensor in recorder.kept.items()})
    identities.check(trace)
    return trace


def model_from_arrays(
    config: ModelConfig,
    weights: Mapping[str, Any],
    *,
    vocabulary: Sequence[str],
    name: str = "arrays",
    card: Mapping[str, Any] | None = None,
) -> LoadedModel:
    """A model from arrays by their stage names. Raises InputError when they do not fit the configuration."""
    tensors: dict[str, Tensor] = {}
    for key, weight in weights.items():
        tensors[key] = torch.tensor(np.asarray(weight, dtype=np.float64))
        if not bool(torch.isfinite(tensors[key]).all()):
            raise InputError(f"weight {key}", "it holds a value that is NaN or infinite", "give finite weights")
    if len(vocabulary) != config.vocabulary_size:
        raise InputError(
            f"{len(vocabulary)} words",
            f"the configuration says {config.vocabulary_size}",
            "give one for each id",
        )
    model = Transformer(config, tensors)
    return LoadedModel(name, model, WordTokenizer(tuple(vocabulary)), card or {}, weights_hash(model.weights))


def _three_axes(part: str, given: Any) -> np.ndarray:
    array = np.array(given, dtype=np.float64, order="C")
    array = array[np.newaxis] if array.ndim == 2 else array
    if array.ndim != 3 or 0 in array.shape:
        raise InputError(f"{part} {np.shape(given)}", "it is no list of vectors", "give [position, d_head]")
    if not np.isfinite(array).all():
        raise InputError(f"{part}", "it holds a value that is NaN or infinite", "give finite numbers")
    return array


def _attention_config(shape: tuple[int, ...], *, causal: bool) -> ModelConfig:
    heads, count, d_head = shape
    return ModelConfig(
        vocabulary_size=count,
        context_length=count,
        d_model=heads * d_head,
        head_count=heads,
        d_head=d_head,
        layer_count=1,
        d_mlp=0,
        norm_order="none",
        positions="none",
        causal=causal,
    )


def _hash(arrays: Mapping[str, np.ndarray]) -> str:
    running = hashlib.sha256()
    for part in sorted(arrays):
        running.update(f"{part}{arrays[part].shape}".encode())
        running.update(arrays[part].tobytes())
    return running.hexdigest()
