"""One prompt through one model, every number kept."""

import torch
from torch import Tensor

from transformer_core import identities
from transformer_core.errors import CheckFailed, InputError
from transformer_core.model import Transformer, forward, logit_lens, next_token
from transformer_core.numerics import DTYPES, check_device, plain_numerics, versions
from transformer_core.recorder import Recorder
from transformer_core.sources.loaded import LoadedModel
from transformer_core.trace import Trace, TraceSpec


def capture(
    loaded: LoadedModel,
    prompt: str,
    *,
    cut: tuple[int, int] | None = None,
    device: str = "cpu",
    dtype: str = "float64",
) -> Trace:
    """Run the prompt and return its trace, every identity checked.

    `cut` = (layer, head), 0-based, adds `cut.*`: the same model with that head's ΔE set to 0 at every
    position. Raises InputError for a prompt or a cut that the model does not allow, CheckFailed when an
    identity does not hold.
    """
    return capture_ids(
        loaded, loaded.tokenizer.encode(prompt), prompt=prompt, cut=cut, device=device, dtype=dtype
    )


def capture_ids(
    loaded: LoadedModel,
    ids: tuple[int, ...],
    *,
    prompt: str,
    cut: tuple[int, int] | None = None,
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
    )
    trace = Trace(spec, {name: tensor.to("cpu", torch.float64).numpy() for name, tensor in arrays.items()})
    identities.check(trace)
    return trace


def _run(model: Transformer, ids: Tensor, cut: tuple[int, int] | None) -> dict[str, Tensor]:
    recorder = Recorder()
    logits = forward(model, ids, tap=recorder.tap)
    next_token(logits, tap=recorder.tap)
    for layer in range(model.config.layer_count):
        recorder.tap(
            f"blocks.{layer}.lens.logits", logit_lens(model, recorder.kept[f"blocks.{layer}.residual.after"])
        )
    if not torch.equal(forward(model, ids), logits):
        raise CheckFailed(
            "whole model, identity “logits = those of the model without recorder”", "they differ"
        )
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
        raise InputError(
            "token ids", "one is not in the vocabulary", f"use 0 to {config.vocabulary_size - 1}"
        )
    if cut is None:
        return
    for what, place, count in (("layer", cut[0], config.layer_count), ("head", cut[1], config.head_count)):
        if not 0 <= place < count:
            raise InputError(
                f"{what} {place + 1}", f"{loaded.name} has {count}", f"give a {what} from 1 to {count}"
            )
