"""Files of any name and kind: what cannot be a page is refused, and what the page names is found again."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from pipeline.chapter.embedded import embedded, embedded_in
from pipeline.publish import embeds
from pipeline.publish.embeds import ReadsBack
from pipeline.publish.embeds._find import find
from pipeline.publish.embeds._page import Page
from pipeline.publish.embeds._write import place
from pipeline.publish.embeds.beamer import READABLE
from transformer_core.errors import InputError


def test_a_read_only_page_is_left_alone(written, tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# One\n")
    page.chmod(0o444)
    with pytest.raises(InputError, match=r"page.md: it is read-only; let it be written: chmod u\+w "):
        place(embeds.load("markdown"), written, Page(page), name="markdown")
    assert page.read_text() == "# One\n"


NAMES = (
    *("a b", "50%", "a%20b", "#1 (x)", "注意力", "a&b", 'it\'s "q"', "<x> -->", "a[1]{2}", "$x$ \\y", "@static"),
    "x" * 120,
)


@pytest.mark.parametrize("target", embeds.names())
def test_any_name_of_a_file_is_found_again(target, dark, figure_stem, tmp_path):
    """What the page says leads back to the file, whatever that is called; TeX refuses what it could not read."""
    tool = embeds.load(target)
    for number, name in enumerate(NAMES):
        folder = tmp_path / f"{number} {name}"
        folder.mkdir()
        for stem in (dark, figure_stem):
            for path in stem.parent.glob(f"{stem.name}.*"):
                shutil.copy(path, folder / f"{name}{len(stem.name)}{path.name.removeprefix(stem.name)}")
        page = Page(folder / f"page{tool.ENDINGS[0]}")
        if target not in ("pptx", "notebook"):
            page.file.write_text("# One\n")
        films = [folder / f"{name}{len(dark.name)}.mp4", folder / f"{name}{len(figure_stem.name)}.svg"]
        if target == "beamer":
            films[1] = films[1].with_suffix(".pdf")
        if target == "pptx":
            films[1] = films[1].with_suffix(".png")
        if target == "beamer" and not READABLE.fullmatch(name):
            with pytest.raises(InputError, match="LaTeX cannot read such a name"):
                place(tool, find(str(films[0]), language="en", media=Path("media")), page, name=target)
            continue
        for film in films:
            place(tool, find(str(film), language="en", media=Path("media")), page, name=target)
        document = page.file.read_bytes()
        is_text = not isinstance(tool, ReadsBack)
        found = embedded(document.decode()) if is_text else embedded_in(document, page.file, tool)
        assert [each.file(page.file) for each in found] == films


@pytest.mark.parametrize("target", embeds.names())
def test_what_is_no_file_is_refused_at_once(target, written, tmp_path):
    tool = embeds.load(target)
    pipe = Page(tmp_path / f"pipe{tool.ENDINGS[0]}")
    os.mkfifo(pipe.file)
    (tmp_path / f"folder{tool.ENDINGS[0]}").mkdir()
    for page in (pipe, Page(tmp_path / f"folder{tool.ENDINGS[0]}")):
        with pytest.raises(InputError, match="it is no regular file"):
            place(tool, written, page, name=target)
