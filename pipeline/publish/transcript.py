"""The video as text, for those who read rather than watch (WCAG 1.2.1): what is said, what is seen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

WORDS = {
    "en": {
        "sentence": "Sentence",
        "model": "Model",
        "digest": "Digest of the numbers",
        "seen": "On screen",
        "numbers": "Numbers that are named",
        "shown": "Numbers shown in this beat: {shown}; `{ledger}` lists each with its place and exact value.",
        "is": "{address} is shown as {text}",
    },
    "zh": {
        "sentence": "句子",
        "model": "模型",
        "digest": "数值摘要",
        "seen": "画面",
        "numbers": "提到的数值",
        "shown": "这一段共显示 {shown} 个数值；`{ledger}` 列出每个数值的位置与精确值。",
        "is": "{address} 显示为 {text}",
    },
}


def transcript(record: Mapping[str, Any], *, language: str, title: str, prompt: str, digest: str, ledger: str) -> str:
    """Markdown in one language. `ledger`: the file name of the numbers beside it."""
    words = WORDS[language]
    lines = [
        f"# {escape(title)}",
        "",
        f"- {words['sentence']}: {escape(prompt)}",
        f"- {words['model']}: {escape(record['model'])}",
        f"- {words['digest']}: `{digest}`",
    ]
    for beat in record["beats"]:
        lines += ["", f"## {_time(beat['start'])} {escape(beat['titles'][language])}", ""]
        lines += [escape(" ".join(line["text"] for line in beat["captions"].get(language, ())))]
        lines += ["", f"*{words['seen']}:* {escape(beat['alt'][language])}"] if beat["alt"].get(language) else []
        quoted = {(each["cell"]["address"], each["text"]): each for each in beat["quoted"]}
        if quoted:
            lines += ["", f"{words['numbers']}:", ""]
            lines += [f"- {words['is'].format(address=_code(address), text=text)}" for address, text in quoted]
        shown = sum(1 for number in record["numbers"] if number["beat"] == beat["name"])
        if shown:
            lines += ["", words["shown"].format(shown=shown, ledger=ledger)]
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """Data as Markdown of one line: no sign of it is taken for markup, and it reads as before."""
    line = re.sub(r"([\\`*\[\]{}<>&$~^@|#]|(?<![^\W_])_|_(?![^\W_]))", r"\\\1", " ".join(text.split()))
    return re.sub(r"^([-+=:])|^(\d+)([.)])", lambda found: f"{found[2] or ''}\\{found[1] or found[3]}", line)


def _code(text: str) -> str:
    """Data as code, between more backticks than it has."""
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{ticks} {text} {ticks}" if len(ticks) > 1 else f"{ticks}{text}{ticks}"


def _time(seconds: float) -> str:
    whole = round(seconds * 1000) // 1000
    return f"{whole // 60}:{whole % 60:02d}"
