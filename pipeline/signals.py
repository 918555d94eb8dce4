"""Being asked to end by the system is as Ctrl-C: what runs is ended, and nothing is left behind."""

from __future__ import annotations

import signal
import threading
from typing import Any, Self

ASKED = (signal.SIGTERM, signal.SIGHUP)
SHELL = 128
"""What a shell adds to the number of the signal that ended a command."""


class Hearing:
    """Within it, SIGTERM and SIGHUP raise KeyboardInterrupt. One that is ignored, as under `nohup`, stays so."""

    def __init__(self) -> None:
        self.heard = 0
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in ASKED:
                if signal.getsignal(number) is signal.SIG_DFL:
                    self._before[number] = signal.signal(number, self._hear)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def code(self, otherwise: int) -> int:
        """The exit code that a shell gives a command which the signal ended."""
        return SHELL + self.heard if self.heard else otherwise

    def _hear(self, number: int, _: object) -> None:
        # Only the first interrupts: others come while things are cleared up, as `timeout` sends two.
        if not self.heard:
            self.heard = number
            raise KeyboardInterrupt
