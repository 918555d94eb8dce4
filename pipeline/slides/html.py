"""A deck as one file of HTML that asks nobody for anything: clips, pictures, fonts, style and script are inside.

Without its script the page is the slides one under the other, as stills with their texts.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from html import escape, unescape
from pathlib import Path

from pipeline.chapter.fonts import font_rules
from pipeline.slides._deck import CREATOR, LEGEND, Block, Deck, Part, Slide

CLIPS, OUTLINES = True, False
FOLDER = Path(__file__).parent
LOCALES = {"en": "en", "zh": "zh-CN"}
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "img-src data:; font-src data:; media-src blob:"
)
"""What the page may load: nothing that is not in it."""
BUTTONS = (
    ("back", {"en": "Back", "zh": "上一张"}, "←", "M15 5 8 12l7 7"),
    ("play", {"en": "Play or pause", "zh": "播放或暂停"}, "P", "M8 5v14l11-7z"),
    ("next", {"en": "Next", "zh": "下一张"}, "→", "m9 5 7 7-7 7"),
    ("notes", {"en": "Notes in a window of their own", "zh": "在单独窗口里看备注"}, "S", "M5 5h14v11h-7l-4 4v-4H5z"),
    ("full", {"en": "Full screen", "zh": "全屏"}, "F", "M5 9V5h4m6 0h4v4m0 6v4h-4m-6 0H5v-4"),
)
"""The deck's buttons: name, words, key, and the outline of the sign on a square of 24."""
DIGITS = "0123456789:/"
"""What the script writes: places in the deck and times."""
SLIDE_WORDS = {"en": ("slide", "controls", "next: "), "zh": ("幻灯片", "操作", "下一张：")}


def write(deck: Deck) -> bytes:
    """The page, in UTF-8."""
    count = sum(1 + len(part.slides) for part in deck.parts)
    numbers = iter(range(1, count + 1))
    slides = "\n".join(line for part in deck.parts for line in _part(part, deck, numbers, count))
    body = f"<main>\n<h1>{escape(deck.title)}</h1>\n{slides}\n</main>\n{_bar(deck, count)}"
    locale = LOCALES[deck.language]
    told = re.sub(r'(;base64,|<script type="text/plain">)[^"<]*', r"\1", body) + DIGITS
    return f"""<!doctype html>
<html lang="{locale}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="{CREATOR}">
<meta name="keywords" content="{" ".join(deck.numbers)}">
<meta name="source" content="{escape(deck.command)}">
<title>{escape(deck.title)}</title>
<style>
{font_rules(told, language=deck.language)}
{_colours(deck)}
{(FOLDER / "deck.css").read_text(encoding="utf-8").strip()}
</style>
</head>
<body>
{body}
<script>
{(FOLDER / "deck.js").read_text(encoding="utf-8").strip()}
</script>
</body>
</html>
""".encode()


def mark(data: bytes) -> str:
    """The digests in the page's keywords."""
    found = re.search(rb'<meta name="keywords" content="([^"]*)">', data)
    return unescape(found[1].decode("utf-8", errors="replace")) if found else ""


def _colours(deck: Deck) -> str:
    theme = deck.theme
    named = {"ground": theme.ground, "text": theme.text, "note": theme.note, "line": theme.guide}
    named |= {role: theme.role(role) for role in LEGEND}
    scheme = "dark" if theme.name == "dark" else "light"
    rules = "; ".join(f"--{name}: {colour}" for name, colour in named.items())
    return f":root {{ color-scheme: {scheme}; {rules}; }}"


def _part(part: Part, deck: Deck, numbers: Iterator[int], count: int) -> Iterator[str]:
    """The title slide of a scene and a slide for each beat."""
    words = deck.words
    legend = "".join(f'<li class="{role}">{escape(words[role])}</li>' for role in LEGEND)
    prompt = f'<p class="prompt"><bdi>{escape(part.prompt)}</bdi></p>\n' if part.prompt else ""
    yield (
        f"{_opening(part.name, 'title', part, part.title, deck, next(numbers), count)}\n"
        f"<h2><bdi>{escape(part.title)}</bdi></h2>\n{prompt}"
        f'<p class="model">{escape(words["model"].format(part.model))}</p>\n'
        f'<ul class="legend">{legend}</ul>\n</section>'
    )
    for slide in part.slides:
        identity = f"{part.name}-{slide.name}"
        yield (
            f"{_opening(identity, 'beat', part, slide.title, deck, next(numbers), count)}\n"
            f"<h2><bdi>{escape(slide.title)}</bdi></h2>\n"
            f'<div class="picture">\n'
            f'<img src="data:image/png;base64,{_base64(slide.still)}" alt="{escape(slide.seen or slide.title)}">\n'
            f'<video muted playsinline preload="auto" tabindex="-1" aria-label="{escape(slide.title)}"></video>\n'
            f'<script type="text/plain">{_base64(slide.clip)}</script>\n</div>\n'
            f'<div class="said">{"".join(f"<p><bdi>{escape(line)}</bdi></p>" for line in slide.said)}</div>\n'
            f"{_notes(slide, deck)}\n</section>"
        )


def _opening(identity: str, kind: str, part: Part, title: str, deck: Deck, number: int, count: int) -> str:
    role, label = SLIDE_WORDS[deck.language][0], escape(f"{title} ({number} / {count})")
    attributes = f'id="{escape(identity)}" class="slide {kind}" role="group" tabindex="-1"'
    room = part.room
    style = f"--share: {room.share}; --size: {room.size}; --left: {room.left}; --top: {room.top}"
    return f'<section {attributes} style="{style}" aria-roledescription="{role}" aria-label="{label}">'


def _notes(slide: Slide, deck: Deck) -> str:
    words = deck.words
    seen = f"<p><bdi>{escape(words['seen'].format(slide.seen))}</bdi></p>" if slide.seen else ""
    told = "".join(_block(each, words["colon"].strip()) for each in slide.notes)
    return f'<div class="notes" role="note" tabindex="0" aria-label="{words["notes"]}">{seen}{told}</div>'


def _block(block: Block, colon: str) -> str:
    if isinstance(block, str):
        return f"<p><bdi>{escape(block)}</bdi></p>"
    head, *cells = (f'<th scope="col">{escape(each)}</th>' for each in block.head)
    rows = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>{"".join(f"<td>{escape(each)}</td>" for each in row[1:])}</tr>'
        for row in block.rows
    )
    return f"<table><caption>{escape(block.title)}{colon}</caption><tr>{head}{''.join(cells)}</tr>{rows}</table>"


def _bar(deck: Deck, count: int) -> str:
    """The buttons and where one is."""
    language = deck.language
    _, controls, following = SLIDE_WORDS[language]
    buttons = "".join(
        f'<button type="button" id="{name}" aria-label="{words[language]}" title="{words[language]} ({key})">'
        f'<svg viewBox="0 0 24 24" aria-hidden="true"><path d="{outline}"/></svg></button>'
        for name, words, key, outline in BUTTONS
    )
    return (
        f'<nav id="bar" aria-label="{controls}" data-next="{following}" hidden>{buttons}'
        f'<span id="place">1 / {count}</span></nav>'
    )


def _base64(path: Path) -> str:
    return base64.b64encode(path.read_bytes()).decode()
