"""What a model's folder holds, by digests, without loading the model."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pipeline.course.digest import digest, digest_bytes
from pipeline.render.runtime import ROOT
from transformer_core.errors import InputError

MODELS = ROOT / "assets" / "models"
SAFETENSORS, TORCH = "model.safetensors", "model.pt"


@dataclass(frozen=True)
class ModelFiles:
    """Digests of a model: one for each tensor, and one for each other file."""

    name: str
    tensors: Mapping[str, str]
    config: str
    vocabulary: str
    card: str

    @property
    def weights(self) -> str:
        """The digest of all tensors."""
        return digest(dict(self.tensors))


def model_folder(reference: str, *, base: Path) -> Path:
    """The folder of a bundled model's name, or of a path from `base`. Raises InputError where there is none."""
    bundled = MODELS / reference
    if "/" not in reference and (bundled / "config.json").is_file():
        return bundled
    folder = base / reference
    if not folder.is_dir():
        names = ", ".join(sorted(path.parent.name for path in MODELS.glob("*/config.json")))
        raise InputError(f"model {reference!r}", "there is no such model", f"try {names}, or a folder")
    return folder


def read_model(folder: Path) -> ModelFiles:
    """Raises InputError for a folder whose files are missing or damaged."""
    weights = folder / SAFETENSORS
    if weights.exists() or not (folder / TORCH).exists():
        tensors = _tensors(weights)
    else:
        tensors = {TORCH: digest_bytes(_bytes(folder / TORCH))}
    return ModelFiles(
        folder.resolve().name,
        tensors,
        _json(folder / "config.json"),
        _json(folder / "vocabulary.json"),
        card_digest(folder),
    )


def card_digest(folder: Path) -> str:
    """The digest of a model's card; empty where it has none."""
    return _json(folder / "card.json") if (folder / "card.json").exists() else ""


def _tensors(path: Path) -> dict[str, str]:
    """The digest of each tensor of a safetensors file: its type, shape and bytes."""
    data = memoryview(_bytes(path))
    try:
        (length,) = struct.unpack("<Q", data[:8])
        header = json.loads(bytes(data[8 : 8 + length]))
        found = {}
        for name, about in header.items():
            if name == "__metadata__":
                continue
            start, end = (8 + length + offset for offset in about["data_offsets"])
            if not 8 + length <= start <= end <= len(data):
                raise ValueError(name)
            kind = json.dumps([about["dtype"], about["shape"]]).encode()
            found[name] = digest_bytes(kind + bytes(data[start:end]))
    except (ValueError, KeyError, TypeError, AttributeError, struct.error):
        again = "train or download the model again"
        raise InputError(str(path), "truncated, or not a safetensors file", again) from None
    return dict(sorted(found.items()))


def _json(path: Path) -> str:
    try:
        return digest(json.loads(_bytes(path)))
    except ValueError:
        raise InputError(str(path), "not JSON", "give a complete model folder") from None


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(str(path), f"cannot be read ({error.strerror})", "give a complete model folder") from None
