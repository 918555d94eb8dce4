"""The store: drawn pictures by what they were drawn from, complete or not there at all.

```
.course/
  pictures/KEY/ID/     one drawn picture: manifest.json, record.json, video.mp4 or another film, stills/, drawings/
  details/DIGEST.json  what a component was made of, so that a reason can name the file or tensor
  runs/ID.json         how long each run took
  failed/NAME/         log and last picture of a job that failed
  published/COURSE/NAME.json  size, time and digest of what lies in the output folder
  claims/COURSE/STEM.KIND.json  digests of what was put there under which names
  locks/KEY            held by the process that works on a picture
  work/                private folders of running jobs
```

KEY is the picture's key, ID that of the numbers and fonts it was drawn with and of the films that were made, COURSE the
name of a course file or chapter, of which one store may serve several. Everything above
`failed` is written once and never changed, so two stores merge by copying one over the other.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import shutil
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from pipeline.course.asset import Asset
from pipeline.course.digest import digest
from pipeline.course.inputs import Inputs
from pipeline.render.films import film_path
from pipeline.render.job import write_json
from pipeline.render.workspace import Advice, unwritable

FOLDER = ".course"
USUAL = "course.toml"
ADVICE = Advice(folder="what was drawn is kept there: mend its permissions, or move away what is in its place")
MANIFEST = "manifest.json"
DRAFT = ".draft"
WORK, PICTURES, DETAILS, RUNS, FAILED, LOCKS, PUBLISHED, CLAIMS = (
    "work",
    "pictures",
    "details",
    "runs",
    "failed",
    "locks",
    "published",
    "claims",
)


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """What a drawn picture is.

    `shown`: the digest of what is on screen; `digest`: the trace's; `fonts`: the files that it used; `reads`: the
    digest of the quantities that the scene read; `quantities`: their names; `looks`: the digest of each beat's picture;
    `files`: the digest of each file.
    """

    numbers_key: str
    numbers: Mapping[str, str]
    shown: str
    digest: str
    fonts: Mapping[str, str]
    quantities: tuple[str, ...]
    reads: str
    looks: Mapping[str, str]
    frames: int
    files: Mapping[str, str]


@dataclass(frozen=True)
class Kept:
    """One drawn picture in the store."""

    folder: Path
    manifest: Manifest

    @property
    def whole(self) -> bool:
        """Whether every file is there with the bytes it was kept with."""
        return all(
            (self.folder / name).is_file() and file_digest(self.folder / name) == told
            for name, told in self.manifest.files.items()
        )

    def has_films(self, forms: Iterable[str]) -> bool:
        """Whether there is a film of each form."""
        return all(str(film_path(form)) in self.manifest.files for form in forms)

    def record(self) -> Mapping[str, Any]:
        """What the scene left behind."""
        from pipeline.render.jobs import read_record

        return read_record(self.folder)


class Store:
    """The store of a folder's courses, as one of them uses it."""

    def __init__(self, folder: Path, course: str = USUAL) -> None:
        """`folder` need not exist; `course` is the name of the course file, or of a chapter, from the folder's."""
        self.folder, self.course = folder, course

    @property
    def published(self) -> Path:
        """Where it is noted what the course published."""
        return self.folder / PUBLISHED / self.course

    @property
    def claims(self) -> Path:
        """Where it is noted what the course may replace."""
        return self.folder / CLAIMS / self.course

    def make(self) -> None:
        """Make the folders, hidden from version control. Raises InputError where that cannot be done."""
        try:
            own = (self.published, self.claims)
            for folder in (*(self.folder / name for name in (WORK, PICTURES, DETAILS, RUNS, FAILED, LOCKS)), *own):
                folder.mkdir(parents=True, exist_ok=True)
            ignore = self.folder / ".gitignore"
            if not ignore.exists():
                ignore.write_text("*\n", encoding="utf-8")
        except OSError as error:
            raise unwritable(self.folder, error, ADVICE) from None

    @property
    def sources(self) -> Path:
        """Where parsed sources are remembered."""
        return self.folder / "sources.json"

    def kept(self, picture_key: str, fonts: Mapping[str, str]) -> list[Kept]:
        """The pictures drawn for a key with fonts that are still the same, newest first."""
        found = []
        for path in (self.folder / PICTURES / picture_key).glob(f"*/{MANIFEST}"):
            kept = read_kept(path)
            if kept and all(fonts.get(name) == told for name, told in kept.manifest.fonts.items()):
                found.append((path.stat().st_mtime, kept))
        return [kept for _, kept in sorted(found, key=lambda pair: (-pair[0], pair[1].folder.name))]

    def keep(self, folder: Path, inputs: Inputs, manifest: Manifest) -> Kept:
        """Take a finished work folder in by one rename. What another process was quicker to keep stays."""
        write_json(folder / MANIFEST, asdict(manifest))
        for path in folder.rglob("*"):
            if path.is_file():
                _settle(path)
        films = sorted(name for name in manifest.files if "/" not in name)
        name = digest([manifest.numbers_key, manifest.digest, dict(manifest.fonts), manifest.shown, films])
        target = self.folder / PICTURES / inputs.picture_key / name
        target.parent.mkdir(parents=True, exist_ok=True)
        present = read_kept(target / MANIFEST)
        if target.exists() and not (present and present.whole):
            shutil.rmtree(target)
        try:
            os.rename(folder, target)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
            shutil.rmtree(folder)
        return Kept(target, manifest)

    def keep_details(self, inputs: Inputs) -> None:
        """Write down what the components are made of."""
        for name, parts in inputs.details.items():
            path = self.folder / DETAILS / f"{name}.json"
            if not path.exists():
                put_json(path, dict(parts))

    def details(self, name: str) -> Mapping[str, str]:
        """What a component was made of; nothing where that was never written down."""
        try:
            return json.loads((self.folder / DETAILS / f"{name}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}


class KeyLock:
    """The right to work on one picture. The system releases it however its holder ends."""

    def __init__(self, store: Store, key: str) -> None:
        self.path = store.folder / LOCKS / key
        self._handle = -1

    def take(self) -> bool:
        """Take it if nobody has it."""
        while True:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(handle)
                return False
            if self._is_ours(handle):
                self._handle = handle
                return True
            os.close(handle)

    def _is_ours(self, handle: int) -> bool:
        """Whether the file that was locked is still the one of that name."""
        try:
            return os.fstat(handle).st_ino == os.stat(self.path).st_ino
        except FileNotFoundError:
            return False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._handle >= 0:
            self.path.unlink(missing_ok=True)
            os.close(self._handle)
            self._handle = -1


def claims_name(asset: Asset) -> str:
    """The file of the claims of a picture. A table may have the stem of a figure."""
    return f"{asset.stem}.{asset.picture.kind}.json"


def put_json(path: Path, data: Any) -> None:
    """Write JSON by one rename; several threads and processes may write the same file at once."""
    draft = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}{DRAFT}")
    draft.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    os.replace(draft, path)


def file_digest(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digests_of(folder: Path) -> dict[str, str]:
    """The digest of every file below a folder, by its name from there."""
    return {name: file_digest(folder / name) for name in _files(folder)}


def _files(folder: Path) -> Iterator[str]:
    yield from sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def read_kept(path: Path) -> Kept | None:
    """The kept picture of a manifest; None where there is none, or half of one."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return Kept(path.parent, Manifest(**{**data, "quantities": tuple(data["quantities"])}))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _settle(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
