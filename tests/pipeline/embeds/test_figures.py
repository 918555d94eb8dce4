"""Figures, and videos that are there as an image alone, in every tool."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import html5lib
import pytest
from markdown_it import MarkdownIt
from pptx import Presentation

from pipeline.publish import embeds
from pipeline.publish.embeds._find import find
from pipeline.publish.embeds._page import Page
from pipeline.publish.embeds._picture import ShownPicture
from tests.pipeline.embeds.test_embed_command import run
from transformer_core.errors import InputError

TEXTS = tuple(name for name in embeds.names() if name != "pptx")
PAPER = ("beamer", "quarto", "sphinx", "myst")
"""What is printed, and takes a figure's outlines for that."""


def page_of(folder: Path, target: str) -> Page:
    return Page(folder / f"page{embeds.load(target).ENDINGS[0]}")


@pytest.mark.parametrize("target", TEXTS)
def test_every_target_has_the_figure_with_its_text_and_its_themes(target, shown_picture, drawn):
    dark, light = shown_picture.asset, shown_picture.twin
    text = embeds.load(target).snippet(shown_picture, page_of(drawn, target))
    for words in (dark.title, dark.prompt):
        assert words in text
    assert dark.still.partition(".")[0] in text
    assert (f"{dark.name}.pdf" in text) == (target in PAPER)
    assert (f"{dark.name}.svg" in text) == (target != "beamer")
    assert (f"{light.name}.svg" in text) == (target not in ("beamer", "reveal", "notebook"))


def test_a_beat_is_its_standard_figure(figure_stem, tmp_path, small_catalogue):
    media = tmp_path / "media"
    (media / "tiny").mkdir(parents=True)
    with pytest.raises(InputError, match=r"not drawn yet; run: .* figure tiny:share --lang zh"):
        find("tiny:share", language="zh", media=media)
    with pytest.raises(InputError, match="did you mean 'share'"):
        find("tiny:shar", language="en", media=media)
    for ending in (".svg", ".numbers.json"):
        shutil.copy(f"{figure_stem}{ending}", media / "tiny" / f"tiny-red-00ff00.share.en{ending}")
    with pytest.raises(InputError, match=r"with other options only; name .*tiny-red-00ff00\.share\.en$"):
        find("tiny:share", language="en", media=media)
    for ending in (".svg", ".numbers.json"):
        shutil.copy(f"{figure_stem}{ending}", media / "tiny" / f"tiny.share.en{ending}")
    found = find("TINY:share", language="en", media=media)
    assert isinstance(found, ShownPicture)
    assert [path.name for path in found.asset.files] == ["tiny.share.en.svg"]
    with pytest.raises(InputError, match=r"LaTeX takes a figure as pdf or png, .*; draw it with --format pdf as well"):
        embeds.load("beamer").snippet(found, page_of(tmp_path, "beamer"))
    with pytest.raises(InputError, match="PowerPoint takes a figure as png"):
        embeds.load("pptx").put(None, found, page_of(tmp_path, "pptx"))


def test_a_figure_of_another_beat_is_no_twin(drawn, figure_stem, tmp_path):
    for path in drawn.iterdir():
        shutil.copy(path, tmp_path)
    [light] = tmp_path.glob("*light*.numbers.json")
    stem = tmp_path / figure_stem.name
    assert find(str(stem), language="en", media=tmp_path).twin
    data = json.loads(light.read_text())
    data["beats"][0]["name"] = "weight"
    light.write_text(json.dumps(data))
    assert find(str(stem), language="en", media=tmp_path).twin is None


def test_the_poster_of_a_video_is_a_picture(dark, published):
    found = find(f"{dark}.png", language="en", media=published)
    assert isinstance(found, ShownPicture)
    assert found.asset.name == f"{dark.name}.png"
    assert found.asset.still.startswith("Dimmed.")
    assert "<video" not in embeds.load("html").snippet(found, page_of(published, "html"))


def test_a_name_of_the_course_is_its_figure(figure_stem, tmp_path):
    from pipeline.course.named import asset_named

    course = tmp_path / "course.toml"
    course.write_text('[[asset]]\nscene = "qkv"\nname = "pattern"\nbeat = "softmax"\nformat = ["pdf", "svg"]\n')
    with pytest.raises(InputError, match=r"not built yet; run: .* build --only pattern"):
        asset_named("pattern", language="en", file=course)
    (tmp_path / "media").mkdir()
    for ending in (".svg", ".pdf", ".numbers.json"):
        shutil.copy(f"{figure_stem}{ending}", tmp_path / "media" / f"pattern.en{ending}")
    figure = asset_named("pattern", language="en", file=course)
    assert figure is not None
    assert len(find(str(figure), language="en", media=tmp_path).asset.files) == 2


def test_the_command_writes_a_figure_and_brings_it_up_to_date(drawn, figure_stem, tmp_path):
    shutil.copytree(drawn, tmp_path / "media")
    (tmp_path / "page.md").write_text("# One\n")
    words = (f"media/{figure_stem.name}.svg", "--target", "markdown", "--write", "page.md")
    assert run(*words, folder=tmp_path).stdout == "page.md\n"
    before = (tmp_path / "page.md").read_bytes()
    assert run(*words, folder=tmp_path).returncode == 0
    assert (tmp_path / "page.md").read_bytes() == before
    tree = html5lib.parse(MarkdownIt("commonmark").render(before.decode()), namespaceHTMLElements=False)
    [image], [source] = tree.iter("img"), tree.iter("source")
    assert (tmp_path / image.get("src")).is_file()
    assert (tmp_path / source.get("srcset")).is_file()
    assert image.get("alt") == find(str(figure_stem), language="en", media=tmp_path).asset.still


def test_a_deck_has_the_figure_and_keeps_what_its_author_changed(shown_picture, drawn):
    tool, page, picture = embeds.load("pptx"), page_of(drawn, "pptx"), shown_picture.asset
    made = tool.put(None, shown_picture, page)
    [slide] = Presentation(BytesIO(made)).slides
    [shape] = (each for each in slide.shapes if each.name == f"attention-video {picture.name}")
    assert shape.image.blob == (drawn / f"{picture.name}.png").read_bytes()
    assert shape.width / shape.height == pytest.approx(picture.width / picture.height, rel=1e-3)
    assert shape._element.nvPicPr.cNvPr.get("descr") == picture.still
    assert slide.shapes.title.text == picture.title
    notes = slide.notes_slide.notes_text_frame.text
    assert picture.still in notes
    assert f"File: {picture.name}.png" in notes
    assert tool.put(made, shown_picture, page) == made
    deck = Presentation(BytesIO(made))
    deck.slides[0].shapes[1].left = 11
    file = BytesIO()
    deck.save(file)
    other = replace(picture, files=(drawn.parent / "other.png",), still="Another.")
    shutil.copy(drawn / f"{picture.name}.png", other.files[0])
    other.files[0].write_bytes(other.files[0].read_bytes() + b" ")
    [slide] = Presentation(BytesIO(tool.put(file.getvalue(), ShownPicture(asset=other), page))).slides
    shape = slide.shapes[1]
    assert (shape.left, shape._element.nvPicPr.cNvPr.get("descr")) == (11, "Another.")
    assert shape.image.blob == other.files[0].read_bytes()


def test_a_video_that_is_an_image_moves_for_who_likes_that(moving, tmp_path):
    text = embeds.load("html").snippet(moving, page_of(tmp_path, "html"))
    tree = html5lib.parse(text, namespaceHTMLElements=False)
    [image], [source] = tree.iter("img"), tree.iter("source")
    assert image.get("src").endswith("qkv.png")
    assert source.get("srcset").endswith("qkv.gif")
    assert source.get("media") == "screen and (prefers-reduced-motion: no-preference)"
    assert not list(tree.iter("video"))
    assert "data-at" not in text
    assert "Said." in text


@pytest.mark.parametrize("target", TEXTS)
def test_a_video_that_is_an_image_is_in_every_target(target, moving):
    folder = moving.asset.video.parent
    text = embeds.load(target).snippet(moving, page_of(folder, target))
    assert "qkv.gif" in text
    assert "qkv.png" in text
    assert "<video" not in text


def test_a_browser_shows_who_asks_for_less_motion_the_poster(dark, published, browser, tmp_path):
    from PIL import Image

    from tests.pipeline.embeds.watch import visit

    for path in published.glob(f"{dark.name}.*"):
        shutil.copy(path, tmp_path)
    (tmp_path / f"{dark.name}.mp4").unlink()
    pictures = [Image.new("RGB", (854, 480), colour) for colour in ("red", "blue")]
    pictures[0].save(tmp_path / f"{dark.name}.gif", save_all=True, append_images=pictures[1:], duration=200, loop=0)
    page = tmp_path / "page.html"
    page.write_text('<!doctype html><html lang="en"><head><title>A</title></head><body><h1>A</h1></body></html>\n')
    done = run(dark.name, "--target", "html", "--write", "page.html", folder=tmp_path)
    assert done.returncode == 0
    assert done.stderr.startswith(f"note: nobody can stop {dark.name}.gif")
    for motion, shown in (("no-preference", ".gif"), ("reduce", ".png")):
        with visit(browser, page.as_uri(), reduced_motion=motion) as seen:
            source = seen.page.evaluate("document.images[0].decode().then(() => document.images[0].currentSrc)")
            assert source.endswith(f"{dark.name}{shown}")


def test_films_are_offered_as_they_are(dark, published, tmp_path):
    for path in published.glob(f"{dark.name}.*"):
        shutil.copy(path, tmp_path)
    film = tmp_path / f"{dark.name}.mp4"
    film.rename(film.with_suffix(".webm"))
    film.with_suffix(".gif").write_bytes(b"GIF89a")
    text = embeds.load("html").snippet(find(str(tmp_path / dark.name), language="en", media=tmp_path), Page(tmp_path))
    assert re.findall(r'<source src="[^"]*(\.\w+)" type="([^"]+)">', text) == [(".webm", "video/webm")]
    film.with_suffix(".webm").rename(film.with_suffix(".mov"))
    assert "<picture>" in embeds.load("html").snippet(
        find(str(tmp_path / dark.name), language="en", media=tmp_path), Page(tmp_path)
    )
    film.with_suffix(".gif").unlink()
    with pytest.raises(InputError, match=r"\.mov: no page plays mov; render it with --format mp4 as well"):
        find(str(tmp_path / dark.name), language="en", media=tmp_path)


def test_a_deck_moves_a_gif_and_refuses_a_webp(moving, tmp_path):
    from PIL import Image

    folder = moving.asset.video.parent
    Image.new("RGB", (64, 36), "red").save(folder / "qkv.gif")
    tool, page = embeds.load("pptx"), page_of(tmp_path, "pptx")
    made = tool.put(None, moving, page)
    [slide] = Presentation(BytesIO(made)).slides
    assert slide.shapes[1].image.content_type == "image/gif"
    assert "Said." in slide.notes_slide.notes_text_frame.text
    assert tool.put(made, moving, page) == made
    webp = replace(moving, asset=replace(moving.asset, videos=(folder / "qkv.webp",)))
    with pytest.raises(InputError, match="PowerPoint shows no webp; render it with --format mp4 or gif"):
        tool.put(None, webp, page)


@pytest.mark.parametrize("target", ["hugo", "html", "myst", "reveal", "beamer", "notebook"])
def test_two_assets_on_one_page_are_two(target, written):
    """Each is brought up to date by itself, also where the marks' ends have no name."""
    tool, page = embeds.load(target), page_of(written.asset.video.parent, target)
    other = replace(written, asset=replace(written.asset, name="other", prompt="a red dragon"))
    start = {"notebook": None, "reveal": b'<div class="slides">\n</div>\n'}.get(target, b"A\n")
    first = tool.put(start, written, page)
    both = tool.put(first, other, page)
    assert tool.put(both, written, page) == both
    prompts = b"a red dragon", b"a blue creature"
    for shown, gone, stays in ((other, *prompts), (written, *reversed(prompts))):
        changed = tool.put(both, replace(shown, asset=replace(shown.asset, prompt="another")), page)
        assert gone in both
        assert gone not in changed
        assert changed.count(stays) == both.count(stays)
