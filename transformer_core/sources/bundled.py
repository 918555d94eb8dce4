"""Models in folders: the bundled ones by name, any other by its path.

A folder holds `model.safetensors` (or `model.pt`, a plain dictionary of tensors), `config.json`,
`vocabulary.json` and `card.json`. Nothing in it is ever executed.
"""

import hashlib
import json
import os
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

import torch
from safetensors import SafetensorError
from safetensors.torch import load as load_safetensors
from safetensors.torch import save as save_safetensors
from torch import Tensor

from transformer_core.config import ModelConfig
from transformer_core.errors import InputError
from transformer_core.model import Transformer
from transformer_core.sources.card_form import check_card
from transformer_core.sources.loaded import LoadedModel
from transformer_core.tokens import WordTokenizer

MODELS = Path(__file__).resolve().parents[2] / "assets" / "models"
SAFETENSORS, TORCH = "model.safetensors", "model.pt"
_FLOATS = (torch.float64, torch.float32, torch.float16, torch.bfloat16)


class FolderSource:
    """Bundled models by name, and any folder by its path."""

    def names(self) -> tuple[str, ...]:
        """The folders in assets/models that hold a configuration."""
        return tuple(sorted(path.parent.name for path in MODELS.glob("*/config.json")))

    def accepts(self, reference: str) -> bool:
        """A bundled model's name, or the path of a folder."""
        return reference in self.names() or os.path.isdir(reference)

    def load(self, reference: str) -> LoadedModel:
        """Raises InputError for a folder whose files are missing, damaged or do not fit together."""
        return load_folder(MODELS / reference if reference in self.names() else Path(reference))


source = FolderSource()


def load_folder(folder: Path) -> LoadedModel:
    """The model in a folder. Raises InputError as `FolderSource.load` does."""
    config = ModelConfig.from_dict(_read_mapping(folder / "config.json"))
    tokenizer = WordTokenizer.load(folder / "vocabulary.json")
    if len(tokenizer.vocabulary) != config.vocabulary_size:
        raise InputError(
            str(folder / "vocabulary.json"),
            f"it has {len(tokenizer.vocabulary)} words where config.json says {config.vocabulary_size}",
            "give the vocabulary that the model was trained with",
        )
    card = _read_mapping(folder / "card.json") if (folder / "card.json").exists() else {}
    check_card(str(folder / "card.json"), card)
    path = folder / (TORCH if (folder / TORCH).exists() and not (folder / SAFETENSORS).exists() else SAFETENSORS)
    weights = read_weights(path)
    try:
        model = Transformer(config, weights)
    except InputError as error:
        raise InputError(str(path), f"{error.what}: {error.why}", error.instead) from None
    return LoadedModel(folder.resolve().name, model, tokenizer, card, weights_hash(model.weights))


def save_folder(folder: Path, model: Transformer, tokenizer: WordTokenizer, *, card: Mapping[str, Any]) -> None:
    """Write a folder that `load_folder` reads. Weights are float64, so that 0.37 stays that float64."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: weight.detach().to("cpu", torch.float64).contiguous() for name, weight in model.weights.items()}
    (folder / SAFETENSORS).write_bytes(save_safetensors(weights))
    for name, data in (("config.json", model.config.to_dict()), ("card.json", dict(card))):
        (folder / name).write_text(json.dumps(data, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    tokenizer.save(folder / "vocabulary.json")


def weights_hash(weights: Mapping[str, Tensor]) -> str:
    """64 hex digits over sorted name, shape and the float64 values, whatever file they came from."""
    running = hashlib.sha256()
    for name in sorted(weights):
        values = weights[name].detach().to("cpu", torch.float64).contiguous()
        running.update(json.dumps([name, list(values.shape)]).encode())
        running.update(values.numpy().tobytes())
    return running.hexdigest()


def read_weights(path: Path) -> dict[str, Tensor]:
    """The tensors of a safetensors file, or of a torch file with tensors only, as float64.

    Raises InputError for a missing, truncated or foreign file, a pickle with anything but tensors, and for a
    value that is not finite.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(
            str(path), f"cannot be read ({error.strerror})", "give a folder with model.safetensors"
        ) from None
    weights = _read_torch(path) if path.suffix == ".pt" else _read_safetensors(path, data)
    for name, weight in weights.items():
        if weight.dtype not in _FLOATS:
            raise InputError(str(path), f"{name} holds {weight.dtype}", "give floating-point weights")
        if not bool(torch.isfinite(weight).all()):
            raise InputError(
                str(path),
                f"{name} holds a value that is NaN or infinite",
                "train or download the model again",
            )
    return {name: weight.to(torch.float64) for name, weight in weights.items()}


def _read_safetensors(path: Path, data: bytes) -> dict[str, Tensor]:
    try:
        return load_safetensors(data)
    except (SafetensorError, ValueError, KeyError):
        # Asked only now: a safetensors file begins with its header's length, which can be the same bytes.
        if data[:2] == b"PK" or data[:1] == b"\x80":
            raise InputError(str(path), "it is a pickle, which could run code", "give a safetensors file") from None
        raise InputError(
            str(path), "truncated, or not a safetensors file", "train or download the model again"
        ) from None


def _read_torch(path: Path) -> dict[str, Tensor]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch warns of what is refused here anyway
            weights = torch.load(path, map_location="cpu", weights_only=True)
    except Exception:  # a damaged pickle fails in any way it likes
        raise InputError(str(path), "damaged, or it holds more than tensors", "give a safetensors file") from None
    if not isinstance(weights, Mapping) or not all(isinstance(weight, Tensor) for weight in weights.values()):
        raise InputError(str(path), "not a dictionary of tensors", "give a safetensors file")
    return {str(name): weight for name, weight in weights.items()}


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


def _read_mapping(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"), parse_constant=_refuse_constant)
        json.dumps(data, ensure_ascii=False).encode()  # an escape can hold half a character
    except OSError as error:
        raise InputError(str(path), f"cannot be read ({error.strerror})", "give a complete model folder") from None
    except (ValueError, RecursionError):
        raise InputError(str(path), "not JSON", "give a complete model folder") from None
    if not isinstance(data, dict):
        raise InputError(str(path), "not a JSON object", "give a complete model folder")
    return data
