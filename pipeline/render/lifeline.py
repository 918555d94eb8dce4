"""A render process dies with the process that started it, however that one ends, and with it what it started."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
from pathlib import Path
from typing import TextIO

PR_SET_PDEATHSIG = 1
GROUP = "group"
"""The file of a job's folder that holds the number of its process group."""


def lead_group() -> None:
    """Make this process the leader of a group: what a person's code starts is in it, and ends with it."""
    os.setpgid(0, 0)


def note_group(folder: Path) -> None:
    """Write down which group the job runs in."""
    (folder / GROUP).write_text(str(os.getpgrp()), encoding="ascii")


def end_group(folder: Path) -> None:
    """Kill every process of the group that was noted in a job's folder, unless it is this process's own."""
    try:
        group = int((folder / GROUP).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return
    if group not in (0, os.getpgrp()):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


def die_with_parent(orders: TextIO) -> None:
    """End this process when its parent ends: by the kernel's signal on Linux, and when `orders` closes.

    Call it after the last line has been read from `orders`. Ctrl-C is left to the parent, which ends its
    workers. The leader of a group ends the whole group.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The kernel's signal would end a leader before it can end the others.
    if not _leads():
        _ask_for_signal()
    threading.Thread(target=_wait_for_end, args=(orders,), name="lifeline", daemon=True).start()


def end_with(parent: int) -> None:
    """End this copy of a process when that process, `parent`, ends; on Linux only."""
    _ask_for_signal()
    if os.getppid() != parent:
        # It ended before it could be asked about.
        os._exit(1)


def _ask_for_signal() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _wait_for_end(orders: TextIO) -> None:
    while orders.readline():
        pass
    if _leads():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _leads() -> bool:
    return os.getpgrp() == os.getpid()
