"""A scene's film, cut into its beats: packets are copied as they are, since every beat begins with a key frame."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from transformer_core.errors import CheckFailed


@dataclass(frozen=True)
class Stretch:
    """A beat of a film: its name, its title, when it begins and ends in seconds."""

    name: str
    title: str
    start: float
    end: float


def write_clips(
    film: Path, stretches: Sequence[Stretch], folder: Path, *, frames_per_second: int, metadata: Mapping[str, str]
) -> None:
    """Write `NAME.mp4` of each stretch into the folder, which is made; `metadata` gets each one's title.

    Raises CheckFailed where a stretch has no frame or does not begin with a key frame.
    """
    import av

    folder.mkdir()
    with av.open(str(film)) as read:
        origin = read.streams.video[0]
        frames = _frames(read, origin, frames_per_second)
        packet = next(frames, None)
        for stretch in stretches:
            first, last = (round(time * frames_per_second) for time in (stretch.start, stretch.end))
            path = folder / f"{stretch.name}.mp4"
            with av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"}) as write:
                write.metadata.update({**metadata, "title": stretch.title})
                stream = write.add_stream_from_template(origin)
                if packet is None or packet[0] != first or not packet[1].is_keyframe:
                    raise CheckFailed(stretch.name, f"the film has no key frame {first} to begin it with")
                start = packet[1].pts
                while packet is not None and packet[0] < last:
                    each = packet[1]
                    each.stream = stream
                    each.pts, each.dts = each.pts - start, each.dts - start
                    write.mux(each)
                    packet = next(frames, None)


def _frames(read: Any, origin: Any, frames_per_second: int) -> Iterator[tuple[int, Any]]:
    """The packets of a film, each with its frame's number from 0."""
    for packet in read.demux(origin):
        if packet.pts is not None:
            yield round(packet.pts * packet.time_base * frames_per_second), packet
