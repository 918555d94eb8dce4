"""What `derive` can compute: each operation as a function of its parents' float64 values.

Sums are correctly rounded (`math.fsum`), hence the same in any order. Operations on two vectors of one length
get one after the other.
"""

import math
from collections.abc import Callable, Sequence

_Values = Sequence[float]


def _halves(values: _Values) -> tuple[_Values, _Values]:
    middle = len(values) // 2
    return values[:middle], values[middle:]


def _dot(values: _Values) -> float:
    left, right = _halves(values)
    return math.fsum(a * b for a, b in zip(left, right, strict=True))


def _distance(values: _Values) -> float:
    left, right = _halves(values)
    return math.sqrt(math.fsum((a - b) ** 2 for a, b in zip(left, right, strict=True)))


def _norm(values: _Values) -> float:
    return math.sqrt(math.fsum(value * value for value in values))


def _cosine(values: _Values) -> float:
    left, right = _halves(values)
    return _dot(values) / (_norm(left) * _norm(right))


def _along(values: _Values) -> float:
    _, right = _halves(values)
    return _dot(values) / _norm(right)


def _across(values: _Values) -> float:
    left, right = _halves(values)
    share = _dot(values) / math.fsum(value * value for value in right)
    return _norm([a - share * b for a, b in zip(left, right, strict=True)])


def _entropy(values: _Values) -> float:
    return -math.fsum(value * math.log(value) for value in values if value > 0.0)


def _tempered(values: _Values) -> float:
    temperature, own, logits = values[0], int(values[1]), values[2:]
    largest = max(logits)
    shares = [math.exp((logit - largest) / temperature) for logit in logits]
    return math.fsum(shares[:own]) / math.fsum(shares)


def _sinusoid(values: _Values) -> float:
    position, entry, d_model, base = values
    angle = position / base ** ((entry - entry % 2) / d_model)
    return math.cos(angle) if entry % 2 else math.sin(angle)


OPERATIONS: dict[str, Callable[[_Values], float]] = {
    "product": lambda values: values[0] * values[1],
    "negative": lambda values: -values[0],
    "difference": lambda values: values[0] - values[1],
    "ratio": lambda values: values[0] / values[1],
    "exponential": lambda values: math.exp(values[0]),
    "sum": math.fsum,
    "mean": lambda values: math.fsum(values) / len(values),
    "dot": _dot,
    "norm": _norm,
    "distance": _distance,
    "cosine": _cosine,
    "along": _along,
    "across": _across,
    "entropy": _entropy,
    "tempered": _tempered,
    "sinusoid": _sinusoid,
}
