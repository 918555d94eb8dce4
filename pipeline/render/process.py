"""The parent's end of a render process: start it early, give it its folder, follow it, end it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from pipeline.render.job import Result
from pipeline.render.runtime import AS_USER, ROOT, worker_environment

Report = Callable[[str, int], None]


class RenderProcess:
    """A fresh process that imports Manim at once and draws when it is given a job folder.

    `as_user`: it runs in the current folder with the person's own Manim configuration, for a file of theirs.
    """

    def __init__(self, *, as_user: bool = False) -> None:
        # Closed by `end`, as the process itself.
        self._log = tempfile.TemporaryFile(mode="w+", encoding="utf-8", errors="replace")  # noqa: SIM115
        self._process = subprocess.Popen(
            # -P: what lies in the current folder must not stand in for our own modules.
            [sys.executable, "-P", "-m", "pipeline.render.worker", *([AS_USER] if as_user else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            encoding="utf-8",
            cwd=None if as_user else ROOT,
            env=worker_environment(os.environ),
        )

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
            else:
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
        """What the process wrote on stderr."""
        self._log.seek(0)
        return self._log.read()

    def _ended(self) -> Result:
        code = self._process.wait()
        lines = [line for line in self.log.splitlines() if line.strip()]
        reason = lines[-1].strip() if lines else "it said nothing"
        how = f"signal {-code}" if code < 0 else f"code {code}"
        return Result(failure=f"the render process ended with {how}: {reason}", what="work")
