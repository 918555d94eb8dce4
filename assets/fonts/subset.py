"""Makes the fonts of this folder from their sources, the same bytes every time.

    npm pack @expo-google-fonts/noto-sans@0.4.2
    npm pack @expo-google-fonts/noto-sans-sc@0.4.3
    npm pack @expo-google-fonts/noto-sans-math@0.4.2
    python assets/fonts/subset.py FOLDER_OF_THE_THREE_ARCHIVES

Each font is cut to the characters that a lecture needs, loses its hints (outlines are drawn, nothing reads
the hints) and gets its overlapping contours merged, so that an outlined letter has no seams inside.
"""

from __future__ import annotations

import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.removeOverlaps import removeOverlaps

FOLDER = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Face:
    """One font file: where it comes from, what is kept of it."""

    target: str
    archive: str
    member: str
    characters: frozenset[int]
    features: tuple[str, ...]


def span(*ranges: tuple[int, int]) -> frozenset[int]:
    """Every code point of the ranges, both ends included."""
    return frozenset(code for first, last in ranges for code in range(first, last + 1))


def gb2312() -> Iterator[int]:
    """The 7,445 characters of GB 2312-80: marks, kana, Greek, Cyrillic, frames, and hanzi of both levels."""
    for row in range(0xA1, 0xF8):
        for column in range(0xA1, 0xFF):
            try:
                yield ord(bytes([row, column]).decode("gb2312"))
            except UnicodeDecodeError:
                continue


ASCII = span((0x20, 0x7E))
LATIN = ASCII | span(
    (0xA0, 0x17F),  # Latin-1 and Latin Extended-A
    (0x1CD, 0x1DC),  # pinyin vowels
    (0x2B0, 0x2FF),  # modifier letters and accents
    (0x300, 0x338),  # combining marks
    (0x370, 0x3FF),  # Greek
    (0x400, 0x45F),  # Cyrillic
    (0x1D2C, 0x1D6A),  # raised and lowered letters: the T of a transpose, the i of an index
    (0x1E80, 0x1E85),
    (0x1EF2, 0x1EF3),
    (0x2000, 0x2064),  # general punctuation, spaces
    (0x2070, 0x209C),  # superscripts and subscripts
    (0x20A0, 0x20BF),  # currency
    (0x2100, 0x214F),  # letterlike
    (0x2150, 0x2189),  # fractions
    (0x2212, 0x2212),  # the true minus
    (0x2C7C, 0x2C7D),  # lowered j, raised V
    (0xFFFD, 0xFFFD),
)
SYMBOLS = span(
    (0x20, 0x20),
    (0x2B, 0x2B),
    (0x3D, 0x3D),
    (0x2016, 0x2016),
    (0x2032, 0x2037),
    (0x2190, 0x21FF),  # arrows
    (0x2200, 0x22FF),  # mathematical operators
    (0x2308, 0x230B),  # ceiling and floor
    (0x239B, 0x23B1),  # bracket pieces
    (0x23CE, 0x23CE),  # return
    (0x2423, 0x2423),  # open box: a visible space
    (0x25A0, 0x25FF),  # geometric shapes
    (0x2713, 0x2713),
    (0x27C2, 0x27C2),
    (0x27E8, 0x27EB),
    (0x27F5, 0x27FF),  # long arrows
)
# Beyond GB 2312: what people type for its look-alikes (middle dot, dashes), the hanzi zero, full-width forms.
CHINESE = (
    ASCII
    | frozenset(gb2312())
    | span((0xB7, 0xB7), (0x2010, 0x2027), (0x3000, 0x301F), (0x30FB, 0x30FB), (0xFF01, 0xFF5E))
)

TEXT_FEATURES = ("kern", "mark", "mkmk", "ccmp", "locl")
SANS, SC, MATH = (f"expo-google-fonts-noto-sans{part}.tgz" for part in ("-0.4.2", "-sc-0.4.3", "-math-0.4.2"))
FACES = (
    Face("NotoSans-Regular.ttf", SANS, "400Regular/NotoSans_400Regular.ttf", LATIN, TEXT_FEATURES),
    Face("NotoSans-SemiBold.ttf", SANS, "600SemiBold/NotoSans_600SemiBold.ttf", LATIN, TEXT_FEATURES),
    Face("NotoSansSC-Regular.ttf", SC, "400Regular/NotoSansSC_400Regular.ttf", CHINESE, ()),
    Face("NotoSansSC-SemiBold.ttf", SC, "600SemiBold/NotoSansSC_600SemiBold.ttf", CHINESE, ()),
    Face("NotoSansMath-Regular.ttf", MATH, "400Regular/NotoSansMath_400Regular.ttf", SYMBOLS, ()),
)


def cut(face: Face, source: bytes) -> TTFont:
    """The face, cut to its characters, without hints and without overlaps."""
    font = TTFont(BytesIO(source), recalcTimestamp=False)
    options = Options()
    options.layout_features = list(face.features)
    options.hinting = False
    options.notdef_outline = True
    options.glyph_names = False
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 7, 13, 14, 16, 17]
    options.drop_tables += ["MATH", "vhea", "vmtx", "VORG", "BASE", "DSIG", "STAT", "meta"]
    options.recalc_timestamp = False
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=face.characters)
    subsetter.subset(font)
    removeOverlaps(font, ignoreErrors=True)
    return font


def main(sources: Path) -> None:
    """Writes every face beside this file."""
    for face in FACES:
        with tarfile.open(sources / face.archive) as archive:
            member = archive.extractfile(f"package/{face.member}")
            if member is None:
                raise FileNotFoundError(f"{face.archive} has no {face.member}")
            font = cut(face, member.read())
        font.save(FOLDER / face.target)
        size = (FOLDER / face.target).stat().st_size
        sys.stdout.write(f"{face.target}: {size / 1e6:.2f} MB, {len(font.getBestCmap() or ())} characters\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
