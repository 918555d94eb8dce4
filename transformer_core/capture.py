"""One prompt through one model, every number kept."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from transformer_core import identities
from transformer_core.errors import CheckFailed, InputError
from transformer_core.model import Transformer, forward, logit_lens, next_token
from transformer_core.numerics import DTYPES, check_device, plain_numerics, versions
from transformer_core.other_runs import RUNS, reordered
from transformer_core.positions import sinusoidal
from transformer_core.recorder import Recorder
from transformer_core.sources import LoadedModel, load_model
from transformer_core.stages import stage_of
from transformer_core.trace import Trace, TraceSpec


def capture(
    loaded: LoadedModel,
    prompt: str,
    *,
    cut: tuple[int, int] | None = None,
    order: tuple[int, ...] | None = None,
    companions: Sequence[str] = (),
    device: str = "cpu",
    dtype: str = "float64",
) -> Trace:
    """Run the prompt and return its trace, every identity checked.

    `cut` = (layer, head), 0-based, adds `cut.*`: the same model with that head's ΔE set to 0 at every
    position. `order` adds the runs of `transformer_core.other_runs`: the same tokens in that order, and both without
    positions. `companions` names further models whose cards the trace carries. Raises InputError for a prompt, a cut
    or an order that the model does not allow and for a companion that there is not, CheckFailed when an identity
    does not hold.
    """
    ids = loaded.tokenizer.encode(prompt)
    return capture_ids(
        loaded, ids, prompt=prompt, cut=cut, order=order, companions=companions, device=device, dtype=dtype
    )


def capture_ids(
    loaded: LoadedModel,
    ids: tuple[int, ...],
    *,
    prompt: str,
    cut: tuple[int, int] | None = None,
    order: tuple[int, ...] | None = None,
    companions: Sequence[str] = (),
    device: str = "cpu",
    dtype: str = "float64",
) -> Trace:
    """`capture` for token ids that are known already; `prompt` is only their text."""
    config = loaded.model.config
    check_device(device, dtype)
    _check_request(loaded, ids, cut)
    with plain_numerics():
        model = loaded.model.to(device=device, dtype=DTYPES[dtype])
        arrays = _run(model, torch.tensor(ids, device=device), cut)
    spec = TraceSpec(
        model_name=loaded.name,
        weights_hash=loaded.weights_hash,
        tokenizer_hash=loaded.tokenizer.hash,
        prompt=prompt,
        ids=ids,
        tokens=loaded.tokenizer.labels(ids),
        vocabulary=loaded.tokenizer.vocabulary,
        config=config,
        device=device,
        dtype=dtype,
        versions=versions(device),
        cut=cut,
        card=loaded.card,
        order=order,
        companions={name: load_model(name).card for name in companions},
    )
    numbers = {name: tensor.to("cpu", torch.float64).numpy() for name, tensor in arrays.items()}
    if order is not None:
        numbers |= _other_runs(loaded, ids, order, prompt=prompt, device=device, dtype=dtype)
    trace = Trace(spec, numbers)
    identities.check(trace)
    return trace


def _other_runs(
    loaded: LoadedModel, ids: tuple[int, ...], order: tuple[int, ...], *, prompt: str, device: str, dtype: str
) -> dict[str, np.ndarray]:
    """The data of every further run under its prefix, each run's own identities checked; and the fixed table."""
    found = {}
    config = loaded.model.config
    if config.positions == "sinusoidal":
        table = sinusoidal(config.context_length, d_model=config.d_model, dtype=DTYPES[dtype])
        found["embed.PE"] = table.double().numpy()
    for run in RUNS.values():
        model = loaded.model if run.placed else loaded.model.without_positions()
        tokens = reordered(ids, order) if run.reordered else ids
        trace = capture_ids(replace(loaded, model=model), tokens, prompt=prompt, device=device, dtype=dtype)
        for name in trace.names():
            if stage_of(name).role != "weight":
                found[f"{run.key}.{name}"] = trace.array(name)
    return found


def _run(model: Transformer, ids: Tensor, cut: tuple[int, int] | None) -> dict[str, Tensor]:
    recorder = Recorder()
    logits = forward(model, ids, tap=recorder.tap)
    next_token(logits, tap=recorder.tap)
    for layer in range(model.config.layer_count):
        recorder.tap(f"blocks.{layer}.lens.logits", logit_lens(model, recorder.kept[f"blocks.{layer}.residual.after"]))
    if not torch.equal(forward(model, ids), logits):
        raise CheckFailed("whole model, identity “logits = those of the model without recorder”", "they differ")
    if cut is not None:
        recorder.tap("cut.logits", without := forward(model, ids, cut=cut))
        recorder.tap("cut.probabilities", next_token(without))
    return dict(recorder.kept)


def _check_request(loaded: LoadedModel, ids: tuple[int, ...], cut: tuple[int, int] | None) -> None:
    config = loaded.model.config
    if not ids:
        raise InputError("prompt", "it is empty", "type at least one word")
    if len(ids) > config.context_length:
        raise InputError(
            "prompt",
            f"it has {len(ids)} tokens, {loaded.name} takes at most {config.context_length}",
            "shorten it",
        )
    if not all(0 <= number < config.vocabulary_size for number in ids):
        raise InputError("token ids", "one is not in the vocabulary", f"use 0 to {config.vocabulary_size - 1}")
    if cut is None:
        return
    for what, place, count in (("layer", cut[0], config.layer_count), ("head", cut[1], config.head_count)):
        if not 0 <= place < count:
            raise InputError(f"{what} {place + 1}", f"{loaded.name} has {count}", f"give a {what} from 1 to {count}")
