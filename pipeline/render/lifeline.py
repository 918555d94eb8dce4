"""A render process dies with the process that started it, however that one ends."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from typing import TextIO

PR_SET_PDEATHSIG = 1


def die_with_parent(orders: TextIO) -> None:
    """End this process when its parent ends: by the kernel's signal on Linux, and when `orders` closes.

    Call it after the last line has been read from `orders`. Ctrl-C is left to the parent, which ends its
    workers.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=_wait_for_end, args=(orders,), name="lifeline", daemon=True).start()


def _wait_for_end(orders: TextIO) -> None:
    while orders.readline():
        pass
    os._exit(1)
