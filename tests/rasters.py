"""Published figures as pixels, drawn by programs that are not ours, and how far two pictures are apart."""

import io
from pathlib import Path

import numpy as np
from PIL import Image

FLAT = 3
"""Levels (of 255) within which a pixel and its eight neighbours count as one flat area."""


def pixels_of(path: Path, *, height: int) -> np.ndarray:
    """[row, column, 3] levels: SVG through resvg, PDF through PDFium, PNG as it is."""
    return np.asarray(_image(path, height).convert("RGB")).astype(int)


def _image(path: Path, height: int) -> Image.Image:
    if path.suffix == ".svg":
        import resvg_py

        drawn = resvg_py.svg_to_bytes(svg_string=path.read_text(encoding="utf-8"), height=height)
        return Image.open(io.BytesIO(bytes(drawn)))
    if path.suffix == ".pdf":
        import pypdfium2

        page = pypdfium2.PdfDocument(path)[0]
        return page.render(scale=height / page.get_height()).to_pil()
    return Image.open(path)


def away_from_edges(first: np.ndarray, second: np.ndarray) -> tuple[int, float]:
    """The largest difference where both pictures are flat, and the share of pixels where they are."""
    flat = _flat(first) & _flat(second)
    return int(np.abs(first - second)[flat].max()), float(flat.mean())


def blocks_apart(first: np.ndarray, second: np.ndarray, *, side: int = 12) -> float:
    """The largest difference between the means of small squares: a stroke that one picture lacks shows in it."""
    return float(np.abs(_blocks(first, side) - _blocks(second, side)).max())


def _flat(picture: np.ndarray) -> np.ndarray:
    padded = np.pad(picture, ((1, 1), (1, 1), (0, 0)), mode="edge")
    height, width = picture.shape[:2]
    around = [padded[y : y + height, x : x + width] for y in range(3) for x in range(3)]
    return (np.maximum.reduce(around) - np.minimum.reduce(around)).max(axis=2) <= FLAT


def _blocks(picture: np.ndarray, side: int) -> np.ndarray:
    height, width = (each // side * side for each in picture.shape[:2])
    return picture[:height, :width].reshape(height // side, side, width // side, side, 3).mean(axis=(1, 3))
