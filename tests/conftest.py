"""Shapes that annotations promise are checked in all tests: installed before any of them imports a module."""

from jaxtyping import install_import_hook

install_import_hook(
    ("transformer_core.ops", "transformer_core.positions", "transformer_core.model"), "beartype.beartype"
)
