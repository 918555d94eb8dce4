"""Colour arithmetic: contrast, distance, and what a colour-blind viewer sees.

Sources: WCAG 2.2 (relative luminance, contrast ratio); CIE 15:2004 (L*a*b*, ΔE*ab 1976, D65);
Machado, Oliveira and Fernandes 2009, table for severity 1.0 (deuteranopia, protanopia).
"""

from __future__ import annotations

import numpy as np

_TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])
_SIMULATION = {
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
}


def rgb(hex_colour: str) -> np.ndarray:
    """The three sRGB components, 0 to 1, of ``#RRGGBB``."""
    digits = hex_colour.lstrip("#")
    return np.array([int(digits[i : i + 2], 16) for i in (0, 2, 4)]) / 255.0


def hex_of(components: np.ndarray) -> str:
    """``#RRGGBB`` of three sRGB components, 0 to 1."""
    levels = np.clip(np.rint(np.asarray(components) * 255), 0, 255).astype(int)
    return "#" + "".join(f"{level:02X}" for level in levels)


def mix(ground: str, colour: str, share: float) -> str:
    """The colour that ``colour`` at opacity ``share`` gives over ``ground``."""
    return hex_of(rgb(ground) * (1 - share) + rgb(colour) * share)


def _linear(hex_colour: str) -> np.ndarray:
    components = rgb(hex_colour)
    return np.where(components <= 0.04045, components / 12.92, ((components + 0.055) / 1.055) ** 2.4)


def _encoded(linear: np.ndarray) -> np.ndarray:
    linear = np.clip(linear, 0, 1)
    return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)


def luminance(hex_colour: str) -> float:
    """WCAG relative luminance, 0 (black) to 1 (white)."""
    return float(_linear(hex_colour) @ np.array([0.2126, 0.7152, 0.0722]))


def contrast(first: str, second: str) -> float:
    """WCAG contrast ratio, 1 to 21."""
    darker, lighter = sorted((luminance(first), luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def least_contrast(first: str, second: str) -> float:
    """The contrast for whoever sees least of it: trichromats, or viewers with one of the simulated deficiencies."""
    seen = ([simulate(colour, deficiency) for colour in (first, second)] for deficiency in _SIMULATION)
    return min(contrast(first, second), *(contrast(*pair) for pair in seen))


def simulate(hex_colour: str, deficiency: str) -> str:
    """The colour as seen with ``deuteranopia`` or ``protanopia``, or in ``greyscale``."""
    if deficiency == "greyscale":
        return hex_of(_encoded(np.full(3, luminance(hex_colour))))
    return hex_of(_encoded(_SIMULATION[deficiency] @ _linear(hex_colour)))


def lab(hex_colour: str) -> np.ndarray:
    """CIE L*a*b* (D65)."""
    ratio = _TO_XYZ @ _linear(hex_colour) / _WHITE
    f = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(first: str, second: str) -> float:
    """ΔE*ab 1976 between two colours."""
    return float(np.linalg.norm(lab(first) - lab(second)))
