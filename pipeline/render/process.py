"""The parent's end of a render process: start it early, give it its folder, follow it, end it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from pipeline.render.job import Result
from pipeline.render.runtime import AS_USER, ROOT, worker_environment
from transformer_core.errors import CheckFailed

Report = Callable[[str, int], None]
LONGEST_LOG = 1 << 20
"""Bytes: a person's scene that prints without end fills the disk, not the memory."""


class RenderProcess:
    """A fresh process that imports Manim at once and draws when it is given a job folder.

    `as_user`: it runs in the current folder with the person's own Manim configuration, for a file of theirs.
    Raises CheckFailed where the system does not let it start.
    """

    def __init__(self, *, as_user: bool = False) -> None:
        try:
            # Closed by `end`, as the process itself.
            self._log = tempfile.TemporaryFile()  # noqa: SIM115
            self._process = _started(self._log, as_user=as_user)
        except OSError as error:
            raise CheckFailed("render process", f"it cannot be started ({error.strerror})") from None

    def draw(self, folder: Path, report: Report) -> Result:
        """Draw the job in the folder, calling `report(beat, frames)` as it goes on."""
        process, result = self._process, None
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(str(folder.resolve())) + "\n")
            process.stdin.flush()
        except (BrokenPipeError, ValueError):
            return self._ended()
        for line in process.stdout:
            told = json.loads(line)
            if "result" in told:
                result = Result(**told["result"])
                # The last line; what a person's code has started may hold the pipe open for long.
                break
            report(told["beat"], told["frames"])
        process.wait()
        return result or self._ended()

    def end(self) -> None:
        """Kill the process if it still runs, and let go of it."""
        process = self._process
        if process.poll() is None:
            process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, self._log):
            if stream is not None:
                try:
                    stream.close()
                except BrokenPipeError:
                    continue

    @property
    def log(self) -> str:
        """What the process wrote on stderr; the last of it where that is much."""
        self._log.seek(max(0, self._log.seek(0, os.SEEK_END) - LONGEST_LOG))
        return self._log.read().decode("utf-8", errors="replace")

    def _ended(self) -> Result:
        code = self._process.wait()
        lines = [line for line in self.log.splitlines() if line.strip()]
        reason = lines[-1].strip() if lines else "it said nothing"
        how = f"signal {-code}" if code < 0 else f"code {code}"
        return Result(failure=f"the render process ended with {how}: {reason}", what="work")


def _started(log: BinaryIO, *, as_user: bool) -> subprocess.Popen[str]:
    try:
        return subprocess.Popen(
            # -P: what lies in the current folder must not stand in for our own modules.
            [sys.executable, "-P", "-m", "pipeline.render.worker", *([AS_USER] if as_user else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            encoding="utf-8",
            cwd=None if as_user else ROOT,
            env=worker_environment(os.environ),
        )
    except OSError:
        log.close()
        raise
