"""The video as text, for those who read rather than watch (WCAG 1.2.1): what is said, what is seen, the numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.publish.sentences import Told, tell
from pipeline.publish.sentences._table import Table

ENDING = ".transcript.md"
WORDS = {
    "en": {
        "sentence": "Sentence: {}",
        "model": "Model: {}",
        "digest": "Digest of the numbers: {}",
        "ledger": "Every number with its place and exact value: {}",
        "colon": ": ",
        "said": "Captions",
        "seen": "On screen",
        "numbers": "The numbers",
        "counted": "Not written out here: {}.",
        "of": "{count} of {symbol}",
        "again": "Also on screen, told in an earlier part: {count} {numbers}.",
        "drawn": "Drawn without digits: {}.",
    },
    "zh": {
        "sentence": "句子：{}",
        "model": "模型：{}",
        "digest": "数值摘要：{}",
        "ledger": "每个数值的位置与精确值：{}",
        "colon": "：",
        "said": "字幕",
        "seen": "画面",
        "numbers": "数值",
        "counted": "没有在这里逐个写出：{}。",
        "of": "{symbol} 的 {count} 个数",
        "again": "画面上还有前面已经写过的 {count} 个数。",
        "drawn": "只画出、不写数字的：{}。",
    },
}
CHANNELS = {
    "shade": ("{} as shades", "用深浅 {} 个"),
    "opacity": ("{} as tones", "用浓淡 {} 个"),
    "area": ("{} as the area of a dot", "用点的面积 {} 个"),
    "width": ("{} as the width of a line", "用线的粗细 {} 个"),
    "length": ("{} as the length of a bar or arrow", "用长短 {} 个"),
    "height": ("{} as a height", "用高低 {} 个"),
    "position": ("{} as a place along an axis", "用轴上的位置 {} 个"),
}


def transcripts(data: Mapping[str, Any], *, ledger: str) -> dict[str, str]:
    """The transcripts of a video, by what follows its stem: `.en.transcript.md`, `.zh.transcript.md`.

    `data`: its ledger; `ledger`: the file name of that. A language is there where every beat has captions in it.
    """
    spoken = [set(beat["captions"]) for beat in data["beats"]]
    languages = sorted(set.intersection(*spoken)) if spoken else []
    return {f".{each}{ENDING}": transcript(data, language=each, ledger=ledger) for each in languages}


def transcript(data: Mapping[str, Any], *, language: str, ledger: str) -> str:
    """Markdown in one language, made from a ledger and nothing else."""
    words = WORDS[language]
    lines = [
        f"# {escape(data['titles'][language])}",
        "",
        f"- {words['sentence'].format(escape(data['trace']['prompt']))}",
        f"- {words['model'].format(escape(data['model']['name']))}",
        f"- {words['digest'].format(_code(data['digest']))}",
        f"- {words['ledger'].format(_code(ledger))}",
    ]
    told = tell(data, language)
    for beat in data["beats"]:
        lines += ["", f"## {_time(beat['start'])} {escape(beat['titles'][language])}"]
        said = ("" if language == "zh" else " ").join(line["text"] for line in beat["captions"][language])
        for what, text in (("said", said), ("seen", beat["alt"].get(language, ""))):
            lines += ["", f"*{words[what]}*{words['colon']}{_inside(text)}"] if text else []
        lines += _numbers(told[beat["name"]], language)
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """Data as Markdown of one line: no sign of it is taken for markup, and it reads as before."""
    line = _inside(text)
    return re.sub(r"^([-+=:])|^(\d+)([.)])", lambda found: f"{found[2] or ''}\\{found[1] or found[3]}", line)


def _inside(text: str) -> str:
    """As `escape`, for what does not stand at the beginning of a line or list entry."""
    return re.sub(r"([\\`*\[\]{}<>&$~^@|#]|(?<![^\W_])_|_(?![^\W_]))", r"\\\1", " ".join(text.split()))


def _numbers(told: Told, language: str) -> Iterator[str]:
    words, place = WORDS[language], ("en", "zh").index(language)
    if told.blocks:
        yield from ("", f"*{words['numbers']}*{words['colon'].strip()}", "")
    listed = False
    for number, block in enumerate(told.blocks):
        if isinstance(block, Table):
            yield from _table(block, first=number == 0, language=language)
        else:
            yield from [""] if number and not listed else []
            yield f"- {escape(block)}"
        listed = not isinstance(block, Table)
    rest = []
    separator = ", " if language == "en" else "、"
    if told.counted:
        parts = (words["of"].format(count=count, symbol=symbol) for symbol, count in told.counted.items())
        rest.append(words["counted"].format(separator.join(parts)))
    if told.again:
        rest.append(words["again"].format(count=told.again, numbers="number" if told.again == 1 else "numbers"))
    if told.drawn:
        parts = (CHANNELS.get(each, (f"{{}} as {each}", f"用 {each} {{}} 个"))[place] for each in told.drawn)
        drawn = (part.format(count) for part, count in zip(parts, told.drawn.values(), strict=True))
        rest.append(words["drawn"].format(separator.join(drawn)))
    if rest:
        yield from ("", escape(("" if language == "zh" else " ").join(rest)))


def _table(table: Table, *, first: bool, language: str) -> Iterator[str]:
    yield from [] if first else [""]
    yield escape(table.title) + WORDS[language]["colon"].strip()
    yield ""
    for number, row in enumerate((table.head, *table.rows)):
        yield f"| {' | '.join(map(_inside, row))} |"
        if number == 0:
            yield f"|{' :-- |' + ' --: |' * (len(row) - 1)}"


def _code(text: str) -> str:
    """Data as code, between more backticks than it has."""
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{ticks} {text} {ticks}" if len(ticks) > 1 else f"{ticks}{text}{ticks}"


def _time(seconds: float) -> str:
    whole = round(seconds * 1000) // 1000
    return f"{whole // 60}:{whole % 60:02d}"
