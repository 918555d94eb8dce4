"""Where models and traces come from, one file each."""

import difflib
import importlib
import pkgutil

from transformer_core.errors import InputError
from transformer_core.sources.loaded import LoadedModel, ModelSource

__all__ = ["LoadedModel", "ModelSource", "load_model", "model_names", "model_sources"]


def model_sources() -> tuple[ModelSource, ...]:
    """Every module of this folder that has an attribute `source`, in the order of its names."""
    modules = (importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__))
    return tuple(module.source for module in modules if hasattr(module, "source"))


def model_names() -> tuple[str, ...]:
    """The models that can be loaded by name."""
    return tuple(sorted({name for source in model_sources() for name in source.names()}))


def load_model(reference: str) -> LoadedModel:
    """A model by its name or folder. Raises InputError, with the nearest name, when there is none."""
    for source in model_sources():
        if source.accepts(reference):
            return source.load(reference)
    names = model_names()
    near = difflib.get_close_matches(reference, names, n=1, cutoff=0.0)
    instead = f"try {near[0]!r}, or a folder with model.safetensors" if near else "give a folder with model.safetensors"
    raise InputError(f"model {reference!r}", "there is no such model", instead)
