"""A part of a picture becomes what it becomes within the whole."""

import numpy as np
import pytest

from pipeline.render.yuv import YuvPicture

WIDTH, HEIGHT = 322, 182


def test_parts_pasted_one_by_one_are_the_whole():
    rng = np.random.default_rng(1)
    old, new = rng.integers(0, 256, (2, HEIGHT, WIDTH, 4), dtype=np.uint8)
    whole, parts = YuvPicture((WIDTH, HEIGHT)), YuvPicture((WIDTH, HEIGHT))
    whole.paste(old)
    parts.paste(old)
    picture = old.copy()
    for _ in range(40):
        left, top = 2 * rng.integers(0, (WIDTH // 2 - 1, HEIGHT // 2 - 1))
        width, height = 2 * rng.integers(2, 1 + np.array([(WIDTH - left) // 2, (HEIGHT - top) // 2]))
        place = slice(top, top + height), slice(left, left + width)
        picture[place] = new[place]
        parts.paste(new[place], at=(int(left), int(top)))
        whole.paste(picture)
        np.testing.assert_array_equal(parts.frame.to_ndarray(), whole.frame.to_ndarray())


@pytest.mark.parametrize(
    ("at", "size"), [((1, 0), (4, 4)), ((0, 0), (4, 3)), ((8, 8), (2, 8)), ((320, 0), (4, 4)), ((-2, 0), (4, 4))]
)
def test_a_part_that_does_not_fit_is_an_error(at, size):
    with pytest.raises(ValueError, match="a part of"):
        YuvPicture((WIDTH, HEIGHT)).paste(np.zeros((size[1], size[0], 4), np.uint8), at=at)
