"""How many processor cores this process may use."""

from __future__ import annotations

import os


def cores() -> int:
    """The cores that the system leaves to this process, at least one."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
