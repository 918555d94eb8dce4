"""A picture on a slide of PowerPoint: a figure, or an image that moves in the place of a film."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeline.publish.embeds._asset import Asset
from pipeline.publish.embeds._movie import point, tag
from pipeline.publish.embeds._picture import Picture
from transformer_core.errors import InputError


def image_of(asset: Asset | Picture) -> Path | None:
    """The image to show; None for a film. Raises InputError where there is none that PowerPoint takes."""
    if isinstance(asset, Picture):
        return asset.file(".png", tool="PowerPoint")
    if asset.moves and asset.video.suffix != ".gif":
        raise InputError(asset.video.name, "PowerPoint shows no webp", "render it with --format mp4 or gif as well")
    return asset.video if asset.moves else None


def replace_picture(slide: Any, shape: Any, image: Path) -> None:
    """The file of a picture that is there already; place and size stay."""
    _, relation = slide.part.get_or_add_image_part(str(image))
    blip = shape._element.find(f".//{tag('a', 'blip')}")
    if blip.get(tag("r", "embed")) != relation:
        point(slide.part, blip, "embed", relation)


def dress_picture(shape: Any, asset: Asset | Picture) -> None:
    """Its text alternative."""
    still = asset.still or asset.label
    said = still if isinstance(asset, Picture) else f"{asset.label}. {asset.still}".strip()
    shape._element.nvPicPr.cNvPr.set("descr", said)
