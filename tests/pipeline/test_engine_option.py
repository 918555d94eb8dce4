"""`--engine stock`: another renderer draws, and everything else is the same."""

import json

import av
import numpy as np


def outcome(checkout, engine):
    done = checkout.render("--engine", engine, "--json", "-o", f"{engine}/")
    assert done.returncode == 0, done.stderr
    [told] = json.loads(done.stdout)
    video = checkout.folder / told["video"]
    with av.open(str(video)) as container:
        frames = [frame.to_ndarray(format="gray").astype(int) for frame in container.decode(video=0)]
    ledger = json.loads(video.with_suffix(".numbers.json").read_text())
    del ledger["command"]
    beside = {
        path.name: path.read_bytes()
        for path in sorted(video.parent.iterdir())
        if path.suffix in (".vtt", ".png", ".md")
    }
    return told, frames, ledger, beside


def test_both_engines_publish_the_same(checkout):
    fast, stock = outcome(checkout, "fast"), outcome(checkout, "stock")
    assert (fast[0]["engine"], stock[0]["engine"]) == ("fast", "stock")
    assert fast[0]["frames"] == stock[0]["frames"] == len(fast[1]) == len(stock[1])
    # The pictures are the same (tests/truth); a picture that the fast engine repeats, the encoder makes anew for stock.
    apart = [np.abs(one - other) for one, other in zip(fast[1], stock[1], strict=True)]
    assert max(each.mean() for each in apart) < 0.3
    assert fast[2:] == stock[2:]
    assert fast[2]["numbers"]


def test_another_engine_is_refused(checkout):
    done = checkout.render("--engine", "skia")
    assert done.returncode == 2
    assert "'fast', 'stock'" in done.stderr
