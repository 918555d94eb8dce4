"""Jobs on a dask.distributed cluster: the trace travels there, the drawn files come back and are compared."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from concurrent.futures import CancelledError
from pathlib import Path
from threading import Event, Lock
from typing import Any

from pipeline.course.drawer import Drawing, Report, Stopped
from pipeline.course.plan import Task
from pipeline.course.remote import Answer, draw_here, pack, unpack
from transformer_core.errors import CheckFailed, InputError

PATIENCE = "10 s"
"""How long a scheduler may take to answer the first time."""
_ADDRESS = re.compile(r"(tcp|tls|ucx|ws|wss)://\S+:\d+")


class ClusterDrawer:
    """Each job on one of the cluster's machines; the job of a machine that is lost goes to another."""

    processes = 1
    """How many draw at once is for the machine to say that gets the job."""

    def __init__(self, address: str) -> None:
        """Raises InputError for an address where no scheduler answers, or without dask.distributed."""
        shown = f"--cluster {address[:60]!r}"
        if not _ADDRESS.fullmatch(address):
            raise InputError(shown, "it is no address", "type one such as tcp://scheduler:8786")
        try:
            from distributed import Client
        except ImportError:
            raise InputError(
                shown, "dask.distributed is not installed", "run: .venv/bin/pip install '.[cluster]'"
            ) from None
        try:
            self._client: Any = Client(address, timeout=PATIENCE, set_as_default=False)
            # Of a machine that joins later it is not known; it draws with one process.
            self._threads: Mapping[str, int] = self._client.nthreads()
        except (OSError, TimeoutError, ValueError) as error:
            why = f"no scheduler answers there ({type(error).__name__})"
            raise InputError(shown, why, "start one: dask scheduler") from None
        self.address = address
        self._futures: set[Any] = set()
        self._stopping, self._lock = Event(), Lock()

    @property
    def jobs_at_once(self) -> int:
        """As many as the cluster had threads when the build began."""
        return max(1, sum(self._threads.values()))

    def draw(self, folder: Path, task: Task, report: Report) -> Drawing:
        """Send the job, wait for its files, compare their digests. Raises CheckFailed where the cluster is lost."""
        inputs = task.inputs
        parcel = pack(folder, task.picture, inputs.picture, inputs.fonts, threads=self._threads)
        with self._lock:
            if self._stopping.is_set():
                raise Stopped
            future = self._client.submit(draw_here, parcel, pure=False)
            self._futures.add(future)
        try:
            answer: Answer = future.result()
        except (CancelledError, OSError, TimeoutError) as error:
            if self._stopping.is_set():
                raise Stopped from None
            raise CheckFailed(f"cluster {self.address}", self._lost(error)) from None
        except Exception as error:
            if type(error).__module__.split(".")[0] != "distributed":
                raise
            raise CheckFailed(f"cluster {self.address}", self._lost(error)) from None
        finally:
            with self._lock:
                self._futures.discard(future)
        fault = unpack(answer, folder)
        if fault:
            raise CheckFailed(f"cluster {self.address}", fault)
        return Drawing(answer.result, answer.log)

    def _lost(self, error: BaseException) -> str:
        words = " ".join(str(error).split())[:120]
        return f"the job was lost ({type(error).__name__}: {words}); what was finished is kept, build again"

    def end(self) -> None:
        """Take back what is not done, and leave the cluster."""
        with self._lock:
            if self._stopping.is_set():
                return
            self._stopping.set()
            futures = list(self._futures)
        # The cluster may be gone, in any way it likes.
        with contextlib.suppress(Exception):
            self._client.cancel(futures, force=True)
        self._client.close(timeout=2)
