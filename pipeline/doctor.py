"""What this machine has for the project, what is missing, and how to get it."""

from __future__ import annotations

import ctypes.util
import importlib.metadata
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline.cores import cores

ROOT = Path(__file__).resolve().parents[1]
FONTS = (
    "NotoSans-Regular",
    "NotoSans-SemiBold",
    "NotoSansMath-Regular",
    "NotoSansSC-Regular",
    "NotoSansSC-SemiBold",
)
LIBRARIES = {"cairo": "libcairo2-dev", "pango-1.0": "libpango1.0-dev", "pangocairo-1.0": "libpango1.0-dev"}
ENOUGH_DISK = 2 * 1024**3
SET_UP = "sh setup.sh"


@dataclass(frozen=True)
class Finding:
    """One thing looked at: `value` is what was found, `remedy` what to do about it, if anything."""

    part: str
    name: str
    value: str
    remedy: str = ""

    @property
    def fine(self) -> bool:
        """Whether nothing has to be done."""
        return not self.remedy


def examine() -> Iterator[Finding]:
    """Everything that a render depends on, in the order in which it is needed."""
    yield from python()
    yield from packages()
    yield from libraries()
    yield from encoder()
    yield from fonts()
    yield from models()
    yield from machine()
    yield graphics()


def python() -> Iterator[Finding]:
    """The running Python and the environment that it belongs to."""
    new_enough = sys.version_info >= (3, 11)
    yield Finding("python", "python", platform.python_version(), "" if new_enough else "install Python 3.11 or newer")
    inside = Path(sys.prefix).resolve() == (ROOT / ".venv").resolve()
    yield Finding("python", "environment", ".venv of this checkout" if inside else f"another one: {sys.prefix}")


def packages() -> Iterator[Finding]:
    """Every package that constraints.txt pins, beside what is installed."""
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        name, pinned, version = line.partition("==")
        if not pinned:
            continue
        try:
            found = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            yield Finding("package", name, "missing", SET_UP)
            continue
        # A local build says "2.13.0+cpu" where the pin says "2.13.0".
        same = found.partition("+")[0] == version
        yield Finding("package", name, found if same else f"{found}, tested with {version}")


def libraries() -> Iterator[Finding]:
    """The system libraries that text and drawing are linked against."""
    for name, package in LIBRARIES.items():
        found = ctypes.util.find_library(name)
        yield Finding("library", name, found or "missing", "" if found else f"{SET_UP} (on Debian: {package})")


def encoder() -> Iterator[Finding]:
    """Whether PyAV brings the encoder of the published videos."""
    try:
        import av
    except ImportError as error:
        yield Finding("encoder", "libx264", f"PyAV does not load: {error}", SET_UP)
        return
    there = "libx264" in av.codecs_available
    yield Finding("encoder", "libx264", f"in PyAV {av.__version__}" if there else "missing", "" if there else SET_UP)


def fonts() -> Iterator[Finding]:
    """The shipped font files."""
    for name in FONTS:
        path = ROOT / "assets" / "fonts" / f"{name}.ttf"
        found = path.is_file()
        yield Finding(
            "font",
            name,
            "shipped" if found else "missing",
            "" if found else f"git checkout {path.relative_to(ROOT)}",
        )


def models() -> Iterator[Finding]:
    """The bundled models."""
    folder = ROOT / "assets" / "models"
    for weights in sorted(folder.glob("*/model.safetensors")):
        yield Finding("model", weights.parent.name, f"{weights.stat().st_size / 1024:.0f} KiB")


def machine() -> Iterator[Finding]:
    """Cores, memory and the disk under media/."""
    yield Finding("machine", "system", f"{platform.system()} {platform.machine()}")
    yield Finding("machine", "cores", str(cores()))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    yield Finding("machine", "memory", f"{memory / 1024**3:.1f} GiB")
    free = shutil.disk_usage(ROOT).free
    low = "" if free >= ENOUGH_DISK else "free 2 GiB for frames and videos"
    yield Finding("machine", "free disk", f"{free / 1024**3:.1f} GiB", low)
    writable = os.access(ROOT / "media" if (ROOT / "media").exists() else ROOT, os.W_OK)
    yield Finding(
        "machine",
        "media/",
        "writable" if writable else "not writable",
        "" if writable else "render with -o FOLDER",
    )


def graphics() -> Finding:
    """The GPU: never needed, used by `--device cuda` where torch was built for it."""
    built = re.search(r"^cuda[^=]*= *'([^']+)'", torch_version_file(), re.MULTILINE)
    cards = graphics_cards()
    if not cards:
        return Finding("machine", "gpu", "none (none is needed)")
    if not built:
        return Finding("machine", "gpu", f"{cards}; not usable: this torch is built for the CPU only")
    return Finding("machine", "gpu", f"{cards}, torch built for CUDA {built[1]}")


def torch_version_file() -> str:
    """What torch says of its own build, read without the seconds that importing it takes."""
    try:
        return importlib.metadata.distribution("torch").locate_file("torch/version.py").read_text()
    except (importlib.metadata.PackageNotFoundError, OSError):
        return ""


def graphics_cards() -> str:
    """The NVIDIA cards that the driver names, or nothing."""
    command = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return ", ".join(answer.stdout.split("\n")).strip(", ")
