"""`figure` on a tiny scene: what it publishes, that programs of others read it, that it is the video's picture."""

import json
import re
import subprocess
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pypdfium2
import pytest
from pypdfium2 import raw

from pipeline.publish import formats
from pipeline.publish.formats._figure import Figure
from pipeline.publish.verify import verify
from pipeline.render.drawing import Drawing, Paint, Shape, Stroke, Subpath
from tests.pipeline.conftest import SMALL_SCENES, Checkout
from tests.rasters import away_from_edges, blocks_apart, pixels_of
from tests.tolerances import FIGURE_BLOCK, FIGURE_FLAT

SVG = {"svg": "http://www.w3.org/2000/svg", "dc": "http://purl.org/dc/elements/1.1/"}
BEATS = ("weight", "share", "end")
WORDS = ("--format", "svg", "--format", "pdf", "--format", "png", "--quality", "low")


def draw(checkout: Checkout, *words: str) -> list[Path]:
    done = checkout.run("figure", *words, "--model", str(checkout.model), "--quiet")
    assert done.returncode == 0, done.stderr
    return [checkout.folder / line for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def course(tmp_path_factory, small_model):
    return Checkout(tmp_path_factory.mktemp("course"), small_model)


@pytest.fixture(scope="module")
def published(course):
    """The figures of every beat, by beat and form."""
    paths = draw(course, "tiny", *WORDS)
    names = [(beat, form) for beat in BEATS for form in ("svg", "pdf", "png")]
    return dict(zip(names, paths, strict=True))


def test_every_beat_in_every_form_and_its_ledger(published):
    stem = published["weight", "svg"].name.split(".")[0]
    assert stem.startswith("tiny-small-")
    endings = ("numbers.json", "pdf", "png", "svg")
    expected = sorted(f"{stem}.{beat}.en.low.{ending}" for beat in BEATS for ending in endings)
    assert sorted(path.name for path in published["weight", "svg"].parent.iterdir()) == expected


def test_the_ledger_has_the_beats_numbers_and_no_others(published):
    ledger = json.loads(published["share", "svg"].with_suffix(".numbers.json").read_text(encoding="utf-8"))
    assert [beat["name"] for beat in ledger["beats"]] == ["share"]
    assert {number["beat"] for number in ledger["numbers"]} == {"share"}
    assert [number["text"] for number in ledger["numbers"]] == ["−0.02", "0.42"]


@pytest.mark.parametrize("beat", BEATS)
@pytest.mark.parametrize("form", ["svg", "pdf"])
def test_the_outlines_are_the_videos_picture(published, beat, form):
    pixels, outlines = (pixels_of(published[beat, each], height=480) for each in ("png", form))
    difference, share = away_from_edges(pixels, outlines)
    assert difference <= FIGURE_FLAT
    assert share > 0.9
    assert blocks_apart(pixels, outlines) <= FIGURE_BLOCK


def test_svg_says_what_it_shows_and_where_it_comes_from(published):
    root = ElementTree.parse(published["share", "svg"]).getroot()
    ledger = json.loads(published["share", "svg"].with_suffix(".numbers.json").read_text(encoding="utf-8"))
    assert (root.get("role"), root.get("viewBox")) == ("img", "0 0 16 9")
    assert [child.tag.partition("}")[2] for child in root][:2] == ["title", "desc"]
    assert root.findtext("svg:title", namespaces=SVG) == "Tiny — A share"
    assert root.findtext("svg:desc", namespaces=SVG) == "The share 0.42."
    assert root.findtext(".//dc:identifier", namespaces=SVG) == f"sha256:{ledger['digest']}"
    assert root.findtext(".//dc:source", namespaces=SVG) == ledger["command"]


def test_svg_is_outlines_only(published):
    tags = {each.tag.partition("}")[2] for each in ElementTree.parse(published["share", "svg"]).getroot().iter()}
    assert tags <= {"svg", "title", "desc", "metadata", "g", "path", *["title", "description", "language"]} | {
        *["identifier", "source", "creator"]
    }


def test_pdf_says_what_it_shows_and_where_it_comes_from(published):
    document = pypdfium2.PdfDocument(published["share", "pdf"])
    ledger = json.loads(published["share", "pdf"].with_suffix(".numbers.json").read_text(encoding="utf-8"))
    told = document.get_metadata_dict()
    assert (told["Title"], told["Subject"]) == ("Tiny — A share", "The share 0.42.")
    assert (told["Keywords"], told["Creator"]) == (f"sha256:{ledger['digest']}", "manim-attention")
    assert document.get_metadata_value("Source") == ledger["command"]
    assert told["CreationDate"] == told["ModDate"] == ""
    assert ledger["command"] in published["share", "pdf"].read_bytes().decode("utf-8", "ignore")


def test_pdf_is_outlines_only_and_screen_readers_find_its_text(published):
    page = pypdfium2.PdfDocument(published["share", "pdf"])[0]
    assert page.get_size() == (960, 540)
    assert {each.type for each in page.get_objects()} == {raw.FPDF_PAGEOBJ_PATH}
    tree = raw.FPDF_StructTree_GetForPage(page)
    figure = raw.FPDF_StructTree_GetChildAtIndex(tree, 0)
    length = raw.FPDF_StructElement_GetAltText(figure, None, 0)
    buffer = bytearray(length)
    raw.FPDF_StructElement_GetAltText(figure, (raw.c_char * length).from_buffer(buffer), length)
    assert buffer.decode("utf-16-le").rstrip("\0") == "The share 0.42."
    raw.FPDF_StructTree_Close(tree)


def test_png_carries_the_same_texts(published):
    from PIL import Image

    with Image.open(published["share", "png"]) as picture:
        assert picture.size == (854, 480)
        assert (picture.info["Title"], picture.info["Description"]) == ("Tiny — A share", "The share 0.42.")
        assert picture.info["Source"].startswith("python cli.py figure tiny --format svg")


def test_a_second_process_writes_the_same_bytes(published, tmp_path, small_model):
    again = draw(Checkout(tmp_path, small_model), "tiny", *WORDS)
    for path, other in zip(published.values(), again, strict=True):
        assert path.name == other.name
        assert path.read_bytes() == other.read_bytes()


def test_one_beat_alone_is_the_same_picture_and_chinese_has_its_own_texts(published, checkout):
    english, chinese = draw(checkout, "tiny:share", "--lang", "en", "--lang", "zh", "-o", "out/")
    assert (english.parent.name, english.suffix) == ("out", ".svg")
    assert english.name == published["share", "svg"].name.replace(".en.low.", ".en.")
    outlines = [path.read_text(encoding="utf-8").split("</metadata>")[1] for path in (english, chinese)]
    assert published["share", "svg"].read_text(encoding="utf-8").split("</metadata>")[1] == outlines[0]
    told = chinese.read_text(encoding="utf-8")
    assert re.search(r"<title>微小 — 一份权重</title>\n<desc>权重 [\d.]+。</desc>", told)


def test_the_ending_of_the_output_chooses_the_form(checkout):
    assert draw(checkout, "tiny:end", "-o", "last.pdf") == [checkout.folder / "last.pdf"]
    assert (checkout.folder / "last.pdf").read_bytes().startswith(b"%PDF-1.7")
    assert checkout.files() == ["last.numbers.json", "last.pdf"]


def test_verify_knows_figures(published, tmp_path):
    assert verify(str(published["share", "pdf"])).words.endswith(".share.en.low: identical: all 4 numbers match")
    ledger = published["share", "pdf"].with_suffix(".numbers.json").read_text(encoding="utf-8")
    (tmp_path / "x.numbers.json").write_text(re.sub('"digest": "[^"]*"', f'"digest": "{"0" * 64}"', ledger))
    for form in formats.names():
        mark = formats.load(form).digest(published["share", form].read_bytes())
        assert mark in ledger
        copy = tmp_path / f"x.{form}"
        copy.write_bytes(published["share", form].read_bytes())
        verdict = verify(str(copy))
        assert f"x.{form}: shown digest {mark[:16]}…, now the ledger's is 0000" in verdict.words
        copy.unlink()


def test_a_finding_of_the_audit_publishes_nothing(checkout):
    broken = checkout.folder / "scenes"
    broken.mkdir()
    text = (SMALL_SCENES / "tiny.py").read_text(encoding="utf-8")
    (broken / "tiny.py").write_text(text.replace(".place(10, 6)", ".place(15.9, 6)"), encoding="utf-8")
    (broken / "tiny.toml").write_bytes((SMALL_SCENES / "tiny.toml").read_bytes())
    words = checkout.command("figure", "tiny:share", "--model", str(checkout.model), "--quiet")
    words[2] = words[2].replace(str(SMALL_SCENES), str(broken))
    done = subprocess.run(words, cwd=checkout.folder, env=checkout.environment(), capture_output=True, text=True)
    assert done.returncode == 1
    assert "audit of tiny: share: " in done.stderr
    assert not (checkout.folder / "media").exists()


REFUSED = {
    "no beat": (["tiny:shaer"], "beat of tiny 'shaer': there is none of this name; did you mean 'share'?"),
    "empty beat": (["tiny:"], "beat of tiny '': there is none of this name"),
    "no form": (["tiny", "--format", "bmp"], "'bmp' is not one of 'pdf', 'png', 'svg'"),
    "a video": (["tiny:end", "-o", "x.mp4"], "output 'x.mp4': what is made is .svg; name it x.svg"),
    "other form": (["tiny:end", "-o", "x.pdf", "--format", "png"], "what is made is .png; name it x.png"),
    "one name": (["tiny", "-o", "x.svg"], "output 'x.svg': several figures cannot have one name; name a folder"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_in_one_line_and_nothing_written(case, small_model, small_catalogue, tmp_path, monkeypatch, capsys):
    import cli

    words, line = REFUSED[case]
    monkeypatch.chdir(tmp_path)
    assert cli.main(["figure", *words, "--model", str(small_model)]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert line in told.err
    assert list(tmp_path.iterdir()) == []


def square(left: float, top: float, side: float) -> Subpath:
    corners = np.array([[left, top], [left + side, top], [left + side, top + side], [left, top + side], [left, top]])
    curves = [[a, a + (b - a) / 3, a + (b - a) * 2 / 3, b] for a, b in pairwise(corners)]
    return Subpath(np.array(curves), closed=True)


def every_kind_of_paint() -> Drawing:
    hole = (square(1, 1, 3), Subpath(square(2, 2, 1).curves[::-1, ::-1], closed=True))
    line = Subpath(np.array([[[6.0, 6], [8, 2], [10, 10], [12, 6]]]), closed=False)
    return Drawing(
        "#FFFFFF",
        (
            Shape(hole, fill=Paint("#0062A0", 1.0)),
            Shape((square(5, 1, 2),), fill=Paint("#C00000", 0.5), stroke=Stroke(Paint("#000000", 0.5), 0.5)),
            Shape((square(8, 1, 2),), fill=Paint("#C0C000", 1.0), stroke=Stroke(Paint("#000000", 1.0), 0.5)),
            Shape((line,), stroke=Stroke(Paint("#145315", 1.0), 0.8, cap="round", join="round")),
            Shape(
                (Subpath(line.curves + np.array([0, 1.5]), False),),
                stroke=Stroke(Paint("#145315", 1.0), 0.4, cap="square"),
            ),
            Shape((square(13, 1, 2),), stroke=Stroke(Paint("#145315", 1.0), 0.4, join="bevel")),
        ),
    )


@pytest.mark.parametrize("form", [name for name in formats.names() if not formats.load(name).RASTER])
def test_every_kind_of_paint_as_cairo_paints_it(form, tmp_path):
    drawing = every_kind_of_paint()
    drawing.save(tmp_path / "drawing.npz")
    kept = Drawing.load(tmp_path / "drawing.npz")
    figure = Figure(kept, tmp_path, "A & <title>", "“alt” & (text)", "en", "0" * 64, "figure 'x'")
    path = tmp_path / f"figure.{form}"
    path.write_bytes(formats.load(form).write(figure))
    expected, drawn = painted(drawing, height=540), pixels_of(path, height=540)
    assert away_from_edges(expected, drawn)[0] <= FIGURE_FLAT
    assert blocks_apart(expected, drawn) <= FIGURE_BLOCK
    fewer = Drawing(drawing.ground, drawing.shapes[:-1])
    assert blocks_apart(painted(fewer, height=540), drawn) > 4 * FIGURE_BLOCK


def painted(drawing: Drawing, *, height: int) -> np.ndarray:
    """The drawing through cairo, as the camera uses it."""
    import cairo

    surface = cairo.ImageSurface(cairo.FORMAT_RGB24, height * 16 // 9, height)
    context = cairo.Context(surface)
    context.scale(height / 9, height / 9)
    context.set_source_rgb(1, 1, 1)
    context.paint()
    for shape in drawing.shapes:
        for subpath in shape.subpaths:
            context.move_to(*subpath.curves[0, 0])
            for curve in subpath.curves:
                context.curve_to(*curve[1:].ravel())
            if subpath.closed:
                context.close_path()
        if shape.fill:
            context.set_source_rgba(*rgba(shape.fill))
            context.fill_preserve()
        if shape.stroke:
            context.set_source_rgba(*rgba(shape.stroke.paint))
            context.set_line_width(shape.stroke.width)
            context.set_line_cap(getattr(cairo.LineCap, shape.stroke.cap.upper()))
            context.set_line_join(getattr(cairo.LineJoin, shape.stroke.join.upper()))
            context.stroke_preserve()
        context.new_path()
    data = np.frombuffer(surface.get_data(), dtype=np.uint8).reshape(height, -1, 4)
    return data[:, :, 2::-1].astype(int)


def rgba(paint: Paint) -> tuple[float, ...]:
    return (*(int(paint.colour[at : at + 2], 16) / 255 for at in (1, 3, 5)), paint.opacity)
