"""The shape of what closed curves bound, as numbers free of its size and place.

Area moments up to order 3 about the centroid, η_pq = μ_pq / A^(1 + (p+q)/2), and the reach of the box.
Moments are exact integrals along the curves (Green's theorem, Gauss-Legendre): cutting a curve in two, as an
animation may, does not change them, and those of several contours add up.
"""

from __future__ import annotations

import numpy as np

NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)
NODES, _WEIGHTS = (NODES + 1) / 2, _WEIGHTS / 2
POWERS = [(p, q) for order in range(4) for p in range(order, -1, -1) for q in [order - p]]


def raw_moments(x: np.ndarray, y: np.ndarray, dy: np.ndarray) -> np.ndarray:
    """∬ x^p y^q over what each curve bounds, as ∮ x^(p+1) y^q / (p+1) dy at the nodes (curve, node)."""
    weight = dy * _WEIGHTS
    xs = [x, x * x, x * x * x, (x * x) * (x * x)]
    ys = [weight, weight * y, weight * y * y, weight * y * y * y]
    return np.stack([np.einsum("cn,cn->c", xs[p], ys[q]) / (p + 1) for p, q in POWERS], axis=1)


def features(moments: np.ndarray, boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Eleven numbers free of size and place for each shape, the root of its area, and its centroid."""
    area = moments[:, 0]
    size = np.sqrt(np.maximum(np.abs(area), 1e-12))
    m = moments / np.where(area == 0, 1e-12, area)[:, None]
    x, y = m[:, 1], m[:, 2]
    m20, m11, m02 = m[:, 3] - x * x, m[:, 4] - x * y, m[:, 5] - y * y
    m30 = m[:, 6] - 3 * x * m[:, 3] + 2 * x**3
    m21 = m[:, 7] - 2 * x * m[:, 4] - y * m[:, 3] + 2 * x * x * y
    m12 = m[:, 8] - 2 * y * m[:, 4] - x * m[:, 5] + 2 * x * y * y
    m03 = m[:, 9] - 3 * y * m[:, 5] + 2 * y**3
    reach = (boxes - np.stack([x, y, x, y], axis=1)) / size[:, None]
    second, third = (size**2)[:, None], (size**3)[:, None]
    shape = np.stack([m20, m11, m02], axis=1) / second
    skew = np.stack([m30, m21, m12, m03], axis=1) / third
    return np.concatenate([shape, skew, reach], axis=1), size, np.stack([x, y], axis=1)
