"""From a chapter to its page: assets drawn or found in the store, numbers computed, the page put in place last."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.chapter import shown
from pipeline.chapter.assets import MEDIA, ChapterCourse, course_of, store_of
from pipeline.chapter.directive import Directive
from pipeline.chapter.source import Chapter, read_chapter
from pipeline.course.asset import Asset
from pipeline.course.estimates import read_estimates
from pipeline.course.lock import change_lock, lock_path, read_lock
from pipeline.course.open import OpenCourse
from pipeline.course.plan import plan
from pipeline.course.session import Wishes, draw, raise_failed
from pipeline.course.state import states
from pipeline.publish import embeds
from pipeline.publish.embeds import NeedsMore
from pipeline.publish.embeds._find import find
from pipeline.publish.embeds._page import Page
from pipeline.publish.embeds._write import read_document, write_document
from pipeline.publish.ledger import ENDING
from pipeline.render.workspace import check_writable
from transformer_core.errors import InputError

if TYPE_CHECKING:
    from pipeline.course.build import Outcome

HTML = "html"


@dataclass(frozen=True, kw_only=True)
class Order:
    """Where a chapter goes, and how. `media` None: a folder beside the page; `asked`: options of the command line."""

    folder: Path
    media: Path | None = None
    target: str = HTML
    asked: Mapping[str, str]
    parallel: int | None = None
    quiet: bool = False


@dataclass(frozen=True)
class Built:
    """A page that was built; `how`: how each asset was had, by name."""

    page: Path
    how: Mapping[str, str]
    numbers: int


def build_chapter(path: Path, order: Order) -> Built:
    """Build it. Raises InputError for what cannot be read, CheckFailed for an asset that failed: no page is written."""
    from pipeline.chapter.numbers import Numbers

    chapter = read_chapter(path, asked=order.asked)
    page = Page(page_of(chapter, order))
    if os.path.realpath(page.file) == os.path.realpath(chapter.path):
        raise InputError(str(page.file), "it is the chapter itself", "name another folder with -o")
    present = read_document(page.file)
    if present is not None and shown.ORIGIN.encode() not in present:
        raise InputError(str(page.file), "a page that `chapter` did not build is there", "name another folder with -o")
    course, placed = course_of(chapter, page=page.file, media=order.media or order.folder / MEDIA)
    for directive in chapter.directives:
        if directive.kind in ("video", "figure"):
            _alone(chapter, directive)
    known = Numbers(chapter.folder)
    numbers = {
        each.start: shown.number_text(known.number(each, place=chapter.where(each)), each, target=order.target)
        for each in chapter.directives
        if each.kind == "number"
    }
    check_writable(order.folder)
    how = _draw(chapter, course, order)
    blocks = {start: _block(chapter, start, assets, course, page, order) for start, assets in placed.items()}
    text = _filled(chapter, {**numbers, **blocks})
    origin = shown.Origin(chapter.path, shown.text_digest(chapter.text), course.output, order.asked)
    text = f"{text.rstrip()}\n\n{shown.origin_line(origin, page, target=order.target)}\n"
    if order.target == HTML:
        from pipeline.chapter.page import html_page

        title = chapter.settings.get("title", "")
        text = html_page(text, title=title, language=chapter.language, name=chapter.path.stem)
    tool = embeds.load(order.target)
    for file, data in {**(tool.beside(page) if isinstance(tool, NeedsMore) else {}), page.file: text.encode()}.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        write_document(file, data)
    return Built(page.file, how, len(numbers))


def page_of(chapter: Chapter, order: Order) -> Path:
    """The page's file: the chapter's name, with the target's ending where it needs another."""
    endings = embeds.load(order.target).ENDINGS
    ending = chapter.path.suffix if chapter.path.suffix.lower() in endings else endings[0]
    return order.folder / f"{chapter.path.stem}{ending}"


def _draw(chapter: Chapter, course: ChapterCourse, order: Order) -> dict[str, str]:
    """Draw what is stale or missing; what is current is left alone."""
    if not course.assets:
        return {}
    store = store_of(chapter)
    store.make()
    lock = read_lock(lock_path(course.path))
    opened = OpenCourse(course, lock, store, tuple(states(course, course.assets, lock, store)))
    tasks = plan(opened.states)
    wishes = Wishes(parallel=order.parallel, quiet=order.quiet)
    outcomes: list[Outcome] = draw(opened, tasks, read_estimates(store), wishes) if tasks else []
    raise_failed(opened, outcomes)
    wanted = frozenset(asset.name for asset in course.assets)
    if not lock.keys() <= wanted:
        change_lock(lock_path(course.path), {}, keep=wanted)
    how = dict.fromkeys((asset.name for asset in course.assets), "current")
    for outcome in outcomes:
        how |= dict.fromkeys((asset.name for asset in outcome.task.assets), outcome.how or "done by another build")
    return how


def _block(
    chapter: Chapter, start: int, assets: tuple[Asset, ...], course: ChapterCourse, page: Page, order: Order
) -> str:
    directive = next(each for each in chapter.directives if each.start == start)
    asset, *twins = assets
    language = asset.picture.spec.language
    stem = course.output / asset.stem
    if asset.picture.kind == "video":
        film = find(str(stem), language=language, media=Path())
        return shown.video_text(film if twins else replace(film, twin=None), page, target=order.target)
    dark = course.output / twins[0].name if twins else None
    ledger = stem.with_name(stem.name + ENDING)
    figure = shown.figure_of(directive, course.output / asset.name, ledger, language=language, dark=dark)
    return shown.figure_text(figure, page, target=order.target)


def _filled(chapter: Chapter, replacements: Mapping[int, str]) -> str:
    """The chapter's text with what stands in the place of each directive."""

    def parts() -> Iterator[str]:
        at = 0
        for each in chapter.directives:
            yield chapter.text[at : each.start]
            yield replacements.get(each.start, "")
            at = each.stop
        yield chapter.text[at:]

    return "".join(parts()).lstrip("\n")


def _alone(chapter: Chapter, directive: Directive) -> None:
    """A video or figure is a paragraph of its own. Raises InputError."""
    before = chapter.text[: directive.start].rpartition("\n\n")[2]
    after = chapter.text[directive.stop :].partition("\n\n")[0]
    if before.strip("\n") or after.strip():
        why = f"a {directive.kind} is a paragraph of its own"
        raise InputError(f"{chapter.where(directive)}: {directive.words[0]}", why, "put empty lines around it")
