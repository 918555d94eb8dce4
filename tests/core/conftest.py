"""Array shapes that the annotations promise are checked while these tests run."""

import sys

import pytest
import torch
from jaxtyping import install_import_hook

if not any(name.startswith("transformer_core.") for name in sys.modules):
    install_import_hook("transformer_core", "beartype.beartype")


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)
