"""Copies of this process that go on in its place with a part of the work, several at a time.

A copy is a fork: it has whatever was made before it, and nothing has to be sent to it. Linux alone promises that a
process which has loaded such libraries can be copied.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any, NoReturn

from pipeline.render.lifeline import end_with
from transformer_core.errors import CheckFailed

POSSIBLE = sys.platform == "linux"


class CopyFailed(Exception):
    """A copy ended without its work being done. `told` is what it said; None where it could say nothing."""

    def __init__(self, name: str, told: Any) -> None:
        super().__init__(f"the process of {name} ended before its time")
        self.told = told


class Copies:
    """The copies of one process. Each is told from the others by a name and says at its end how it went.

    `well`: whether what a copy said of its end is good news.
    """

    def __init__(self, *, most: int, well: Callable[[Any], bool]) -> None:
        self.name = ""
        """Which copy this process is; empty for the first one."""
        self._most, self._well = most, well
        self._running: dict[Connection, tuple[int, str]] = {}
        self._end: Connection | None = None

    def begin(self, name: str) -> bool:
        """Copy this process as soon as there is room; True in the copy. Raises CopyFailed for one that has failed."""
        while len(self._running) >= self._most:
            self._wait()
        reader, writer = Pipe(duplex=False)
        first = os.getpid()
        sys.stderr.flush()
        # What is there already is left in place by the collector, so that the copies go on sharing it.
        gc.freeze()
        with warnings.catch_warnings():
            # The only other thread waits for the parent's end; it holds nothing.
            warnings.simplefilter("ignore", DeprecationWarning)
            try:
                process = os.fork()
            except OSError as error:
                raise CheckFailed(
                    "render", f"no further process can be started ({error.strerror}); raise ulimit -u"
                ) from None
        if process == 0:
            end_with(first)
            reader.close()
            self.name, self._end, self._running = name, writer, {}
            return True
        writer.close()
        self._running[reader] = (process, name)
        return False

    def leave(self, told: Any) -> NoReturn:
        """End this copy, saying how it went."""
        assert self._end is not None
        self._end.send(told)
        sys.stderr.flush()
        # Whatever waits for the end of the process that was copied is not this one's to do.
        os._exit(0)

    def join(self) -> None:
        """Wait for all copies. Raises CopyFailed for one that has failed."""
        while self._running:
            self._wait()

    def end(self) -> None:
        """Kill the copies that still run."""
        for reader, (process, _) in self._running.items():
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            reader.close()
        self._running.clear()

    def _wait(self) -> None:
        for reader in wait(list(self._running)):
            assert isinstance(reader, Connection)
            process, name = self._running[reader]
            try:
                told = reader.recv()
            except EOFError:
                told = None
            del self._running[reader]
            reader.close()
            os.waitpid(process, 0)
            if told is None or not self._well(told):
                raise CopyFailed(name, told)
