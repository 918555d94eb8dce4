"""Digests of plain data."""

from __future__ import annotations

import hashlib
import json
from typing import Any

LENGTH = 32
"""Hex digits of a key: half a SHA-256, which no two inputs of a course will share."""


def digest(data: Any) -> str:
    """32 hex digits over JSON-able data; the order of keys does not matter."""
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return digest_bytes(text.encode())


def digest_bytes(data: bytes) -> str:
    """32 hex digits over bytes."""
    return hashlib.sha256(data).hexdigest()[:LENGTH]
