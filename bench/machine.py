"""What was measured on: processor, cores, memory, system, and the versions that decide about speed."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("manim", "av", "numpy", "pycairo", "torch")


def machine() -> dict[str, str]:
    """The lines of the table's heading, by name."""
    import av
    import cairo

    return {
        "processor": f"{_processor()}, {len(os.sched_getaffinity(0))} cores",
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "system": f"{platform.system()} {platform.release().partition('-')[0]}, Python {platform.python_version()}",
        "versions": ", ".join(f"{name} {version(name)}" for name in PACKAGES),
        "libraries": f"cairo {cairo.cairo_version_string()}, "
        f"libavcodec {'.'.join(map(str, av.library_versions['libavcodec']))}",
        "checkout": _commit(),
    }


def words() -> str:
    """The same as one paragraph."""
    return "; ".join(f"{name}: {value}" for name, value in machine().items()) + "."


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def _commit() -> str:
    root = Path(__file__).resolve().parents[1]
    told = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=root, capture_output=True, text=True, check=False
    )
    return told.stdout.strip() or "no version control"
