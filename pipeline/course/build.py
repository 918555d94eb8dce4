"""The build: every task once, several at a time, each published as soon as it is complete."""

from __future__ import annotations

import shutil
import threading
import time
from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from pipeline.course.board import Board
from pipeline.course.changes import Change
from pipeline.course.claims import Claims
from pipeline.course.course import Course
from pipeline.course.drawer import Drawer, Stopped
from pipeline.course.estimates import note_run
from pipeline.course.lock import Lock, Made, change_lock, lock_path, read_lock
from pipeline.course.names import stems_of
from pipeline.course.neighbours import Neighbours
from pipeline.course.places import Places
from pipeline.course.plan import Task
from pipeline.course.published import note, note_again
from pipeline.course.publishing import publish
from pipeline.course.state import state_of
from pipeline.course.store import FAILED, Kept, KeyLock, Store
from pipeline.course.why import kept_of
from pipeline.course.work import Bench, How
from transformer_core.errors import CheckFailed, InputError

SECONDS_BETWEEN_WRITES = 1.0
SECONDS_BETWEEN_TRIES = 0.2
WORDS = {
    "kept": "published, it was drawn before",
    "reissued": "not drawn again, what it shows has not changed",
    "drawn": "drawn",
}


@dataclass(frozen=True)
class Outcome:
    """What came of a task: how its picture was had, or the error; empty `how` where another build was quicker.

    `before`: the picture that the lock spoke of, where the store has it; `after`: the one that was published.
    """

    task: Task
    how: How | None = None
    changes: tuple[Change, ...] = ()
    error: InputError | CheckFailed | None = None
    seconds: float = 0.0
    before: Kept | None = None
    after: Kept | None = None

    @property
    def words(self) -> str:
        """One line."""
        if self.error:
            return f"failed: {self.error}"
        if self.how is None:
            return "done by another build"
        change = f": {self.changes[0]}" if self.changes else ""
        more = f" and {len(self.changes) - 1} more" if len(self.changes) > 1 else ""
        return f"{WORDS[self.how]}{change}{more}"


@dataclass
class Build:
    """A build at work. `keep_going`: a task that fails does not stop the others."""

    course: Course
    store: Store
    drawer: Drawer
    board: Board
    keep_going: bool = False
    outcomes: list[Outcome] = field(default_factory=list)

    def run(self, tasks: Sequence[Task], *, parallel: int) -> list[Outcome]:
        """Do the tasks. On Ctrl-C everything that runs is ended, and what was finished stays finished."""
        self.store.make()
        self._bench, self._neighbours = Bench(self.course, self.store, self.drawer), Neighbours(self.course)
        self._places = Places(self.course, self.store)
        self._left, self._mutex = deque(tasks), threading.Lock()
        self._made: dict[str, Made] = {}
        self._stopping = threading.Event()
        self._crash: BaseException | None = None
        self._at_work, self._over = parallel, threading.Event()
        threads = [threading.Thread(target=self._worker, name=f"build-{n}", daemon=True) for n in range(parallel)]
        with self.board:
            for thread in threads:
                thread.start()
            try:
                # Not `join`: Python 3.11 takes a thread for ended when Ctrl-C comes while it is waited for.
                while not self._over.wait(SECONDS_BETWEEN_WRITES):
                    self._write_lock()
            finally:
                self._stopping.set()
                self.drawer.end()
                for thread in threads:
                    thread.join()
                self._write_last()
        if self._crash:
            raise self._crash
        return self.outcomes

    def _worker(self) -> None:
        try:
            self._take_tasks()
        finally:
            with self._mutex:
                self._at_work -= 1
                if not self._at_work:
                    self._over.set()

    def _take_tasks(self) -> None:
        passed_over = 0
        while not self._stopping.is_set():
            with self._mutex:
                if not self._left:
                    return
                task, waiting = self._left.popleft(), len(self._left)
            if self._do(task):
                passed_over = 0
                continue
            # Another build is at it: first what nobody is at.
            with self._mutex:
                self._left.append(task)
            passed_over += 1
            if passed_over > waiting:
                self._stopping.wait(SECONDS_BETWEEN_TRIES)

    def _do(self, task: Task) -> bool:
        """Do a task, unless another build is at it."""
        start = time.monotonic()
        try:
            with KeyLock(self.store, task.key) as lock:
                if not lock.take():
                    return False
                outcome = self._work(task, start)
        except Stopped:
            return True
        except (InputError, CheckFailed, OSError) as error:
            if gone := self._places.gone():
                self._end(gone)
                return True
            told = self._places.told(error, task.label) if isinstance(error, OSError) else error
            outcome = Outcome(task, error=told, seconds=time.monotonic() - start)
            if not self.keep_going:
                self._stopping.set()
                self.drawer.end()
        except BaseException as error:
            self._end(error)
            return True
        with self._mutex:
            self.outcomes.append(outcome)
        self.board.ended(task, outcome.words)
        return True

    def _end(self, error: BaseException) -> None:
        """Stop everything for an error that is no single task's."""
        self._crash = error
        self._stopping.set()
        self.drawer.end()

    def _work(self, task: Task, start: float) -> Outcome:
        lock = read_lock(lock_path(self.course.path))
        if self._done_by_others(task, lock):
            return Outcome(task)
        claims = Claims(self.store, lock, self._neighbours)
        for asset in task.assets:
            # Before it is drawn; a table is quickly made, and one of the same bytes is in nobody's way.
            claims.check(asset, [f"{stem}.{asset.form}" for stem in stems_of(asset)])
        before = next(filter(None, (kept_of(state, self.store) for state in task.states)), None)
        worked = self._bench.work(task, lambda stage, beat, frames: self.board.stage(task, stage, beat, frames))
        self.board.stage(task, "publish", "", 0)
        made, told = publish(task.assets, kept=worked.kept, request=worked.request, inputs=task.inputs, claims=claims)
        for line in told:
            self.board.note(line)
        for name, each in made.items():
            note(self.store, name, each, self.course.output)
        self._note_others(task, {file for each in made.values() for file in each.files})
        seconds = time.monotonic() - start
        if worked.how == "drawn":
            note_run(self.store, task, seconds)
        with self._mutex:
            self._made |= made
        if worked.how != "kept":
            # Before the key is given back: whoever waits for it shall see that the work is done.
            self._write_lock()
        for asset in task.assets:
            shutil.rmtree(self.store.folder / FAILED / asset.name, ignore_errors=True)
        return Outcome(task, worked.how, worked.changes, seconds=seconds, before=before, after=worked.kept)

    def _note_others(self, task: Task, files: Collection[str]) -> None:
        """Other forms of the same picture, which were right already, share ledger and poster with those published."""
        stems = {asset.stem for asset in task.assets}
        for asset in self.course.assets:
            if asset.stem in stems and asset not in task.assets:
                note_again(self.store, asset.name, files, self.course.output)

    def _done_by_others(self, task: Task, lock: Lock) -> bool:
        """Whether another process has built all of it since this build began."""
        states = [
            state_of(asset, task.inputs, lock.get(asset.name), self.store, self.course.output) for asset in task.assets
        ]
        return not any(state.wanted for state in states)

    def _write_last(self) -> None:
        try:
            self._write_lock()
        except InputError:
            # What ended the build is told, and not that for the same reason there is no lock.
            if not self._crash:
                raise

    def _write_lock(self) -> None:
        with self._mutex:
            made, self._made = self._made, {}
        if made:
            change_lock(lock_path(self.course.path), made)
