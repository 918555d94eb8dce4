"""The scene that CONTRIBUTING.md builds is a scene: its two files, as printed there, run through the audit."""

import importlib
import re
import sys
from pathlib import Path

import pytest
from manim import tempconfig

from pipeline.publish.audit import audit
from scenes.kit.brief import SceneBrief
from tests.every_layout import SETTINGS
from transformer_core.capture import capture
from transformer_core.sources import load_model

PAGE = (Path(__file__).resolve().parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")


@pytest.fixture
def share(tmp_path, monkeypatch):
    for kind, ending in (("python", "py"), ("toml", "toml")):
        (block,) = re.findall(rf"```{kind}\n(.*?)```", PAGE, flags=re.DOTALL)
        (tmp_path / f"share_of_the_page.{ending}").write_text(block, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("share_of_the_page").Share
    del sys.modules["share_of_the_page"]


@pytest.mark.parametrize(("layout", "language"), [("columns", "en"), ("rows", "zh")])
def test_the_scene_of_the_page_runs(share, layout, language, tmp_path):
    model = load_model("glass")
    trace = capture(model, model.card["default_prompt"][language], cut=(0, 0))
    with tempconfig(SETTINGS | {"media_dir": str(tmp_path)}):
        scene = share(SceneBrief(trace, layout=layout, language=language, stills=True), after_beat=audit)
        scene.render()
    assert scene.record.findings == ()
    assert [beat.name for beat in scene.record.beats] == ["tokens", "shares"]
    shown = {number.name for number in scene.record.numbers}
    assert shown == {"blocks.0.attn.pattern"}
