"""`render --compare`: two models side by side, and what differs in colour."""

import json
import shutil
from pathlib import Path

import av
import numpy as np
import pytest

import cli
from pipeline.publish.ledger import read_ledger
from pipeline.publish.side_by_side import HOLD, changed_cells
from pipeline.publish.texts import altered_texts
from scenes.kit.theme import THEMES

WIDTH, HEIGHT, RATE = 854, 480, 15


@pytest.fixture(scope="module")
def compared(tmp_path_factory, small_model):
    from tests.pipeline.conftest import Checkout, changed_copy

    folder = tmp_path_factory.mktemp("compared")
    changed_copy(small_model, folder / "other")
    checkout = Checkout(folder, small_model)
    done = checkout.render("--compare", "other", "--beat", "weight", "--quiet")
    assert done.returncode == 0, done.stderr
    return checkout, Path(done.stdout.strip())


def frames(path: Path) -> list[np.ndarray]:
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def beside(video: Path, ending: str) -> Path:
    return video.with_name(video.name.removesuffix(".mp4") + ending)


def test_the_set_of_files_and_the_two_ledgers(compared):
    checkout, video = compared
    assert "-vs-other-" in video.name
    stem = checkout.folder / beside(video, "")
    endings = (".a.numbers.json", ".b.numbers.json", ".chapters.vtt", ".mp4", ".png")
    said = (f".{each}.{kind}" for each in ("en", "zh") for kind in ("transcript.md", "vtt"))
    assert sorted(path.name for path in stem.parent.iterdir()) == sorted(
        f"{stem.name}{ending}" for ending in (*endings, *said)
    )
    ledgers = [json.loads(Path(f"{stem}.{letter}.numbers.json").read_text()) for letter in "ab"]
    assert [ledger["numbers"][0]["text"] for ledger in ledgers] == ["−0.02", "0.98"]
    done = checkout.run("verify", f"{stem}.a.numbers.json", f"{stem}.b.numbers.json")
    assert (done.returncode, done.stdout.count("identical")) == (0, 2)
    with av.open(f"{stem}.mp4") as container:
        assert all(ledger["digest"] in container.metadata["description"] for ledger in ledgers)


def test_the_video_is_verified_by_its_own_name_on_both_sides(compared, tmp_path, monkeypatch, capsys):
    checkout, video = compared
    shutil.copytree((checkout.folder / video).parent, tmp_path / "there")
    copy = tmp_path / "there" / video.name
    monkeypatch.chdir(checkout.folder)
    assert cli.main(["verify", str(copy)]) == 0
    assert capsys.readouterr().out.count("identical") == 2
    with av.open(str(checkout.folder / video)) as read, av.open(str(copy), "w") as written:
        stream = written.add_stream_from_template(read.streams.video[0])
        for packet in read.demux(video=0):
            if packet.dts is not None:
                packet.stream = stream
                written.mux(packet)
    assert cli.main(["verify", str(copy)]) == 3
    assert capsys.readouterr().out.count(f"does not match: {copy.name}: shown digest none") == 2


@pytest.mark.parametrize("language", ["en", "zh"])
def test_both_sides_are_told_and_either_ledger_finds_a_changed_text(compared, tmp_path, language):
    checkout, video = compared
    stem = checkout.folder / beside(video, "")
    name = f"{stem.name}.{language}.transcript.md"
    text = stem.with_name(name).read_text()
    titles = [line for line in text.splitlines() if line.startswith("# ")]
    assert len(set(titles)) == 2
    assert text.index("−0.02") < text.index(titles[1]) < text.index("0.98")
    (tmp_path / name).write_text(text)
    ledgers = [stem.with_name(f"{stem.name}.{letter}.numbers.json") for letter in "ab"]

    def found() -> list[str]:
        return [each.where for path in ledgers for each in altered_texts(tmp_path / path.name, read_ledger(path))]

    assert found() == []
    (tmp_path / name).write_text(text.replace("0.98", "0.99"))
    assert found() == [name, name]


def test_both_play_then_rest_with_the_changed_cell_in_colour(compared):
    checkout, video = compared
    stem = checkout.folder / beside(video, "")
    ledger = json.loads(Path(f"{stem}.a.numbers.json").read_text())
    seen = frames(checkout.folder / video)
    assert seen[0].shape == (HEIGHT, WIDTH, 3)
    assert len(seen) == ledger["render"]["frames"] + round(HOLD * RATE)
    before, after = seen[-round(HOLD * RATE) - 1].astype(int), seen[-1].astype(int)
    touched = np.argwhere(np.abs(after - before).max(axis=2) > 40)
    left, top, right, bottom = ledger["numbers"][0]["box"]
    scale, offset = WIDTH / 2 / 16, (HEIGHT - round(WIDTH / 2 * 9 / 16)) // 2
    # One frame on either side, around the number and nowhere else.
    for side in (0, WIDTH // 2):
        own = touched[(touched[:, 1] >= side) & (touched[:, 1] < side + WIDTH // 2)]
        (high, near), (low, far) = own.min(axis=0), own.max(axis=0)
        assert abs(high - (offset + top * scale)) < 5
        assert abs(low - (offset + bottom * scale)) < 5
        # The texts of the two sides are of another length, their middle is the same.
        assert abs((near + far) / 2 - (side + (left + right) / 2 * scale)) < 5
    orange = np.array([int(THEMES["dark"].role("delta")[place : place + 2], 16) for place in (1, 3, 5)])
    assert min(np.abs(after[y, x] - orange).max() for y, x in touched) < 40


def test_the_captions_follow_the_common_time(compared):
    checkout, video = compared
    chapters = (checkout.folder / beside(video, ".chapters.vtt")).read_text().splitlines()
    seconds = len(frames(checkout.folder / video)) / RATE
    assert [line for line in chapters if "-->" in line] == [f"00:00:00.000 --> 00:00:{seconds:06.3f}"]


def test_the_same_model_and_none_are_refused_before_anything_is_drawn(compared, small_catalogue, monkeypatch, capsys):
    checkout, _ = compared
    before = checkout.files()
    monkeypatch.chdir(checkout.folder)
    monkeypatch.setattr("pipeline.publish.comparison.make", lambda *_: pytest.fail("it was drawn"))
    words = ["render", "tiny", "--model", str(checkout.model), "--quiet", "--compare"]
    assert cli.main([*words, str(checkout.model)]) == 2
    assert "it is the same model; name another model" in capsys.readouterr().err
    assert cli.main([*words, "no-such-model"]) == 2
    assert checkout.files() == before


def row(text: str, value: float, **more: object) -> dict[str, object]:
    usual = {"beat": "b", "time_out": 2.0, "address": "n[i=1]", "expression": None, "box": (1, 2, 3, 4)}
    return usual | {"text": text, "hex": value.hex()} | more


def marks(one: list[dict[str, object]], two: list[dict[str, object]]) -> list[tuple[int, bool, bool]]:
    records = [{"beats": [{"name": "b", "end": 2.0}], "numbers": rows} for rows in (one, two)]
    return [(mark.step, mark.boxes[0] is not None, mark.boxes[1] is not None) for mark in changed_cells(records, "b")]


def test_which_cells_count_as_changed():
    assert marks([row("0.10", 0.101)], [row("0.10", 0.104)]) == []
    assert marks([row("0.10", 0.104)], [row("0.11", 0.106)]) == [(0, True, True)]
    assert marks([row("0.10", 0.1)], [row("0.30", 0.3)]) == [(1, True, True)]
    assert marks([row("0.10", 0.1)], [row("0.90", 0.9)]) == [(2, True, True)]
    assert marks([row("0.10", 0.1)], []) == [(0, True, False)]
    # What has left the screen before the beat's end is not on the picture that is coloured.
    assert marks([row("0.10", 0.1, time_out=1.0)], [row("0.90", 0.9, time_out=1.0)]) == []
    assert marks([row("−∞", -np.inf)], [row("−∞", -np.inf)]) == []


def test_the_same_place_of_another_vocabulary_is_another_number():
    one, two = (row("0.10", 0.1, address=f"probabilities[vocab={word}]") for word in ("blue", "red"))
    assert sorted(marks([one], [two])) == [(0, False, True), (0, True, False)]
