"""A scheduler and workers of dask.distributed on this machine's loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.course.killing import children
from tests.pipeline.test_crashes import wait_for

ROOT = Path(__file__).resolve().parents[2]
WORKER_OPTIONS = ("--nthreads", "1", "--no-nanny", "--no-dashboard")


class Cluster:
    """Running from when it is made until `end`."""

    def __init__(self, folder: Path, *, workers: int) -> None:
        self.folder, self.size = folder, workers
        self.processes: list[subprocess.Popen[bytes]] = []
        self._start_all()

    def _start_all(self) -> None:
        about = self.folder / "scheduler.json"
        about.unlink(missing_ok=True)
        self.scheduler = self._start(
            "dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(about)
        )
        self.address = wait_for(lambda: _address(about), "the scheduler")
        self.workers = [self._start_worker() for _ in range(self.size)]

    def _start_worker(self) -> subprocess.Popen[bytes]:
        return self._start("dask_worker", self.address, *WORKER_OPTIONS, "--local-directory", str(self.folder))

    def _start(self, program: str, *words: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{program}-{len(self.processes)}.log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-W", "ignore", "-m", f"distributed.cli.{program}", *words],
                cwd=self.folder,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdout=log,
                stderr=log,
            )
        self.processes.append(process)
        return process

    def busy(self) -> list[subprocess.Popen[bytes]]:
        """The workers that are drawing."""
        return [worker for worker in self.workers if worker.poll() is None and children(worker.pid)]

    def mend(self) -> None:
        """Start again what is dead."""
        if self.scheduler.poll() is not None:
            self.end()
            self._start_all()
        else:
            self.workers = [self._start_worker() if each.poll() is not None else each for each in self.workers]

    def end(self) -> None:
        """Kill all of it."""
        for process in self.processes:
            process.kill()
            process.wait()


def _address(about: Path) -> str:
    try:
        return json.loads(about.read_text())["address"]
    except (OSError, ValueError, KeyError):
        return ""
