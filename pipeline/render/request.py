"""From what a person asked for to what a scene is given: model loaded, prompt run, names resolved.

PyTorch is imported when a model is needed, so that render processes can be started before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from pipeline.catalogue import SceneEntry
from pipeline.render.spec import RenderSpec
from transformer_core.address import find_token
from transformer_core.claims import claimed_head
from transformer_core.errors import InputError
from transformer_core.trace import Trace

if TYPE_CHECKING:
    from transformer_core.sources import LoadedModel

LONGEST_PROMPT = 16


@dataclass(frozen=True)
class Request:
    """One scene to draw. `asked` is as typed, `spec` the same with what equals a default put back to None.

    `brief` holds the fields of the scene's brief except the trace.
    """

    entry: SceneEntry
    asked: RenderSpec
    spec: RenderSpec
    trace: Trace
    brief: Mapping[str, Any]

    @property
    def stem(self) -> str:
        """The file name without its ending."""
        return self.spec.stem()

    @property
    def model_reference(self) -> str:
        """The name or folder that the model was loaded by."""
        return self.entry.default_model if self.asked.model is None else self.asked.model


def check_names(spec: RenderSpec, entry: SceneEntry) -> RenderSpec:
    """The spec with its beats as the scene writes them. Raises InputError for a beat that the scene lacks."""
    beat = entry.require_beat(spec.beat) if spec.beat is not None else None
    poster = entry.require_beat(spec.poster) if spec.poster is not None else None
    if beat is not None and poster not in (None, beat):
        raise InputError(f"poster {poster!r}", f"only the beat {beat!r} is rendered", "leave one of the two out")
    return replace(spec, beat=beat, poster=poster)


def resolve(spec: RenderSpec, entry: SceneEntry) -> Request:
    """Load the model, run the prompt and find layer, head and query in it.

    Raises InputError for whatever does not exist, CheckFailed when an identity does not hold.
    """
    from transformer_core.capture import capture
    from transformer_core.orders import read_orders

    spec = check_names(spec, entry)
    loaded = load(entry.default_model if spec.model is None else spec.model)
    standard_prompt = _standard_prompt(loaded, entry, spec.language)
    prompt = spec.prompt if spec.prompt is not None else standard_prompt
    if prompt is None:
        raise InputError("prompt", f"the model {loaded.name} has no default one", "give one with --prompt TEXT")
    sentence, order = read_orders(loaded, prompt) if entry.reorders else (prompt, None)
    check_prompt(loaded, sentence)
    config = loaded.model.config
    usual_head = claimed_head(loaded.card, entry.default_claim, layer=spec.layer - 1) + 1
    head = usual_head if spec.head is None else spec.head
    for what, place, count in (
        ("layer", spec.layer, config.layer_count),
        ("head", head, config.head_count),
    ):
        if place > count:
            has = f"{loaded.name} has {count} {what}{'s' if count > 1 else ''}"
            raise InputError(f"{what} {place}", has, f"give 1 to {count}" if count > 1 else f"give {what} 1")
    cut, device = (spec.layer - 1, head - 1), device_of(spec.device)
    trace = capture(loaded, sentence, cut=cut, order=order, companions=entry.companions, device=device)
    usual_query = _usual_query(loaded, trace, spec.language) if prompt == standard_prompt else None
    query = usual_query if spec.query is None else find_token(trace.spec, spec.query)
    brief = {
        "layer": spec.layer - 1,
        "head": head - 1,
        "query": query,
        "language": spec.language,
        "theme": spec.theme,
        "layout": spec.layout,
        "pace": spec.pace,
        "captions": spec.captions,
        "only_beat": spec.beat,
    }
    plain = replace(
        spec,
        prompt=None if prompt == standard_prompt else prompt,
        query=None if query == usual_query else spec.query,
        head=None if head == usual_head else head,
        model=None if spec.model in (None, entry.default_model) else f"{loaded.name}@{loaded.weights_hash[:12]}",
        device=trace.spec.device,
    )
    return Request(entry, spec, plain, trace, brief)


def _standard_prompt(loaded: LoadedModel, entry: SceneEntry, language: str) -> str | None:
    """The prompt that the model's card has for this scene, or for any."""
    prompts = loaded.card.get(entry.prompt_key) or loaded.card.get("default_prompt", {})
    return prompts.get(language)


@cache
def load(reference: str) -> LoadedModel:
    """A model, read once in a process."""
    from transformer_core.sources import load_model

    return load_model(reference)


def check_prompt(loaded: LoadedModel, prompt: str) -> None:
    """Raises InputError for a prompt without words, with unknown ones, or with too many to be seen."""
    count = len(loaded.tokenizer.encode(prompt))
    if count > LONGEST_PROMPT:
        raise InputError("prompt", f"it has {count} tokens", f"give at most {LONGEST_PROMPT}, so that each can be read")


def device_of(name: str) -> str:
    """`auto` is cuda where there is one, else cpu."""
    if name != "auto":
        return name
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def _usual_query(loaded: LoadedModel, trace: Trace, language: str) -> int | None:
    """The place of the card's query in its own prompt; None leaves the choice to the scene."""
    word = loaded.card.get("default_query", {}).get(language)
    return trace.spec.tokens.index(word) if word in trace.spec.tokens else None
