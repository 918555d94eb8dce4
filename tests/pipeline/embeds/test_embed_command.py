"""`embed` as people type it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.publish import embeds
from pipeline.publish.embeds._find import find
from pipeline.publish.embeds._page import Page
from tests.pipeline.embeds.watch import visit, watch
from transformer_core.errors import InputError

ROOT = Path(__file__).resolve().parents[3]
TOLD = """
import json, sys
import cli
code = cli.main(sys.argv[1:])
print(json.dumps({"code": code, "loaded": sorted({name.partition(".")[0] for name in sys.modules})}), file=sys.stderr)
"""


def run(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), "embed", *words], cwd=folder, capture_output=True, text=True, timeout=60
    )


def test_there_are_the_fourteen_targets():
    assert set(embeds.names()) == {
        *("html", "markdown", "quarto", "myst", "sphinx", "mkdocs", "docusaurus"),
        *("vitepress", "hugo", "docsify", "reveal", "beamer", "pptx", "notebook"),
    }
    for name in embeds.names():
        tool = embeds.load(name)
        assert all(ending.startswith(".") for ending in tool.ENDINGS)
        assert tool.__doc__


@pytest.mark.parametrize("target", [name for name in embeds.names() if name != "pptx"])
def test_every_target_prints_a_snippet(target, published, dark):
    # Hugo serves what lies below static/, the others what lies below the page.
    done = run(str(dark.relative_to(published.parent)), "--target", target, folder=published.parent)
    if target == "hugo":
        assert done.returncode == 0 or "static" in done.stderr
    else:
        assert done.returncode == 0, done.stderr
        assert f"{dark.name}.mp4" in done.stdout


def test_it_loads_neither_manim_nor_torch(published, dark, tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<p>One.</p>\n")
    words = ["embed", str(dark), "--target", "html", "--write", str(page)]
    done = subprocess.run([sys.executable, "-c", TOLD, *words], cwd=ROOT, capture_output=True, text=True, check=True)
    answer = json.loads(done.stderr.splitlines()[-1])
    assert answer["code"] == 0
    assert not set(answer["loaded"]) & {"manim", "torch", "numpy", "av", "cairo", "pptx", "lxml"}
    assert done.stdout == f"{page}\n"
    assert page.read_text().startswith("<p>One.</p>\n\n<!-- attention-video tiny")


def test_a_scene_is_its_standard_video_in_the_best_quality(dark, published, tmp_path, small_catalogue):
    media = tmp_path / "media"
    (media / "tiny").mkdir(parents=True)
    with pytest.raises(InputError, match=r"not rendered yet; run: .* render tiny --lang zh"):
        find("tiny", language="zh", media=media)
    for stem in ("tiny-red-00ff00.en.high", "tiny.en.draft", "tiny.en.medium"):
        for path in published.glob(f"{dark.name}.*"):
            shutil.copy(path, media / "tiny" / (stem + path.name.removeprefix(dark.name)))
    assert find("TINY", language="en", media=media).asset.name == "tiny.en.medium"
    assert find("TinyLecture", language="en", media=media).twin is None
    with pytest.raises(InputError, match="did you mean 'tiny'"):
        find("tinny", language="en", media=media)
    (media / "tiny" / "tiny.en.medium.mp4").unlink()
    with pytest.raises(InputError, match=r"tiny.en.medium.mp4: it belongs to the video and is not there"):
        find("tiny", language="en", media=media)


def test_a_name_of_the_course_is_its_video(dark, tmp_path, monkeypatch):
    from pipeline.course.named import asset_named

    course = tmp_path / "course.toml"
    assert asset_named("talk", language="en", file=course) is None
    course.write_text('[course]\noutput = "out"\n[[asset]]\nscene = "qkv"\nname = "talk"\ntheme = ["dark", "light"]\n')
    assert asset_named("other", language="en", file=course) is None
    assert asset_named("talk", language="zh", file=course) is None
    with pytest.raises(InputError, match=r"not built yet; run: .* build --only talk"):
        asset_named("talk", language="en", file=course)
    (tmp_path / "out").mkdir()
    for path in dark.parent.glob(f"{dark.name}.*"):
        shutil.copy(path, tmp_path / "out" / ("talk-dark.en.high" + path.name.removeprefix(dark.name)))
    video = asset_named("talk", language="en", file=course)
    assert video is not None
    assert find(str(video), language="en", media=tmp_path).asset.title == "Tiny"
    course.write_text(course.read_text() + '[[asset]]\nscene = "qkv"\nname = "talk-two"\n')
    with pytest.raises(InputError, match="several videos of this name; name one: "):
        asset_named("qkv", language="en", file=course)


def test_of_several_films_a_player_takes_the_first_that_it_can(dark, written, tmp_path):
    text = embeds.load("html").snippet(written, Page(tmp_path / "page.html"))
    sources = re.findall(r'<source src="([^"]+)" type="([^"]+)">', text)
    assert [(Path(path).name, kind) for path, kind in sources] == [
        ("qkv.mp4", "video/mp4"),
        ("qkv.webm", "video/webm"),
    ]
    for path in dark.parent.glob(f"{dark.name}.*"):
        shutil.copy(path, tmp_path)
    film = tmp_path / f"{dark.name}.mp4"
    film.rename(film.with_suffix(".webm"))
    shown = find(str(film.with_suffix(".webm")), language="en", media=tmp_path)
    assert shown.asset.videos == (film.with_suffix(".webm"),)
    with pytest.raises(InputError, match="PowerPoint plays mp4"):
        embeds.load("pptx").put(None, shown, Page(tmp_path / "deck.pptx"))


def test_what_it_reads_is_what_was_rendered(shown):
    asset, twin = shown.asset, shown.twin
    assert (asset.title, asset.prompt, asset.language, asset.theme) == ("Tiny", "a blue creature", "en", "dark")
    assert [each.title for each in asset.chapters] == ["A weight", "A share", "The end"]
    assert asset.chapters[0].said == "Learned."
    assert asset.chapters[0].seen == "A square & a number."
    assert [(track.language, track.label) for track in asset.tracks] == [("en", "English"), ("zh", "中文")]
    assert (asset.width, asset.height) == (854, 480)
    assert asset.still == "Dimmed."
    assert (twin.theme, twin.digest, twin.chapters) == ("light", asset.digest, asset.chapters)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("none.mp4", "--target", "html"), "no such file"),
        (("all", "--target", "html"), "a page shows one"),
        (("x", "--target", "word"), "'word' is not one of"),
        (("x",), "Missing option '--target'"),
    ],
)
def test_wrong_words_are_refused_in_one_line(words, said, tmp_path):
    done = run(*words, folder=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("target", "config", "page", "said"),
    [
        ("sphinx", ("conf.py", "html_static_path = ['_static']\n"), "a.rst", "Sphinx copies _static/"),
        ("mkdocs", ("mkdocs.yml", "docs_dir: pages\n"), "pages/a.md", "MkDocs copies only what lies in site/pages/"),
        ("hugo", ("hugo.toml", ""), "content/a.md", "Hugo copies only what lies in site/static/"),
        ("docusaurus", ("docusaurus.config.js", ""), "docs/a.md", "Docusaurus copies only what lies in site/static/"),
        ("vitepress", (".vitepress/config.mts", ""), "a.md", "VitePress copies only what lies in site/public/"),
        ("docsify", ("index.html", ""), "a.md", "docsify copies only what lies in site/"),
    ],
)
def test_a_video_that_the_tool_would_leave_behind_is_refused(target, config, page, said, dark, tmp_path):
    site = tmp_path / "site"
    for name, text in (config, (page, "# One\n")):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text)
    done = run(str(dark), "--target", target, "--write", f"site/{page}", folder=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert (site / page).read_text() == "# One\n"


@pytest.mark.parametrize(
    ("target", "settings", "page", "media", "address"),
    [
        ("html", "", "talks/a.html", "media", "../media/{}.md"),
        ("mkdocs", "", "docs/a.md", "docs/media", "../media/{}/"),
        ("mkdocs", "use_directory_urls: false\n", "docs/a.md", "docs/media", "media/{}.html"),
        ("docsify", "", "talks/a.md", "media", "#/media/{}"),
        ("hugo", "", "content/a.md", "static/media", "@static/media/{}.md"),
        ("hugo", "", "content/a/index.md", "content/a", None),
    ],
)
def test_a_page_links_the_transcript_as_the_tool_publishes_it(target, settings, page, media, address, dark, tmp_path):
    config = {"mkdocs": "mkdocs.yml", "docsify": "index.html", "hugo": "hugo.toml"}.get(target)
    if config:
        (tmp_path / config).write_text(settings)
    (tmp_path / media).mkdir(parents=True)
    for path in dark.parent.glob(f"{dark.name}.*"):
        shutil.copy(path, tmp_path / media)
    shown = find(str(tmp_path / media / dark.name), language="en", media=tmp_path)
    text = embeds.load(target).snippet(shown, Page(tmp_path / page))
    links = re.findall(r'<a href="([^"]*transcript[^"]*)"', text)
    assert links == ([address.format(f"{dark.name}.en.transcript")] if address else [])


def test_hugo_gets_the_shortcode_that_it_lacks(published, dark, tmp_path):
    (tmp_path / "hugo.toml").write_text("")
    (tmp_path / "content").mkdir()
    (tmp_path / "content" / "a.md").write_text("---\ntitle: A\n---\n")
    shutil.copytree(published, tmp_path / "static" / "media")
    words = (f"static/media/{dark.name}.mp4", "--target", "hugo", "--write", "content/a.md")
    done = run(*words, folder=tmp_path)
    code = Path("layouts/shortcodes/attention-video.html")
    assert done.stdout.splitlines()[0] == "content/a.md"
    assert done.stdout.splitlines()[1].endswith(str(code))
    (tmp_path / code).write_text("mine")
    assert run(*words, folder=tmp_path).stdout == "content/a.md\n"
    assert (tmp_path / code).read_text() == "mine"


def test_a_page_opened_from_disk_has_captions_when_they_are_inside(published, dark, browser, tmp_path):
    shutil.copytree(published, tmp_path / "media")
    page = tmp_path / "page.html"
    page.write_text('<!doctype html><html lang="en"><head><title>A</title></head><body><h1>A</h1></body></html>\n')
    done = run(f"media/{dark.name}", "--target", "html", "--write", "page.html", "--inline-captions", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    asset = find(str(tmp_path / "media" / dark.name), language="en", media=Path("media")).asset
    with visit(browser, page.as_uri(), color_scheme="dark") as seen:
        watch(seen, asset, served=False)
