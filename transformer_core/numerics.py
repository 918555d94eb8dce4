"""The one place that touches torch's threads and reduced-precision switches."""

import platform
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch

from transformer_core.errors import InputError

DTYPES = {"float64": torch.float64, "float32": torch.float32, "bfloat16": torch.bfloat16}


def check_device(device: str, dtype: str) -> None:
    """Raises InputError for a device that is not there or a dtype that is not offered."""
    if dtype not in DTYPES:
        raise InputError(f"dtype {dtype!r}", "not offered", "use " + ", ".join(DTYPES))
    if device not in ("cpu", "cuda"):
        raise InputError(f"device {device!r}", "not offered", "use cpu or cuda")
    if device == "cuda" and not torch.cuda.is_available():
        raise InputError("device 'cuda'", "this machine has no GPU that torch can use", "use --device cpu")


@contextmanager
def plain_numerics() -> Iterator[None]:
    """One thread, no TF32, no reduced-precision sums, no gradients; afterwards as it was before."""
    matmul, threads = torch.backends.cuda.matmul, torch.get_num_threads()
    tf32, reduced = matmul.allow_tf32, matmul.allow_bf16_reduced_precision_reduction
    torch.set_num_threads(1)
    matmul.allow_tf32 = matmul.allow_bf16_reduced_precision_reduction = False
    try:
        with torch.no_grad():
            yield
    finally:
        torch.set_num_threads(threads)
        matmul.allow_tf32, matmul.allow_bf16_reduced_precision_reduction = tf32, reduced


def versions(device: str) -> dict[str, str]:
    """What computed the numbers: they are the same bits only where these are the same."""
    found = {
        "torch": torch.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
        "tf32": "off",
    }
    return found | ({"gpu": torch.cuda.get_device_name()} if device == "cuda" else {})
