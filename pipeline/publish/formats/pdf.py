"""A figure as PDF: one page of outlines, with a text for who cannot see it where screen readers look for it.

Written here rather than by a library, so that the same figure is the same bytes everywhere: no date, no
random identifier. Sources: ISO 32000-1 8.5 (paths), 11.6.4.4 (constant alpha), 14.3 (metadata), 14.8 (tagged
PDF), 14.9.3 (alternate descriptions).
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from pipeline.publish.formats._figure import CREATOR, Figure
from pipeline.publish.formats._paths import STEP, on_grid
from pipeline.render.drawing import HEIGHT, WIDTH, Drawing, Paint, Shape, Subpath

RASTER = False
POINTS_PER_UNIT = 60
"""960 × 540 points: a slide of 13⅓ × 7½ inches."""
CAPS = {"butt": 0, "round": 1, "square": 2}
JOINS = {"miter": 0, "round": 1, "bevel": 2}


def write(figure: Figure) -> bytes:
    """The PDF file."""
    painted, states = _content(figure.drawing)
    alt, title = _string(figure.alt), _string(figure.title)
    box = f"[0 0 {WIDTH * POINTS_PER_UNIT} {HEIGHT * POINTS_PER_UNIT}]"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R/Metadata 5 0 R/StructTreeRoot 6 0 R/MarkInfo<</Marked true>>"
        b"/ViewerPreferences<</DisplayDocTitle true>>/Lang(" + figure.language.encode() + b")>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox{box}/Contents 4 0 R/StructParents 0/Tabs/S"
        f"/Resources<</ExtGState<<{states}>>>>>>".encode(),
        _stream("/Filter/FlateDecode", zlib.compress(painted, 9)),
        _stream("/Type/Metadata/Subtype/XML", _xmp(figure)),
        b"<</Type/StructTreeRoot/K 7 0 R/ParentTree<</Nums[0[7 0 R]]>>>>",
        b"<</Type/StructElem/S/Figure/P 6 0 R/Pg 3 0 R/K 0/Alt" + alt + b"/A<</O/Layout/BBox" + box.encode() + b">>>>",
        b"<</Title" + title + b"/Subject" + alt + b"/Keywords" + _string(figure.numbers) + b"/Creator"
        b"" + _string(CREATOR) + b"/Producer" + _string(CREATOR) + b"/Source" + _string(figure.command) + b">>",
    ]
    return _file(objects, root=1, info=8)


def digest(data: bytes) -> str:
    """The digest in the file's metadata, which is not compressed."""
    found = re.search(rb"<pdf:Keywords>sha256:([0-9a-f]{64})</pdf:Keywords>", data)
    return found[1].decode() if found else ""


def _content(drawing: Drawing) -> tuple[bytes, str]:
    """The page's painting operators, and the states of opacity that they name."""
    opacities: dict[tuple[float, float], str] = {}
    unit = POINTS_PER_UNIT * STEP
    top = HEIGHT * POINTS_PER_UNIT
    lines = [
        "/Figure<</MCID 0>>BDC q",
        f"{_colour(drawing.ground)} rg 0 0 {WIDTH * POINTS_PER_UNIT} {top} re f",
        f"{unit:.4g} 0 0 {-unit:.4g} 0 {top} cm 10 M",
    ]
    for shape in drawing.shapes:
        lines += _shape(shape, opacities)
    states = "".join(f"/{name}<</ca {fill:.4g}/CA {line:.4g}>>" for (fill, line), name in opacities.items())
    return "\n".join([*lines, "Q EMC"]).encode(), states


def _shape(shape: Shape, opacities: dict[tuple[float, float], str]) -> Iterator[str]:
    """Fill and stroke at once where both cover all, else one after the other, as cairo paints them."""
    fill, stroke = shape.fill, shape.stroke
    state = (_opacity(fill), _opacity(stroke.paint if stroke else None))
    name = opacities.setdefault(state, f"a{len(opacities)}")
    words = [f"/{name} gs"]
    if fill:
        words.append(f"{_colour(fill.colour)} rg")
    if stroke:
        words.append(f"{_colour(stroke.paint.colour)} RG {stroke.width / STEP:.4g} w")
        words.append(f"{CAPS[stroke.cap]} J {JOINS[stroke.join]} j")
    path = "\n".join(_path(each) for each in shape.subpaths)
    yield " ".join(words)
    if fill and stroke and state == (1, 1):
        yield f"{path} B"
    else:
        yield from (f"{path} {paint}" for paint, wanted in (("f", fill), ("S", stroke)) if wanted)


def _path(subpath: Subpath) -> str:
    (x, y), pieces = on_grid(subpath)
    words = [f"{x} {y} m"]
    words += [f"{' '.join(map(str, piece))} {'l' if len(piece) == 2 else 'c'}" for piece in pieces]
    return " ".join([*words, "h"] if subpath.closed else words)


def _opacity(paint: Paint | None) -> float:
    return 1.0 if paint is None else float(f"{paint.opacity:.4g}")


def _colour(colour: str) -> str:
    return " ".join(f"{int(colour[at : at + 2], 16) / 255:.4g}" for at in (1, 3, 5))


def _xmp(figure: Figure) -> bytes:
    """The same as XMP, which library catalogues and operating systems read."""

    def told(text: str) -> str:
        return f'<rdf:Alt><rdf:li xml:lang="x-default">{_text(text)}</rdf:li></rdf:Alt>'

    packet = (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n'
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">'
        f"<dc:title>{told(figure.title)}</dc:title><dc:description>{told(figure.alt)}</dc:description>"
        f"<dc:language><rdf:Bag><rdf:li>{figure.language}</rdf:li></rdf:Bag></dc:language>"
        f"<dc:source>{_text(figure.command)}</dc:source>"
        f"<pdf:Keywords>{figure.numbers}</pdf:Keywords><pdf:Producer>{CREATOR}</pdf:Producer>"
        f"<xmp:CreatorTool>{CREATOR}</xmp:CreatorTool></rdf:Description></rdf:RDF></x:xmpmeta>\n"
        '<?xpacket end="r"?>'
    )
    return packet.encode()


def _text(text: str) -> str:
    return escape(" ".join(text.split()))


def _string(text: str) -> bytes:
    """A text string in any language: UTF-16 with its mark, in hexadecimal."""
    return b"<" + ("\ufeff" + " ".join(text.split())).encode("utf-16-be").hex().upper().encode() + b">"


def _stream(entries: str, data: bytes) -> bytes:
    return f"<<{entries}/Length {len(data)}>>\nstream\n".encode() + data + b"\nendstream"


def _file(objects: Sequence[bytes], *, root: int, info: int) -> bytes:
    """The objects, numbered from 1, with the table that says where each begins."""
    data = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, each in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n".encode() + each + b"\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    end = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n"
    start = len(data)
    data += f"{end}<</Size {len(objects) + 1}/Root {root} 0 R/Info {info} 0 R>>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(data)
