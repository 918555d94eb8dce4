"""What the files of an asset are called, and that no two assets of a course have one file."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from pipeline.course.asset import Asset
from pipeline.course.toml_file import TomlFile
from pipeline.publish.ledger import ENDING
from transformer_core.errors import InputError


def stems_of(asset: Asset) -> tuple[str, ...]:
    """What a picture's files are called without their endings; none for a table. A figure of all beats has many."""
    if asset.picture.kind == "numbers":
        return ()
    if asset.picture.kind == "video" or asset.picture.spec.beat is not None:
        return (asset.stem,)
    base, _, language = asset.stem.rpartition(".")
    return tuple(f"{base}.{beat}.{language}" for beat in asset.picture.entry.beats)


def names_known_of(asset: Asset) -> tuple[str, ...]:
    """Files of an asset that are known before it is drawn: who has none of these has none of the others."""
    stems = stems_of(asset)
    if not stems:
        return (asset.name,)
    endings = (f".{asset.form}", ENDING, *((".png",) if asset.picture.kind == "video" else ()))
    return tuple(f"{stem}{ending}" for stem in stems for ending in endings)


def folded(name: str) -> str:
    """The name as a file system sees it that tells neither case nor composed letters apart."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


def check_distinct(file: TomlFile, assets: Sequence[Asset]) -> None:
    """No two assets have one file, on any file system; a table of numbers alone may share the stem of a picture.

    Raises InputError, naming line and asset.
    """
    known: dict[str, Asset] = {}
    for asset in assets:
        name, stems = folded(asset.name), (asset.stem, *stems_of(asset)) if stems_of(asset) else ()
        for key in (name, *(f"{folded(stem)} " for stem in stems)):
            other = known.setdefault(key, asset)
            if other is not asset and (key == name or other.picture != asset.picture):
                raise InputError(
                    f"{file.place('asset', number=asset.block)}, asset {asset.block + 1}: {asset.name}",
                    f"asset {other.block + 1} is published under that name too",
                    'give one of them a name = "…"',
                )
