"""What a page shows, held against the model and the code as they are now: videos, figures, numbers.

A page is a chapter's source, a page that `chapter` built from one, or whatever `embed --write` wrote into: a page, a
notebook, a deck. A source may have both: what it names inline, and what was embedded in it.
"""

from __future__ import annotations

import glob
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pipeline.chapter.assets import MEDIA, course_of, store_of
from pipeline.chapter.directive import NAMED, parse
from pipeline.chapter.embedded import Embedded, embedded, embedded_in, outdated
from pipeline.chapter.prose import Written, numbers_in
from pipeline.chapter.shown import Origin, origin_of, text_digest
from pipeline.chapter.source import ENDINGS, Chapter, read_chapter, read_text
from pipeline.course.asset import Asset
from pipeline.course.course import STANDARD, read_course
from pipeline.course.lock import lock_path, read_lock
from pipeline.course.state import State, states
from pipeline.course.store import FOLDER, Store
from pipeline.publish import embeds
from pipeline.publish.embeds import ReadsBack, notebook
from pipeline.publish.embeds._fences import fences, in_code
from pipeline.publish.embeds._page import Page
from pipeline.publish.embeds._write import read_document
from pipeline.publish.ledger import ledger_path
from transformer_core.errors import InputError

if TYPE_CHECKING:
    from pipeline.chapter.numbers import Numbers

Condition = Literal["current", "accepted", "stale", "missing", "unknown"]
Kind = Literal["chapter", "video", "figure", "numbers", "number"]
FIGURES = (".svg", ".pdf", ".png")


@dataclass(frozen=True)
class Finding:
    """One thing on a page, and how it stands; `why` is one line, empty for what is current.

    `unit`: what `line` counts.
    """

    file: str
    line: int
    kind: Kind
    name: str
    condition: Condition
    why: str = ""
    unit: str = "line"

    @property
    def bad(self) -> bool:
        """Whether `check` objects to it."""
        return self.condition not in ("current", "accepted")

    def __str__(self) -> str:
        return f"{self.file} {self.unit} {self.line}: {self.kind} {self.name}: {self.condition}" + (
            f": {self.why}" if self.why else ""
        )


def check(path: Path, *, output: Path) -> list[Finding]:
    """Everything that the page shows of ours. `output`: the folder that a chapter's source is built to.

    Raises InputError for a file that cannot be read.
    """
    tool = _document(path)
    if tool is not None:
        return list(_in_document(path, tool))
    text = read_text(path)
    code = fences(text) if path.suffix.lower() in ENDINGS else ()
    origin = origin_of(text, path)
    shown = [*embedded(text, code=code)]
    numbers = [each for each in numbers_in(text) if not in_code(each.start, code)]
    is_source = origin is None and path.suffix.lower() in ENDINGS
    if is_source and not shown and not numbers:
        return list(_source(path, output))
    # Another tool's braces are its own where nothing is named in ours.
    named = _source(path, output) if is_source and NAMED.search(text) else ()
    base = origin.source.parent if origin else path.parent
    about = _of_origin(path, text, origin) if origin else ()
    known = _known(path, origin) if origin else {}
    judged = (_judge(path, each, known, origin) for each in shown)
    found = [*about, *named, *judged, *_numbers(path, numbers, base)]
    return sorted(found, key=lambda each: each.line) if named else found


def _computed(base: Path) -> Numbers:
    """What computes numbers. A page that shows pictures alone loads nothing for it."""
    from pipeline.chapter.numbers import Numbers

    return Numbers(base)


def _document(path: Path) -> ReadsBack | None:
    """The tool whose documents end so, where they are no text."""
    for name in embeds.names():
        tool = embeds.load(name)
        if isinstance(tool, ReadsBack) and path.suffix.lower() in tool.ENDINGS:
            return tool
    return None


def _in_document(path: Path, tool: ReadsBack) -> Iterator[Finding]:
    """What a notebook or a deck shows; of a notebook also the numbers in its prose."""
    document = read_document(path)
    if document is None:
        raise InputError(str(path), "there is no such file", "name a file that there is")
    for each in embedded_in(document, path, tool):
        yield _judge(path, each, {}, None)
    if path.suffix.lower() in notebook.ENDINGS:
        for number, cell in enumerate(notebook.cells_of(document, Page(path)), 1):
            found = numbers_in(notebook.text_of(cell)) if cell.get("cell_type") == "markdown" else ()
            yield from (replace(each, line=number, unit="cell") for each in _numbers(path, [*found], path.parent))


def _source(path: Path, output: Path) -> Iterator[Finding]:
    """A chapter's own directives: each names what there is, each asset is built and current."""
    page, origin = _page_of(path, output)
    chapter = read_chapter(path, asked=origin.asked if origin else None)
    placed = _states(chapter, page, origin.media if origin else output / MEDIA)
    known = _computed(chapter.folder)
    for each in chapter.directives:
        if each.kind == "number":
            condition, why = "current", ""
            try:
                known.number(each, place=chapter.where(each))
            except InputError as error:
                condition, why = "unknown", _without_place(error, chapter.where(each))
            yield Finding(str(path), each.line, "number", " ".join(each.words), condition, why)
        elif each.kind in ("video", "figure"):
            for state in placed[each.start]:
                yield Finding(str(path), each.line, state.asset.picture.kind, state.asset.name, *_judged(state))


def _page_of(path: Path, output: Path) -> tuple[Path, Origin | None]:
    """The page that a chapter was built to, and what it says of itself."""
    for page in sorted(output.glob(f"{glob.escape(path.stem)}.*")):
        if page.suffix in (*ENDINGS, ".html"):
            origin = origin_of(read_text(page), page)
            if origin and origin.source.exists() and origin.source.samefile(path):
                return page, origin
    return output / f"{path.stem}.html", None


def _without_place(error: InputError, place: str) -> str:
    return str(error).removeprefix(f"{place}: ")


def _states(chapter: Chapter, page: Path, media: Path) -> dict[int, tuple[State, ...]]:
    """How the assets of each directive stand, by the directive's place in the text."""
    course, placed = course_of(chapter, page=page, media=media)
    found = states(course, course.assets, read_lock(lock_path(page)), store_of(chapter))
    by_name = {state.asset.name: state for state in found}
    return {start: tuple(by_name[asset.name] for asset in assets) for start, assets in placed.items()}


def _of_origin(path: Path, text: str, origin: Origin) -> Iterator[Finding]:
    """Whether a built page still says what its source says."""
    line, name = text.count("\n") + 1, origin.source.name
    if not origin.source.is_file():
        yield Finding(str(path), line, "chapter", name, "missing", "the page's source is not there")
    elif text_digest(read_text(origin.source)) != origin.digest:
        yield Finding(str(path), line, "chapter", name, "stale", "it was edited after the page was built")
    else:
        yield Finding(str(path), line, "chapter", name, "current")


def _known(path: Path, origin: Origin) -> dict[Path, State]:
    """What the lock of a built page says of the files that the page shows; nothing where its source is no more."""
    try:
        chapter = read_chapter(origin.source, asked=origin.asked)
        found = _states(chapter, path, origin.media)
    except InputError:
        return {}
    return {_file_of(each.asset, origin.media): each for own in found.values() for each in own if each.made}


def _file_of(asset: Asset, output: Path) -> Path:
    return (output / f"{asset.stem}.{asset.form}").resolve()


def _judge(path: Path, each: Embedded, known: dict[Path, State], origin: Origin | None) -> Finding:
    file = each.file(path)
    kind: Kind = "figure" if (file or Path(each.name)).suffix in FIGURES else "video"

    def found(condition: Condition, why: str = "") -> Finding:
        return Finding(str(path), each.line, kind, each.name, condition, why, each.unit)

    if file is None:
        return found("unknown", "the page names no file of it")
    twin = each.twin(path)
    condition, why = _standing(file, known, origin)
    if twin and condition in ("current", "accepted"):
        other, because = _standing(twin, known, origin)
        if other not in ("current", "accepted"):
            return found(other, f"{twin.name}: {because}")
    # The words around a chapter's figure are the chapter's.
    if condition == "current" and (kind == "video" or origin is None):
        why = outdated(each, path, file, alone=origin is not None and twin is None)
        condition = "stale" if why else "current"
    return found(condition, why)


def _standing(file: Path, known: dict[Path, State], origin: Origin | None) -> tuple[Condition, str]:
    """How a file that a page shows stands, whatever the page says around it."""
    if not file.is_file():
        return "missing", f"{file.name} is not where the page says"
    ledger = ledger_path(str(file))
    if not ledger.is_file():
        return "unknown", f"{ledger.name} is not beside it, so nobody knows what it shows"
    state = known.get(file.resolve()) or _of_course(file)
    if state is None or state.condition == "unsure":
        return _verified(file, _model(state, origin) if state and origin else None)
    return _judged(state)


def _of_course(file: Path) -> State | None:
    """What the course that a file was made by says of it."""
    for folder in list(file.absolute().parents)[:6]:
        if (folder / STANDARD).is_file():
            course = read_course(folder / STANDARD)
            own = [each for each in course.assets if _file_of(each, course.output) == file.resolve()]
            lock = read_lock(lock_path(course.path))
            found = states(course, own, lock, Store(course.folder / FOLDER))
            return next((state for state in found if state.made), None)
    return None


def _judged(state: State) -> tuple[Condition, str]:
    """A state in the words of `check`."""
    why = "; ".join(state.reasons)
    if state.condition in ("current", "accepted"):
        return state.condition, why
    if state.condition == "missing":
        return "missing", "it was never built"
    if state.condition == "absent":
        return "missing", "its files are not there"
    if state.condition == "altered":
        return "stale", "the files there are not those that were built"
    return "stale", why


def _model(state: State, origin: Origin) -> str | None:
    """The model of an asset as seen from the current folder; None for the one that its ledger names."""
    from pipeline.course.work import local_spec

    return local_spec(state.asset.picture, origin.source.parent).model


def _verified(file: Path, model: str | None) -> tuple[Condition, str]:
    """The numbers of a published file against its model."""
    from pipeline.publish.verify import verify

    try:
        verdict = verify(str(file), model=model)
    except InputError as error:
        return "unknown", str(error)
    for first in verdict.differences[:1]:
        more = f" (and {len(verdict.differences) - 1} more)" if len(verdict.differences) > 1 else ""
        return "stale", f"{first}{more}"
    return "current", ""


def _numbers(path: Path, numbers: Sequence[Written], base: Path) -> Iterator[Finding]:
    """Every number in the prose of a built page, computed again."""
    if not numbers:
        return
    known = _computed(base)
    for each in numbers:
        name = each.source.removeprefix("number ")
        try:
            now = known.number(parse(each.source, name=path.name, line=each.line), place=path.name)
        except InputError as error:
            yield Finding(str(path), each.line, "number", name, "unknown", _without_place(error, path.name))
            continue
        why = ""
        if now.text != each.text:
            why = f"shown {each.text}, now {now.text}"
        elif not each.is_worth(now.value, decimals=now.decimals):
            why = f"its value is {each.value[:40]!r}, now {now.value!r}"
        yield Finding(str(path), each.line, "number", name, "stale" if why else "current", why)
