"""One command: how long it took, how much of the processors' time, how much memory at most."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SECONDS_BETWEEN_LOOKS = 0.2
ROOT = Path(__file__).resolve().parents[1]
CLI = (sys.executable, str(ROOT / "cli.py"))
"""The project's command line, and `MANIM` that of Manim, in this environment."""
MANIM = (str(Path(sys.executable).with_name("manim")),)


@dataclass(frozen=True)
class Measured:
    """Seconds by the clock and of processor time, largest memory in bytes, and what came on stdout.

    Memory is what all processes of the command held at one time, each page counted once (PSS), looked at five
    times a second; where the system does not tell, that of the largest process.
    """

    seconds: float
    processor: float
    memory: int
    output: str


def measure(
    command: Sequence[str], *, folder: Path, environment: Mapping[str, str] | None = None, cores: int | None = None
) -> Measured:
    """Run a command in a folder, on so many cores. Raises RuntimeError with the last thing it said where it fails."""

    def keep_to_cores() -> None:
        if cores is not None:
            os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])

    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        start = time.perf_counter()
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            preexec_fn=keep_to_cores,
        )
        watch = _Watch(process.pid)
        assert process.stdout is not None
        with process.stdout as told:
            output = told.read()
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        watch.end()
        if process.returncode:
            log.seek(0)
            last = (log.read().strip() or output.strip() or "it said nothing").splitlines()[-1]
            raise RuntimeError(f"{' '.join(map(str, command))}: {last}")
    largest = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return Measured(seconds, used.ru_utime + used.ru_stime, max(watch.most, 0) or largest, output)


class _Watch:
    """Looks at the memory of a process and of those it started, until it is told to end."""

    def __init__(self, process: int) -> None:
        self.most = 0
        self._process, self._ended = process, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Stop looking."""
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._ended.wait(SECONDS_BETWEEN_LOOKS):
            self.most = max(self.most, sum(map(_held_by, _family(self._process))))


def _family(process: int) -> list[int]:
    """A process and all that it started, directly or not."""
    members = [process]
    for member in members:
        for children in Path(f"/proc/{member}/task").glob("*/children"):
            try:
                members += [int(each) for each in children.read_text().split()]
            except OSError:
                continue
    return members


def _held_by(process: int) -> int:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
