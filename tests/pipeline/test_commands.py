"""The commands, on a tiny scene and model: what they publish, print and refuse."""

import csv
import io
import json
import os

import av
import numpy as np
import pytest

from pipeline.publish.ledger import SCHEMA
from tests.pipeline.test_encoder import SWATCH_TOLERANCE, WEIGHT, decode_bt709


def published(done) -> str:
    """The stem of the one published video."""
    assert (done.returncode, done.stdout.count("\n")) == (0, 1), done.stderr
    return done.stdout.strip().removesuffix(".mp4")


@pytest.fixture(scope="module")
def rendered(tmp_path_factory, small_model):
    from tests.pipeline.conftest import Checkout

    checkout = Checkout(tmp_path_factory.mktemp("it's a {folder}"), small_model)
    done = checkout.render()
    return checkout, done, checkout.folder / published(done)


def test_the_set_of_files(rendered):
    checkout, done, stem = rendered
    name = stem.name
    assert name.startswith("tiny-small-")
    assert name.endswith(".en.draft")
    said = [f".{each}.{kind}" for each in ("en", "zh") for kind in ("srt", "transcript.md", "vtt")]
    endings = sorted([*said, ".chapters.vtt", ".mp4", ".numbers.json", ".png"])
    assert checkout.files() == ["media", "media/tiny", *(f"media/tiny/{name}{ending}" for ending in endings)]
    assert done.stderr.splitlines()[0] == "tiny.en: beat 1/3 weight, 0 frames so far"


def test_the_video(rendered):
    _, _, stem = rendered
    ledger = json.loads(stem.with_name(stem.name + ".numbers.json").read_text())
    with av.open(f"{stem}.mp4") as container:
        video = container.streams.video[0]
        frames = list(container.decode(video))
        assert (video.width, video.height, video.average_rate) == (854, 480, 15)
        assert video.codec_context.colorspace == 1
        assert container.metadata["title"] == "Tiny — a blue creature"
        assert container.metadata["description"] == f"numbers sha256:{ledger['digest']}"
        assert [chapter["metadata"]["title"] for chapter in container.chapters()] == [
            "A weight",
            "A share",
            "The end",
        ]
    assert len(frames) == ledger["render"]["frames"] == round(15 * ledger["duration"])
    shown = decode_bt709(frames[-1], 212, 212)
    assert max(abs(a - b) for a, b in zip(shown, WEIGHT, strict=True)) <= SWATCH_TOLERANCE


def test_the_ledger_keeps_to_its_schema(rendered):
    _, _, stem = rendered
    data = json.loads(stem.with_name(stem.name + ".numbers.json").read_text())
    schema = json.loads(SCHEMA.read_text())
    assert set(data) <= set(schema["properties"])
    assert set(schema["required"]) <= set(data)
    for key, kind in (("numbers", "number"), ("quoted", "quoted"), ("beats", "beat")):
        form = schema["$defs"][kind]
        assert data[key]
        for row in data[key]:
            assert set(form["required"]) <= set(row) <= set(form["properties"])
    assert {row["text"] for row in data["numbers"]} == {"−0.02", "0.42"}


def test_verify_finds_every_change(rendered, tmp_path, small_model, monkeypatch, capsys):
    import cli

    checkout, _, stem = rendered
    path = tmp_path / "x.numbers.json"
    kept = stem.with_name(stem.name + ".numbers.json").read_text()
    monkeypatch.chdir(checkout.folder)

    def verdict(text: str) -> tuple[int, str]:
        path.write_text(text)
        code = cli.main(["verify", str(path)])
        return code, capsys.readouterr().out

    assert verdict(kept) == (0, "x: identical: all 7 numbers match\n")
    code, words = verdict(kept.replace('"text": "0.42"', '"text": "0.43"', 1))
    assert (code, words) == (
        3,
        "x: does not match: L1.H1.pattern[query=creature, key=a]: shown 0.43, now 0.41998936577164\n",
    ) or (code == 3 and "L1.H1.pattern[query=creature, key=a]: shown 0.43, now 0.4" in words)
    data = json.loads(kept)
    data["numbers"][0]["hex"] = float(np.nextafter(float.fromhex(data["numbers"][0]["hex"]), 1)).hex()
    code, words = verdict(json.dumps(data))
    assert code == 3
    assert "L1.H1.W_Q[d_model=1, d_head=1]" in words
    data = json.loads(kept)
    data["numbers"][2]["index"]["key"] = 1
    assert verdict(json.dumps(data))[0] == 3
    data = json.loads(kept)
    data["digest"] = "0" * 64
    code, words = verdict(json.dumps(data))
    assert (code, words) == (0, "x: all 7 numbers match at every shown digit, largest difference 0\n")


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data["numbers"].pop(),
        lambda data: data.update(numbers=[], encodings=[], quoted=[]),
        lambda data: data["numbers"][0].update(kind="masked"),
        lambda data: data["numbers"][0].update(box=[0, 0, 1, 1]),
        lambda data: data["beats"].pop(),
        lambda data: (data.update(digest="0" * 64), data["numbers"].reverse()),
    ],
    ids=["a number", "all numbers", "a kind", "a place", "a beat", "the order"],
)
def test_verify_finds_rows_that_were_changed_or_removed(rendered, tmp_path, monkeypatch, capsys, change):
    import cli

    checkout, _, stem = rendered
    monkeypatch.chdir(checkout.folder)
    data = json.loads(stem.with_name(stem.name + ".numbers.json").read_text())
    change(data)
    (tmp_path / "x.numbers.json").write_text(json.dumps(data))
    assert cli.main(["verify", str(tmp_path / "x.numbers.json")]) == 3
    assert "x: does not match: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"numbers": None}, "numbers is no array"),
        ({"numbers": [None]}, "numbers[] is no object"),
        ({"numbers": [{"text": 5}]}, "it lacks numbers[].beat"),
        ({"trace": {}}, "it lacks trace.prompt"),
        ({"model": "small"}, "model is no object"),
        ({"digest": 5}, "digest is no string"),
    ],
)
def test_a_ledger_of_another_form_is_refused(rendered, tmp_path, capsys, changed, why):
    import cli

    _, _, stem = rendered
    data = json.loads(stem.with_name(stem.name + ".numbers.json").read_text())
    path = tmp_path / "x.numbers.json"
    path.write_text(json.dumps(data | changed))
    assert cli.main(["verify", str(path)]) == 2
    assert capsys.readouterr().err == f"error: {path}: {why}; render it again\n"


def test_verify_finds_other_weights(rendered, tmp_path, small_model, monkeypatch, capsys):
    import cli
    from transformer_core.model import Transformer
    from transformer_core.sources.bundled import load_folder, save_folder

    _, _, stem = rendered
    loaded = load_folder(small_model)
    weights = {name: weight.clone() for name, weight in loaded.model.weights.items()}
    weights["blocks.0.attn.W_Q"][0, 0, 0] += 0.01
    changed = Transformer(loaded.model.config, weights)
    save_folder(tmp_path / "small", changed, loaded.tokenizer, card=dict(loaded.card))
    assert cli.main(["verify", f"{stem}.mp4", "--model", str(tmp_path / "small")]) == 3
    assert "L1.H1.W_Q[d_model=1, d_head=1]: shown −0.02, now −0.01" in capsys.readouterr().out
    assert cli.main(["verify", f"{stem}.mp4", "--model", "gone"]) == 2
    assert cli.main(["verify", str(tmp_path / "nothing")]) == 2


def test_numbers_as_a_table(small_model, small_catalogue, capsys):
    import cli

    assert cli.main(["numbers", "tiny", "--model", str(small_model), "--format", "csv", "--quiet"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["text"] for row in rows] == ["−0.02", "−0.02", "0.42", "−0.02", "0.42"]
    assert float(rows[0]["value"]) == -0.02
    assert (rows[2]["query"], rows[2]["key"], rows[2]["head"]) == ("2", "0", "0")


def test_sheet(small_model, small_catalogue, capsys, tmp_path, monkeypatch):
    from PIL import Image

    import cli

    monkeypatch.chdir(tmp_path)
    assert cli.main(["sheet", "tiny", "--model", str(small_model), "--lang", "zh", "-o", "page.png", "--quiet"]) == 0
    assert capsys.readouterr().out == "page.png\n"
    assert os.listdir() == ["page.png"]
    with Image.open("page.png") as page:
        assert page.size == (3 * 870 + 16, 524 + 16)
    assert cli.main(["sheet", "tiny", "--model", str(small_model), "-o", "new/", "--quiet"]) == 0
    [page] = os.listdir("new")
    assert capsys.readouterr().out == f"new/{page}\n"
    assert page.startswith("tiny-small-")
    assert page.endswith(".en.sheet.png")


def test_trace(small_model, tmp_path, monkeypatch, capsys):
    import cli
    from transformer_core.trace import Trace

    monkeypatch.chdir(tmp_path)
    assert cli.main(["trace", "the red dragon", "--model", str(small_model), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert Trace.load(told["file"]).digest == told["digest"]
    for output in ("new/", "new"):
        assert cli.main(["trace", "the red dragon", "--model", str(small_model), "-o", output]) == 0
        assert capsys.readouterr().out == f"new/small-{told['digest'][:12]}.safetensors\n"


def test_one_beat_another_query_and_name(checkout):
    done = checkout.render("--beat", "share", "--query", "blue", "-o", "out/one.mp4", "--json")
    [told] = json.loads(done.stdout)
    assert told["video"] == "out/one.mp4"
    with av.open(str(checkout.folder / "out" / "one.mp4")) as container:
        assert sum(1 for _ in container.decode(video=0)) == told["frames"] == round(15 * told["seconds"])
        assert len(container.chapters()) == 1
    ledger = json.loads((checkout.folder / "out" / "one.numbers.json").read_text())
    assert ledger["render"]["query"] == 2
    assert ledger["beats"][0]["start"] == 0
    assert "query=blue" in ledger["quoted"][0]["address"]


REFUSED = {
    "scene": (["render", "tinny"], "scene 'tinny': there is none of this name; did you mean 'tiny'?"),
    "model": (["render", "tiny", "--model", "nowhere"], "model 'nowhere': there is no such model"),
    "beat": (
        ["render", "tiny", "--beat", "shar"],
        "beat of tiny 'shar': there is none of this name; did you mean 'share'?",
    ),
    "head": (["render", "tiny", "--head", "3"], "head 3: small has 2 heads; give 1 to 2"),
    "layer": (["render", "tiny", "--layer", "9"], "layer 9: small has 2 layers; give 1 to 2"),
    "layer zero": (["render", "tiny", "--layer", "0"], "layer 0: a layer counts from 1; try layer 1"),
    "empty prompt": (["render", "tiny", "--prompt", " "], "prompt: it is empty; type at least one word"),
    "word": (["render", "tiny", "--prompt", "a bleu dragon"], "the nearest word it knows is 'blue'"),
    "long prompt": (
        ["render", "tiny", "--prompt", "a blue " * 8 + "dragon"],
        "prompt: it has 17 tokens; give at most 16, so that each can be read",
    ),
    "query": (["render", "tiny", "--query", "dragon"], "token 'dragon': it is not among the prompt's tokens"),
    "query place": (["render", "tiny", "--query", "4"], "place 4: the prompt's tokens are 3; give 1 to 3"),
    "quality": (["render", "tiny", "--quality", "best"], "quality 'best': there is no such quality"),
    "rate": (["render", "tiny", "--fps", "0"], "0 frames per second: out of range; give 1 to 240"),
    "output": (["render", "tiny", "-o", "file/x"], "file: file is a file; name another folder with -o"),
    "one name": (
        ["render", "tiny", "--lang", "en", "--lang", "zh", "-o", "x"],
        "output 'x': several videos cannot have one name; name a folder: x/",
    ),
    "sheet": (["sheet", "tiny", "--theme", "pink"], "'pink' is not one of"),
    "empty model": (["render", "tiny", "--model", ""], "model '': there is no such model"),
    "a folder has the name": (["render", "tiny", "-o", "taken"], "taken.mp4: it is a folder; remove it, or name"),
    "a folder has the sheet's name": (["sheet", "tiny", "-o", "page"], "page.png: it is a folder; remove it"),
    "long name": (["render", "tiny", "-o", "n" * 250], "the name is too long; shorten it"),
    "long folder": (["sheet", "tiny", "-o", f"{'n' * 300}/"], "the name is too long; name another folder with -o"),
    "other ending": (["render", "tiny", "-o", "x.svg"], "output 'x.svg': what is made is .mp4; name it x.mp4"),
    "sheet's ending": (["sheet", "tiny", "-o", "x.jpg"], "output 'x.jpg': what is made is .png; name it x.png"),
    "no name": (["render", "tiny", "-o", ".mp4"], "output '.mp4': that is no file's name; name a file or a folder"),
    "two lines": (["render", "tiny", "-o", "a\nb"], "output 'a\\nb': it has a control character"),
    "empty output": (["trace", "a", "-o", ""], "output '': it is empty; name a file or a folder"),
    "no text": (["render", "tiny", "-o", "\udcff"], "'\\udcff': it cannot be read as text; use UTF-8"),
    "nothing to verify": (["verify", "--all"], "assets: there is no ledger below media/"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_in_one_line_and_nothing_written(case, small_model, small_catalogue, tmp_path, monkeypatch, capsys):
    import cli

    words, line = REFUSED[case]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    for folder in ("page.png", "taken.mp4"):
        (tmp_path / folder).mkdir()
    model = [] if "--model" in words or words[0] == "verify" else ["--model", str(small_model)]
    assert cli.main([*words, *model]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert line in told.err
    assert sorted(os.listdir()) == ["file", "page.png", "taken.mp4"]


def test_a_users_manim_cfg_changes_nothing(rendered, checkout):
    _, _, stem = rendered
    options = ("background_color = RED", "frame_rate = 7", "pixel_width = 100", "media_dir = elsewhere")
    cfg = "\n".join(["[CLI]", *options, "verbosity = DEBUG", ""])
    home = checkout.folder / "home"
    for folder in (home / ".config" / "manim", checkout.folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "manim.cfg").write_text(cfg)
    again = published(checkout.render(HOME=str(home)))

    def pictures(path):
        with av.open(str(path)) as container:
            return [frame.to_ndarray() for frame in container.decode(video=0)]

    one, other = pictures(f"{stem}.mp4"), pictures(checkout.folder / f"{again}.mp4")
    assert len(one) == len(other)
    assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))
    ledgers = [
        (folder / f"{name}.numbers.json").read_text()
        for folder, name in ((stem.parent, stem.name), (checkout.folder, again))
    ]
    assert ledgers[0] == ledgers[1]
    assert not (checkout.folder / "elsewhere").exists()
