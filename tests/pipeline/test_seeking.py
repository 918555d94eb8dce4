"""A browser plays the video to its end, and shows the right frame for any time that it is sent to.

Chromium decodes H.264 with libavcodec's code, so it is no second decoder; what it judges is how a player finds its
way in the file: times, key frames, durations.
"""

import base64

import av
import numpy as np
import pytest

from tests.played_video import RATE, SIZE, drawn, write_video

STEPS = (0, 1, 19, 20, 21, 170, 319, 320, 321, 330, 354, 355, 400, 443, 444, 445, 446, 500, 450, 446, 330, 20, 0)
"""Frames to go to, in this order: into motions, into rests, across key frames, back again."""
PLAYER = """
async ({data, times, width, height}) => {
  const video = document.createElement('video');
  video.muted = true;
  const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
  video.src = URL.createObjectURL(new Blob([bytes], {type: 'video/mp4'}));
  const happens = (name) => new Promise((done, failed) => {
    video.addEventListener(name, done, {once: true});
    video.addEventListener('error', () => failed(video.error.message), {once: true});
  });
  await happens('canplaythrough');
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', {willReadFrequently: true});
  const shown = [];
  for (const time of times) {
    const sought = happens('seeked');
    video.currentTime = time;
    await sought;
    context.drawImage(video, 0, 0);
    const pixels = context.getImageData(0, 0, width, height).data;
    const grey = new Uint8Array(width * height);
    for (let i = 0; i < grey.length; i++)
      grey[i] = 0.2126 * pixels[4 * i] + 0.7152 * pixels[4 * i + 1] + 0.0722 * pixels[4 * i + 2] + 0.5;
    shown.push(btoa(String.fromCharCode(...grey)));
  }
  video.currentTime = video.duration - 1.5;
  await happens('seeked');
  const ended = happens('ended');
  await video.play();
  await ended;
  return {shown, duration: video.duration, end: video.currentTime, width: video.videoWidth};
}
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory, browser):
    video = write_video(tmp_path_factory.mktemp("played"))
    given = {
        "data": base64.b64encode(video.read_bytes()).decode(),
        "times": [(number + 0.5) / RATE for number in STEPS],
        "width": SIZE[0],
        "height": SIZE[1],
    }
    page = browser.new_page()
    told = page.evaluate(PLAYER, given)
    page.close()
    with av.open(str(video)) as container:
        planes = (frame.to_ndarray(format="yuv420p") for frame in container.decode(video=0))
        decoded = [each[: SIZE[1]].astype(float) for each in planes]
    return told, decoded


def test_it_plays_to_its_end(played):
    told, decoded = played
    assert len(decoded) == len(drawn())
    assert told["width"] == SIZE[0]
    assert told["duration"] == pytest.approx(len(decoded) / RATE, abs=0.002)
    assert told["end"] == pytest.approx(told["duration"], abs=0.002)


def test_every_time_shows_its_frame(played):
    told, decoded = played
    levels = [(each - 16) * 255 / 219 for each in decoded]
    for number, data in zip(STEPS, told["shown"], strict=True):
        seen = np.frombuffer(base64.b64decode(data), np.uint8).astype(float)
        apart = [np.abs(seen - frame.reshape(-1)).mean() for frame in levels]
        assert apart[number] < 0.3, f"frame {number}"
        assert apart[number] <= min(apart) + 0.01, f"frame {number} looks like frame {int(np.argmin(apart))}"
