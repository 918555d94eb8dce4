"""The shipped fonts hold what the scenes draw."""

from pathlib import Path

import pytest
import typst
from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont

FONTS = Path(__file__).resolve().parents[2] / "assets" / "fonts"
FILES = (
    "NotoSans-Regular",
    "NotoSans-SemiBold",
    "NotoSansSC-Regular",
    "NotoSansSC-SemiBold",
    "NotoSansMath-Regular",
)
CHAINS = (
    ("NotoSans-Regular", "NotoSansMath-Regular", "NotoSansSC-Regular"),
    ("NotoSans-SemiBold", "NotoSansMath-Regular", "NotoSansSC-SemiBold"),
)
TEXT = "".join(map(chr, range(0x20, 0x7F))) + "§±²³°·ÊŁé×÷½†‡–—‖‘’“”•…′″•‰"
GREEK = "ΑΒΓΔΘΛΞΠΣΦΨΩαβγδεζηθικλμνξπρστυφχψω"
INDICES = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿ₀₁₂₃₄₅₆₇₈₉₊₋₌ₖₙₘᵢⱼʰᵀᵗ"
SYMBOLS = "−≈∞√→←↑↓↔↦⇒⟶≤≥≠∈∀∂∝∑∏∇⊤⊙⊗⊕⋅∘⋯⋮⋱⟨⟩⌈⌊␣⏎●○■□▲▼►◄▸◂◆✓∆"
CHINESE = "，。、；：？！《》「」『』（）【】＋－％０９①⑩Ⅰ々〇ぁァАё─│┌┐└┘├┤┬┴┼　～—…“”‘’"


@pytest.fixture(scope="module")
def fonts() -> dict[str, TTFont]:
    return {name: TTFont(FONTS / f"{name}.ttf") for name in FILES}


def gb2312() -> set[str]:
    cells = (bytes([row, column]) for row in range(0xA1, 0xF8) for column in range(0xA1, 0xFF))
    return {text for text in (cell.decode("gb2312", "ignore") for cell in cells) if text}


@pytest.mark.parametrize("name", FILES)
def test_font_loads_and_has_no_hints(fonts, name):
    font = fonts[name]
    assert font["head"].unitsPerEm == 1000
    assert not {"fpgm", "prep", "cvt "} & set(font.keys())


@pytest.mark.parametrize("name", ["NotoSansSC-Regular", "NotoSansSC-SemiBold"])
def test_all_of_gb2312_has_a_glyph(fonts, name):
    characters = gb2312()
    assert len(characters) == 7445
    assert not sorted(c for c in characters if ord(c) not in fonts[name].getBestCmap())


@pytest.mark.parametrize("chain", CHAINS, ids=["regular", "semibold"])
@pytest.mark.parametrize(
    "characters",
    [TEXT, GREEK, INDICES, SYMBOLS, CHINESE],
    ids=["text", "greek", "indices", "symbols", "chinese"],
)
def test_every_symbol_of_the_lectures_is_in_the_chain(fonts, chain, characters):
    assert not sorted(c for c in characters if not any(ord(c) in fonts[name].getBestCmap() for name in chain))


@pytest.mark.parametrize("chain", CHAINS, ids=["regular", "semibold"])
def test_only_blanks_have_no_outline(fonts, chain):
    for character in TEXT + GREEK + INDICES + SYMBOLS + CHINESE:
        name = next(name for name in chain if ord(character) in fonts[name].getBestCmap())
        glyphs = fonts[name].getGlyphSet()
        pen = BoundsPen(glyphs)
        glyphs[fonts[name].getBestCmap()[ord(character)]].draw(pen)
        assert (pen.bounds is None) == character.isspace(), character


@pytest.mark.parametrize("name", ["NotoSans-Regular", "NotoSans-SemiBold"])
def test_digits_are_tabular(fonts, name):
    cmap, widths = fonts[name].getBestCmap(), fonts[name]["hmtx"]
    assert {widths[cmap[ord(c)]][0] for c in "0123456789+=±"} == {572}


def test_the_signs_of_numbers_are_as_wide_as_a_digit(fonts):
    regular, symbols = fonts["NotoSans-Regular"], fonts["NotoSansMath-Regular"]
    assert regular["hmtx"][regular.getBestCmap()[ord("−")]][0] == 572
    assert symbols["hmtx"][symbols.getBestCmap()[ord("≈")]][0] == pytest.approx(572, abs=1)


def test_licences_are_beside_the_fonts():
    for family in ("NotoSans", "NotoSansSC", "NotoSansMath"):
        assert "SIL OPEN FONT LICENSE Version 1.1" in (FONTS / f"OFL-{family}.txt").read_text()


def test_fonts_stay_small():
    assert sum(path.stat().st_size for path in FONTS.glob("*.ttf")) < 6_000_000


def test_formulas_need_no_font_of_the_system():
    assert "New Computer Modern Math" in typst.Fonts(include_system_fonts=False).families()
