"""The whole ledger as JSON, as it lies beside a video."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def write(data: Mapping[str, Any]) -> bytes:
    """JSON in UTF-8."""
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()
