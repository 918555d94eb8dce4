"""Every prompt length, asking token, layout, theme and language of a scene through the audit: minutes, not for CI.

python -m tests.every_layout [SCENE …]        # all scenes; a line for each picture that has a finding; exit 1 if any
"""

from __future__ import annotations

import importlib
import itertools
import sys
import tempfile
from collections.abc import Iterator

from manim import tempconfig
from rich.console import Console

from pipeline.catalogue import SceneEntry, catalogue
from pipeline.publish.audit import audit
from scenes.kit.brief import SceneBrief
from transformer_core.capture import capture
from transformer_core.claims import claimed_head
from transformer_core.orders import read_orders
from transformer_core.sources import load_model

PROMPTS = {
    "glass": {
        "en": (
            "creature",
            "blue creature",
            "a fluffy blue creature roamed the forest",
            "a fluffy blue creature roamed the verdant forest",
            "a small white rabbit met a fluffy blue creature and roamed the verdant forest in the",
        ),
        "zh": ("生物", "一位快乐的农夫带着一只小小的白色的兔子", "一只蓬松的蓝色的生物漫步在翠绿的森林里"),
    },
    "relations": {
        "en": (
            "dogs",
            "small dogs",
            "small dogs near the cat sleep because",
            "small dogs near the cat sleep because they dream",
            "small dogs near the cat sleep because they dream while the cat rests near the mice",
        ),
        "zh": ("small dogs", "small dogs near the cat sleep because they dream"),
    },
    "order": {
        "en": (
            "dog",
            "dog bites",
            "dog bites man/man bites dog",
            "today dog bites man and cat sees",
            "yesterday dog bites man and mouse chases cat , girl followed by boy and bird sees",
        ),
        "zh": ("狗", "狗咬人/人咬狗", "今天狗咬人而猫看", "今天狗咬人，猫被狼追而马帮女孩，鸟看"),
    },
}
"""By model and language: sentences of 1 to 16 tokens."""
SETTINGS = {
    "dry_run": True,
    "pixel_width": 160,
    "pixel_height": 90,
    "frame_rate": 15,
    "disable_caching": True,
    "progress_bar": "none",
    "verbosity": "ERROR",
}


def cases(entry: SceneEntry) -> Iterator[tuple[str, str, int, str, str]]:
    """(language, prompt, asking token, layout, theme): every token of the default prompts asks once in each layout."""
    themes = itertools.cycle(("dark", "light", "print"))
    for language, prompts in PROMPTS[entry.default_model].items():
        for prompt in prompts:
            count = len(load_model(entry.default_model).tokenizer.encode(prompt.partition("/")[0]))
            asking = range(count) if count <= 9 and entry.name == "qkv" else {0, count // 2, count - 1}
            if entry.reorders:
                asking = {0}
            for query, layout in itertools.product(sorted(asking), ("columns", "rows")):
                yield language, prompt, query, layout, next(themes)


def findings(entry: SceneEntry, language: str, prompt: str, query: int, layout: str, theme: str) -> list[str]:
    """What the audit has to say about one run of a scene."""
    loaded = load_model(entry.default_model)
    head = claimed_head(loaded.card, entry.default_claim, layer=0)
    sentence, order = read_orders(loaded, prompt) if entry.reorders else (prompt, None)
    trace = capture(loaded, sentence, cut=(0, head), order=order, companions=entry.companions)
    scene_class = getattr(importlib.import_module(entry.module), entry.class_name)
    with tempfile.TemporaryDirectory() as folder, tempconfig(SETTINGS | {"media_dir": folder}):
        brief = SceneBrief(trace, head=head, query=query, language=language, layout=layout, theme=theme, stills=True)
        scene = scene_class(brief, after_beat=audit)
        scene.render()
    return list(scene.record.findings)


def main(names: list[str]) -> int:
    """Run all cases of the named scenes; the number of those with findings decides the exit code."""
    console, failed, total = Console(), 0, 0
    for entry in catalogue():
        if names and entry.name not in names:
            continue
        for case in cases(entry):
            total += 1
            found = findings(entry, *case)
            failed += bool(found)
            for line in found:
                console.print(f"{entry.name} {case}: {line}", markup=False, highlight=False, soft_wrap=True)
    console.print(f"{total} runs, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
