"""All beats of a scene on one page, so that a whole lecture is seen at once."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

FONT = Path(__file__).resolve().parents[2] / "assets" / "fonts" / "NotoSansSC-Regular.ttf"
MARGIN = 16
LABEL_HEIGHT = 28
GROUND, INK = "#FFFFFF", "#202020"


def sheet(pictures: Sequence[tuple[str, Path]], *, columns: int = 3) -> Image.Image:
    """A page of pictures of one size, each under its label, in reading order."""
    images = [_read(path) for _, path in pictures]
    columns = min(columns, len(images))
    width, height = images[0].size
    rows = ceil(len(images) / columns)
    step_x, step_y = width + MARGIN, height + LABEL_HEIGHT + MARGIN
    page = Image.new("RGB", (MARGIN + columns * step_x, MARGIN + rows * step_y), GROUND)
    draw = ImageDraw.Draw(page)
    font = ImageFont.truetype(str(FONT), 16)
    for number, (image, (label, _)) in enumerate(zip(images, pictures, strict=True)):
        left, top = MARGIN + number % columns * step_x, MARGIN + number // columns * step_y
        draw.text((left, top), label, fill=INK, font=font)
        page.paste(image, (left, top + LABEL_HEIGHT))
    return page


def _read(path: Path) -> Image.Image:
    with Image.open(path) as image:
        return image.convert("RGB")
