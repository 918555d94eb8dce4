"""A video in a PowerPoint deck: its files, bookmarks and caption tracks, as section 2.2.4 of [MS-PPTX] has them."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pipeline.publish.embeds._asset import Asset, Track

MEDIA_2010 = "http://schemas.microsoft.com/office/powerpoint/2010/main"
TRACKS_2017 = "http://schemas.microsoft.com/office/powerpoint/2017/3/main"
TRACK_RELATION = "http://schemas.microsoft.com/office/2017/04/relationships/track"
TRACKS_EXTENSION = "{3AFAAA56-56D3-431D-BCD4-E75A35582382}"
NOTHING: Mapping[str, str] = MappingProxyType({})
LOCALES = {"en": "en-US", "zh": "zh-CN"}


def replace_movie(slide: Any, movie: Any, asset: Asset) -> None:
    """Video and poster of a picture that is there already; place and size stay."""
    from pptx.media import Video

    pic, part = movie._element, slide.part
    video = Video.from_path_or_file_like(str(asset.video), "video/mp4")
    media, linked = part.get_or_add_video_media_part(video)
    _, poster = part.get_or_add_image_part(str(asset.poster))
    for element, name, relation in (
        (_media(pic), "embed", media),
        (pic.find(f".//{tag('a', 'videoFile')}"), "link", linked),
        (pic.find(f".//{tag('a', 'blip')}"), "embed", poster),
    ):
        point(part, element, name, relation)


def dress(slide: Any, movie: Any, asset: Asset) -> None:
    """Text alternative, a bookmark for each chapter and a track for each language of captions."""
    pic = movie._element
    said = pic.nvPicPr.cNvPr
    said.set("descr", f"{asset.label}. {asset.still}".strip())
    media = _media(pic)
    known, name = _known_tracks(media), movie.name.removeprefix("attention-video ")
    for kind in ("bmkLst", "extLst"):
        for old in media.findall(f"{{{MEDIA_2010}}}{kind}"):
            media.remove(old)
    marks = _child(media, MEDIA_2010, "bmkLst")
    for chapter in asset.chapters:
        mark = {"name": f"{chapter.clock} {chapter.title}", "time": f"{chapter.start * 1000:.0f}"}
        _child(marks, MEDIA_2010, "bmk", mark)
    if asset.tracks:
        extension = _child(_child(media, MEDIA_2010, "extLst"), _namespace("p"), "ext", {"uri": TRACKS_EXTENSION})
        listed = _child(_child(extension, TRACKS_2017, "tracksInfo", {"displayLoc": "media"}), TRACKS_2017, "trackLst")
        for track in asset.tracks:
            identity = f"{{{str(uuid.uuid5(uuid.NAMESPACE_URL, f'{name}.{track.language}')).upper()}}}"
            element = _child(listed, TRACKS_2017, "track", {"id": identity, "label": track.label})
            element.set("lang", LOCALES[track.language])
            element.set(tag("r", "embed"), _filed(slide.part, known.pop(identity, ""), identity, track))
    for relation in known.values():
        if relation in slide.part.rels:
            slide.part.rels.pop(relation)


def _known_tracks(media: Any) -> dict[str, str]:
    """The relation of each track that the picture has, by the track's identity."""
    return {each.get("id"): each.get(tag("r", "embed"), "") for each in media.iter(f"{{{TRACKS_2017}}}track")}


def _filed(part: Any, relation: str, identity: str, track: Track) -> str:
    """The relation of the track's file in the deck: the one that it has, with these bytes, or another."""
    from pptx.opc.package import Part
    from pptx.opc.packuri import PackURI

    data = track.path.read_bytes()
    if relation in part.rels:
        part.related_part(relation)._blob = data
        return relation
    name = PackURI(f"/ppt/media/track-{part.partname.idx or 0}-{identity.strip('{}').lower()}.vtt")
    return part.relate_to(Part(name, "text/vtt", part.package, data), TRACK_RELATION)


def point(part: Any, element: Any, name: str, relation: str) -> None:
    """Let an element refer to another file, and drop the one before where nothing else refers to it."""
    old = element.get(tag("r", name))
    element.set(tag("r", name), relation)
    if old not in part._element.xpath("//@r:embed | //@r:link | //@r:id | //@r:pict") and old in part.rels:
        part.rels.pop(old)


def _media(pic: Any) -> Any:
    return next(pic.iter(f"{{{MEDIA_2010}}}media"))


def _child(parent: Any, namespace: str, name: str, attributes: Mapping[str, str] = NOTHING) -> Any:
    import lxml.etree as etree

    prefix = {MEDIA_2010: "p14", TRACKS_2017: "p173"}.get(namespace, "p")
    child = etree.SubElement(parent, f"{{{namespace}}}{name}", nsmap={prefix: namespace})
    for key, value in attributes.items():
        child.set(key, value)
    return child


def tag(prefix: str, name: str) -> str:
    return f"{{{_namespace(prefix)}}}{name}"


def _namespace(prefix: str) -> str:
    from pptx.oxml.ns import nsmap

    return nsmap(prefix)[prefix]
