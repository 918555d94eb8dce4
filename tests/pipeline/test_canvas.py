"""A picture brought up to date is the picture drawn as a whole, byte for byte, and little is drawn for it."""

import numpy as np
import pytest
from manim import (
    BLUE,
    DOWN,
    GREEN,
    LEFT,
    ORIGIN,
    RED,
    RIGHT,
    UP,
    YELLOW,
    Annulus,
    Camera,
    Circle,
    Group,
    Line,
    Mobject,
    Square,
    Star,
    VGroup,
    VMobject,
)
from manim.utils.family import extract_mobject_family_members

import pipeline.render.painted as painted
from pipeline.render.camera import fast_camera
from pipeline.render.canvas import Canvas
from pipeline.render.damage import Rectangle, bands
from pipeline.render.family import family_with_points
from pipeline.render.painted import Outline

SIZE = {"pixel_width": 320, "pixel_height": 180, "frame_width": 16.0, "frame_height": 9.0}


@pytest.fixture
def camera():
    return fast_camera()(**SIZE)


def many(seed: int, count: int = 150) -> VMobject:
    """One mobject of many small outlines all over the frame."""
    rng = np.random.default_rng(seed)
    kinds = (Square(), Circle(), Star(), Annulus(0.5, 1))
    pieces = [
        kinds[number % 4].copy().scale(rng.uniform(0.05, 0.4)).shift([*rng.uniform((-8, -4.5), (8, 4.5)), 0]).points
        for number in range(count)
    ]
    return VMobject().set_points(np.concatenate(pieces))


def things() -> list[VMobject]:
    return [
        many(1).set_fill(BLUE, 0.6).set_stroke(width=0),
        many(2).set_fill(opacity=0).set_stroke(RED, 3, 0.5),
        many(3, 40).set_fill([YELLOW, GREEN], opacity=[0.3, 1]).set_stroke(width=0),
        VGroup(*(Star(color=BLUE, fill_opacity=0.4, stroke_width=9).scale(0.8).shift(2 * each) for each in (UP, LEFT))),
        Circle(2, color=GREEN, fill_opacity=0.3).set_stroke(YELLOW, 14, background=True),
        Line(LEFT * 9 + DOWN, RIGHT * 9 + UP, stroke_width=2),
        Square(0.4, color=RED, fill_opacity=1).shift(RIGHT * 6),
    ]


def whole(mobjects) -> np.ndarray:
    plain = Camera(**SIZE)
    plain.capture_mobjects(mobjects)
    return plain.pixel_array


def change(rng: np.random.Generator, mobjects: list) -> list:
    """One change of a kind that Manim's animations and people make; returns the mobjects in their order."""
    mobjects = list(mobjects)
    each = mobjects[rng.integers(len(mobjects))]
    match rng.integers(9):
        case 0:
            each.shift([*rng.uniform(-0.6, 0.6, 2), 0])
        case 1:
            each.set_opacity(rng.uniform(0, 1))
        case 2:
            each.rotate(rng.uniform(-1, 1)).scale(rng.uniform(0.7, 1.3))
        case 3:
            each.set_stroke(width=rng.uniform(0, 12))
        case 4:
            each.family_members_with_points()[0].points[: 4 * rng.integers(1, 4), 0] += rng.uniform(-0.5, 0.5)
        case 5:
            mobjects.insert(rng.integers(len(mobjects)), mobjects.pop())
        case 6:
            each.set_z_index(int(rng.integers(-2, 3)))
        case 7 if len(mobjects) > 3:
            mobjects.remove(each)
        case _:
            mobjects.append(each.copy().shift([*rng.uniform(-3, 3, 2), 0]))
    return mobjects


@pytest.mark.parametrize("seed", [*range(5), 21])  # the last met a row where a cut begins
def test_whatever_changes_the_picture_is_that_of_a_whole_drawing(camera, seed):
    rng = np.random.default_rng(seed)
    canvas, mobjects = Canvas(camera), things()
    assembled = np.zeros_like(camera.pixel_array)
    below = int(rng.integers(0, 4))
    canvas.stand(mobjects[:below])
    for frame in range(25):
        if frame % 6 == 5:
            below = int(rng.integers(0, len(mobjects)))
            canvas.stand(mobjects[:below])
        for each in canvas.show(mobjects[below:]):
            assembled[each.slices] = camera.pixel_array[each.slices]
        standing = sorted_by_z(mobjects[:below])
        expected = whole_of(standing, sorted_by_z(mobjects[below:]))
        np.testing.assert_array_equal(camera.pixel_array, expected)
        np.testing.assert_array_equal(assembled, expected)
        mobjects = [*mobjects[:below], *change(rng, mobjects[below:])] if len(mobjects) > below else mobjects


def sorted_by_z(mobjects):
    return extract_mobject_family_members(mobjects, use_z_index=True, only_those_with_points=True)


def whole_of(standing, moving) -> np.ndarray:
    plain = Camera(**SIZE)
    plain.capture_mobjects(standing)
    plain.capture_mobjects(moving)
    return plain.pixel_array


def test_only_what_a_thing_left_and_reached_is_drawn_again(camera):
    canvas, mobjects = Canvas(camera), things()
    canvas.stand([])
    assert canvas.show(mobjects) == (Rectangle(0, 0, 320, 180),)
    assert canvas.show(mobjects) == ()
    mobjects[-1].shift(DOWN)
    (changed,) = canvas.show(mobjects)
    # From 276 to 284 and from 86 to 114, and a mitred corner's reach around it.
    assert changed == Rectangle(256, 80, 304, 128)


def test_what_someone_else_drew_is_drawn_over(camera):
    canvas, mobjects = Canvas(camera), things()
    canvas.stand(mobjects)
    canvas.show([])
    camera.pixel_array[...] = 7
    canvas.forget()
    assert canvas.show([]) == (Rectangle(0, 0, 320, 180),)
    np.testing.assert_array_equal(camera.pixel_array, whole(mobjects))


def test_manims_own_loop_where_cairo_is_hidden(camera, monkeypatch):
    monkeypatch.setattr(painted, "arrays_reach_cairo", lambda: False)
    canvas, mobjects = Canvas(camera), things()
    canvas.stand([])
    for _ in range(3):
        canvas.show(mobjects)
        np.testing.assert_array_equal(camera.pixel_array, whole(mobjects))
        mobjects[0].shift(RIGHT * 0.1)


def test_an_outline_that_trembles_is_the_same_one_and_one_that_moves_is_not():
    view = (20.0, 0.0, 0.0, -20.0, 160.0, 90.0, 0.01)
    disc = Circle(1.2345)
    outline = Outline(disc, view)
    assert outline.is_for(disc.points.copy(), view)
    assert outline.is_for(disc.points * (1 + 1e-15), view)
    assert not outline.is_for(disc.points + np.array([0, 1e-6, 0]), view)
    assert not outline.is_for(disc.points + np.array([1e-6, 0, 0]), view)
    assert not outline.is_for(disc.points[:-4], view)
    assert not outline.is_for(disc.points, (21.0, *view[1:]))
    # On the middle between two of cairo's places, any trembling may decide.
    disc.points[0] = [(3 + 0.5) / 256 / 20, 0, 0]
    assert not Outline(disc, view).is_for(disc.points * (1 + 1e-15), view)


def test_damage_is_read_off_in_bands_of_rectangles():
    found = bands([Rectangle(3, 5, 20, 15), Rectangle(300, 10, 900, 12), Rectangle(40, 100, 41, 170)], (320, 178))
    assert [(band.top, band.bottom) for band in found] == [(0, 16), (96, 178)]
    assert found[0].rectangles == (Rectangle(0, 0, 32, 16), Rectangle(288, 0, 320, 16))
    assert found[1].rectangles == (Rectangle(32, 96, 48, 178),)
    assert bands([Rectangle(-50, -50, -1, -1), Rectangle(400, 200, 500, 300)], (320, 178)) == ()
    assert bands([Rectangle(0, 177, 1, 178)], (320, 178))[0].rectangles == (Rectangle(0, 160, 16, 178),)
    assert bands([Rectangle(3, 3, 4, 4)], (8, 6))[0].rectangles == (Rectangle(0, 0, 8, 6),)


def test_the_family_to_draw_is_found_as_manim_finds_it():
    rng = np.random.default_rng(4)
    for _ in range(50):
        members = [
            Square().set_z_index(int(rng.integers(-1, 2))) if rng.random() < 0.7 else Mobject() for _ in range(12)
        ]
        for place in range(1, 12):
            for above in rng.integers(0, place, rng.integers(0, 3)):
                if members[place] not in members[above].submobjects:
                    members[above].submobjects.append(members[place])
        given = [members[place] for place in rng.integers(0, 12, 6)]
        for use_z_index in (True, False):
            assert family_with_points(given, use_z_index=use_z_index) == extract_mobject_family_members(
                given, use_z_index=use_z_index, only_those_with_points=True
            )


def test_a_family_told_in_another_way_is_asked_for():
    class Secretive(VGroup):
        def get_family(self, recurse=True):
            return [self, *self.submobjects[:1]]

    first, second = Square(), Square().shift(ORIGIN + RIGHT)
    assert family_with_points([Group(Secretive(first, second))], use_z_index=True) == [first, second]
    assert family_with_points([Secretive(first, second)], use_z_index=True) == [first]
