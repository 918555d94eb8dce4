"""Small scenes that each lean on one of Manim's features, as a user would write them.

Every one moves something over something that stands, since that is where an engine that draws only what has
changed goes wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from manim import (
    BLUE,
    DOWN,
    GREEN,
    LEFT,
    ORIGIN,
    OUT,
    PI,
    RED,
    RIGHT,
    UP,
    WHITE,
    YELLOW,
    AnimationGroup,
    Annulus,
    ApplyWave,
    Arc,
    Arrow,
    Axes,
    Circle,
    Circumscribe,
    Create,
    Cube,
    CurvedArrow,
    CyclicReplace,
    DashedLine,
    DashedVMobject,
    DecimalNumber,
    Difference,
    Dot,
    DrawBorderThenFill,
    FadeIn,
    FadeOut,
    FadeTransform,
    Flash,
    FocusOn,
    Group,
    GrowFromCenter,
    ImageMobject,
    Indicate,
    Intersection,
    LaggedStart,
    Line,
    LinearTransformationScene,
    LineJointType,
    MarkupText,
    MoveAlongPath,
    MovingCameraScene,
    NumberPlane,
    Polygon,
    Rectangle,
    ReplacementTransform,
    Rotate,
    Scene,
    ShowPassingFlash,
    Sphere,
    SpinInFromNothing,
    Square,
    Star,
    Succession,
    SurroundingRectangle,
    SVGMobject,
    Text,
    ThreeDScene,
    TracedPath,
    Transform,
    TransformMatchingShapes,
    Triangle,
    Uncreate,
    ValueTracker,
    VGroup,
    VMobject,
    Wiggle,
    Write,
    ZoomedScene,
    always_redraw,
    linear,
)
from manim.mobject.types.point_cloud_mobject import PointCloudDot
from PIL import Image

FEATURES: dict[str, type[Scene]] = {}
SHORT = 0.4


def feature(construct: Callable[[Scene], None] | None = None, *, base: type[Scene] = Scene) -> Callable:
    """Enter a function as the `construct` of a scene of its name."""
    if construct is None:
        return lambda function: feature(function, base=base)
    name = construct.__name__
    FEATURES[name.replace("_", " ")] = type(name, (base,), {"construct": construct, "__module__": __name__})
    return construct


def ground(scene: Scene) -> VGroup:
    """Things that stand, half transparent, so that whatever is drawn twice or not at all shows."""
    standing = VGroup(
        Square(3, color=BLUE, fill_opacity=0.4).shift(LEFT * 2),
        Circle(1.2, color=GREEN, fill_opacity=0.5, stroke_opacity=0.5).shift(RIGHT),
        Line(LEFT * 6, RIGHT * 6 + UP, color=RED, stroke_opacity=0.6),
    )
    scene.add(standing)
    return standing


def cross(scene: Scene, *mobjects: object) -> None:
    """Move across what stands, rest, and move back."""
    group = Group(*mobjects)
    scene.play(group.animate.shift(RIGHT * 2 + UP * 0.5), run_time=SHORT)
    scene.wait(0.2)
    scene.play(group.animate.shift(LEFT * 3), rate_func=linear, run_time=SHORT)


@feature
def fills_and_strokes(scene):
    ground(scene)
    disc = Circle(0.8, color=YELLOW, fill_opacity=0.7, stroke_width=12).shift(LEFT * 3)
    scene.add(disc)
    cross(scene, disc)


@feature
def sharp_corners_far_outside_their_points(scene):
    ground(scene)
    spike = Polygon([-3, 0, 0], [2, 0.15, 0], [-3, 0.3, 0], stroke_width=30, color=YELLOW)
    spike.joint_type = LineJointType.MITER
    scene.add(spike)
    cross(scene, spike)
    scene.play(spike.animate.stretch(0.3, 1), run_time=SHORT)


@feature
def round_and_bevelled_joints(scene):
    ground(scene)
    stars = VGroup(*(Star(color=c, stroke_width=16).scale(0.7) for c in (RED, GREEN, YELLOW))).arrange(RIGHT)
    for star, joint in zip(stars, (LineJointType.ROUND, LineJointType.BEVEL, LineJointType.MITER), strict=True):
        star.joint_type = joint
    scene.add(stars)
    cross(scene, stars)


@feature
def gradients(scene):
    ground(scene)
    disc = Circle(1.4, fill_opacity=0.8).set_fill([RED, BLUE, YELLOW]).set_stroke([GREEN, WHITE], width=10)
    scene.add(disc)
    scene.play(Rotate(disc, PI / 2), run_time=SHORT)
    cross(scene, disc)


@feature
def sheen(scene):
    ground(scene)
    box = Square(2, fill_opacity=1, color=BLUE, sheen_factor=0.6, sheen_direction=UP + LEFT)
    scene.add(box)
    cross(scene, box)
    scene.play(box.animate.set_sheen(-0.5, DOWN), run_time=SHORT)


@feature
def background_strokes(scene):
    ground(scene)
    box = Square(1.5, color=WHITE, fill_opacity=1).set_stroke(RED, width=40, opacity=0.5, background=True)
    scene.add(box)
    cross(scene, box)


@feature
def z_index(scene):
    ground(scene)
    low, high = Square(2, color=RED, fill_opacity=1), Circle(1, color=BLUE, fill_opacity=1).shift(LEFT)
    low.set_z_index(-1)
    high.set_z_index(3)
    middle = Triangle(color=GREEN, fill_opacity=1).shift(RIGHT)
    scene.add(high, low, middle)
    cross(scene, middle)
    scene.play(low.animate.set_z_index(5).shift(UP), run_time=SHORT)
    scene.wait(0.2)
    scene.play(middle.animate.set_z_index(9), run_time=SHORT)


@feature
def foreground_and_order(scene):
    standing = ground(scene)
    front = Annulus(0.4, 1, color=YELLOW, fill_opacity=1)
    scene.add_foreground_mobject(front)
    disc = Circle(1, color=RED, fill_opacity=1).shift(LEFT * 2)
    scene.add(disc)
    cross(scene, disc)
    scene.bring_to_back(disc)
    scene.wait(0.2)
    scene.remove_foreground_mobject(front)
    scene.bring_to_front(standing[0])
    cross(scene, disc)


@feature
def opacity(scene):
    standing = ground(scene)
    scene.play(standing.animate.set_opacity(0.1), run_time=SHORT)
    scene.play(FadeOut(standing[1]), run_time=SHORT)
    scene.play(FadeIn(standing[1]), standing[0].animate.set_opacity(1), run_time=SHORT)


@feature
def lagged_start(scene):
    ground(scene)
    dots = VGroup(*(Dot([x, -2, 0], radius=0.2) for x in range(-5, 6)))
    scene.play(LaggedStart(*(FadeIn(dot, shift=UP) for dot in dots), lag_ratio=0.3), run_time=1)
    scene.play(LaggedStart(*(dot.animate.set_color(RED).scale(2) for dot in dots), lag_ratio=0.1), run_time=SHORT)


@feature
def groups_and_succession(scene):
    standing = ground(scene)
    disc = Dot(radius=0.5)
    steps = (FadeIn(disc), disc.animate.shift(UP), Indicate(standing[0]), Wiggle(standing[1]), FadeOut(disc))
    scene.play(Succession(*(AnimationGroup(step, run_time=SHORT) for step in steps)))


@feature
def updaters(scene):
    standing = ground(scene)
    disc, tail = Dot(radius=0.5, color=YELLOW), Square(0.5, color=RED, fill_opacity=1)
    tail.add_updater(lambda mobject: mobject.next_to(disc, DOWN))
    scene.add(disc, tail)
    cross(scene, disc)
    tail.clear_updaters()
    cross(scene, disc)
    standing[0].add_updater(lambda mobject, dt: mobject.rotate(dt))
    scene.wait(0.4)
    standing[0].suspend_updating()
    scene.wait(0.2)


@feature
def an_updater_that_changes_another(scene):
    standing = ground(scene)
    driver = Dot()
    driver.add_updater(lambda _, dt: standing[1].shift(RIGHT * dt))
    scene.add(driver)
    scene.wait(0.4)
    cross(scene, driver)


@feature
def scene_updaters(scene):
    standing = ground(scene)
    scene.add_updater(lambda dt: standing[0].shift(UP * dt))
    scene.wait(0.4)
    cross(scene, standing[2])


@feature
def value_tracker_and_redraw(scene):
    ground(scene)
    value = ValueTracker(0.5)
    scene.add(always_redraw(lambda: Arc(radius=1.5, angle=value.get_value(), color=RED, stroke_width=10)))
    scene.play(value.animate.set_value(4), run_time=SHORT)
    scene.wait(0.2)
    scene.play(value.animate.set_value(0), run_time=SHORT)


@feature
def traced_path(scene):
    ground(scene)
    dot = Dot(color=YELLOW).shift(LEFT * 3)
    scene.add(TracedPath(dot.get_center, stroke_width=6, dissipating_time=0.3), dot)
    scene.play(MoveAlongPath(dot, Arc(2, 0, PI)), run_time=SHORT)
    scene.wait(0.3, frozen_frame=False)


@feature
def transforms(scene):
    standing = ground(scene)
    shape = Square(1, color=YELLOW, fill_opacity=0.8)
    scene.play(Transform(shape, Star(color=RED).shift(UP)), run_time=SHORT)
    scene.play(FadeTransform(shape, Circle(0.5).shift(DOWN)), run_time=SHORT)
    scene.play(standing[0].animate.become(Triangle(color=GREEN).shift(LEFT)), run_time=SHORT)


@feature
def changes_between_plays(scene):
    standing = ground(scene)
    disc = Dot(radius=0.6, color=YELLOW)
    scene.add(disc)
    cross(scene, disc)
    standing[0].set_fill(RED, 0.9)
    standing[1].shift(DOWN)
    scene.remove(standing[2])
    cross(scene, disc)
    scene.clear()
    scene.wait(0.2)
    scene.add(disc)
    scene.wait(0.2)


@feature
def points_changed_in_place(scene):
    standing = ground(scene)

    def shake(mobject, dt):
        mobject.points[:, 1] += 0.5 * dt

    standing[0].add_updater(shake)
    scene.wait(0.4)
    standing[0].clear_updaters()
    standing[1].points[4] += UP
    scene.wait(0.2)


@feature
def colours_changed_in_place(scene):
    standing = ground(scene)

    def redden(mobject, dt):
        mobject.fill_rgbas[:, 0] = min(1, mobject.fill_rgbas[0, 0] + dt)
        mobject.stroke_width += 10 * dt

    standing[1].add_updater(redden)
    scene.wait(0.5)


@feature
def ground_colour_changed(scene):
    standing = ground(scene)
    cross(scene, standing[0])
    scene.camera.background_color = WHITE
    scene.wait(0.2)
    cross(scene, standing[0])


@feature
def ground_colour_changed_while_something_moves(scene):
    disc = Circle(color=RED, fill_opacity=0.5)
    scene.add(disc)
    disc.add_updater(lambda _: setattr(scene.camera, "background_color", GREEN if scene.time > 0.2 else BLUE))
    cross(scene, disc)
    disc.clear_updaters()
    ground(scene)
    cross(scene, disc)


@feature
def entrances_and_exits(scene):
    standing = ground(scene)
    star = Star(color=YELLOW, fill_opacity=0.6)
    for animation in (
        GrowFromCenter(star),
        Flash(star),
        FocusOn(star),
        ApplyWave(standing[1]),
        SpinInFromNothing(standing[0].copy()),
        CyclicReplace(star, standing[1]),
        ReplacementTransform(star, Annulus(0.3, 0.9, color=RED, fill_opacity=0.4)),
        Uncreate(standing[0]),
    ):
        scene.play(animation, run_time=SHORT)


@feature
def added_and_removed_while_playing(scene):
    standing = ground(scene)
    extra, clock = Dot(radius=0.4, color=YELLOW), ValueTracker(0)

    def at_times(_):
        if clock.get_value() > 0.7:
            scene.remove(extra)
        elif clock.get_value() > 0.3:
            scene.add(extra)

    standing[2].add_updater(at_times)
    scene.play(clock.animate.set_value(1), standing[0].animate.shift(UP), rate_func=linear, run_time=0.8)
    scene.wait(0.2)
    standing[2].clear_updaters()
    cross(scene, standing[1])


@feature
def one_mobject_in_two_places_of_the_order(scene):
    standing = ground(scene)
    disc = Dot(radius=0.8, color=RED, fill_opacity=0.5)
    scene.add(VGroup(disc, standing[1]), disc)
    cross(scene, standing[0])
    cross(scene, disc)


@feature
def paths_grown_point_by_point(scene):
    ground(scene)
    path = VMobject(color=YELLOW, stroke_width=8).set_points_as_corners([LEFT * 3, LEFT * 2])
    path.add_updater(lambda mobject, dt: mobject.add_points_as_corners([mobject.get_end() + RIGHT * 0.3 + UP * dt]))
    scene.add(path)
    scene.wait(0.5)
    path.clear_updaters()
    scene.play(path.animate.make_smooth(), run_time=SHORT)


@feature
def beyond_the_frame(scene):
    ground(scene)
    disc = Circle(2, color=YELLOW, fill_opacity=0.6, stroke_width=20).shift(LEFT * 8)
    scene.add(disc)
    scene.play(disc.animate.shift(RIGHT * 16), rate_func=linear, run_time=0.6)
    scene.play(disc.animate.shift(RIGHT * 30), run_time=SHORT)
    scene.play(disc.animate.move_to(UP * 4.5), run_time=SHORT)


@feature
def tiny_and_empty(scene):
    ground(scene)
    point = Dot(radius=0.001, color=WHITE)
    thin = Line(LEFT, RIGHT, stroke_width=0.2, color=WHITE)
    scene.add(point, thin, VGroup())
    cross(scene, point, thin)
    scene.play(thin.animate.scale(0), run_time=SHORT)
    scene.play(thin.animate.set_stroke(width=0), run_time=SHORT)


@feature
def huge(scene):
    ground(scene)
    scene.add(Circle(300, color=RED, stroke_width=30, fill_opacity=0.2).shift(DOWN * 301))
    cross(scene, scene.mobjects[-1])


@feature
def clipping(scene):
    standing = ground(scene)
    cut = VGroup(
        Intersection(standing[0], Circle(1).shift(LEFT * 2 + UP), color=YELLOW, fill_opacity=1),
        Difference(Square(2), Circle(0.7), color=RED, fill_opacity=0.7),
    )
    scene.add(cut)
    cross(scene, cut)


@feature
def dashes_and_arrows(scene):
    ground(scene)
    lines = VGroup(
        DashedLine(LEFT * 3, UP, color=YELLOW),
        DashedVMobject(Circle(1.5), num_dashes=30),
        Arrow(LEFT, RIGHT * 2),
        CurvedArrow(DOWN * 2, RIGHT * 2),
    )
    scene.play(Create(lines), run_time=SHORT)
    cross(scene, lines)


@feature
def text(scene):
    ground(scene)
    words = VGroup(
        Text("Attention 0.25"), MarkupText('<span fgcolor="yellow">red</span> <b>bold</b> <i>slanted</i>')
    ).arrange(DOWN)
    scene.play(Write(words), run_time=SHORT)
    cross(scene, words[0])
    scene.play(TransformMatchingShapes(words[0], Text("0.25 Attention")), run_time=SHORT)


@feature
def numbers(scene):
    ground(scene)
    number = DecimalNumber(0.5, mob_class=Text, num_decimal_places=2)
    value = ValueTracker(0.5)
    number.add_updater(lambda mobject: mobject.set_value(value.get_value()))
    scene.add(number)
    scene.play(value.animate.set_value(9.75), run_time=SHORT)
    scene.play(Circumscribe(number), run_time=0.6)


@feature
def axes_and_plots(scene):
    axes = Axes(x_range=(-3, 3), y_range=(-2, 2), x_length=10, y_length=5)
    curve = axes.plot(lambda x: np.sin(2 * x), color=YELLOW)
    scene.add(NumberPlane(background_line_style={"stroke_opacity": 0.4}), axes)
    scene.play(Create(curve), run_time=SHORT)
    scene.play(ShowPassingFlash(curve.copy().set_color(RED).set_stroke(width=10)), run_time=SHORT)
    scene.play(FadeIn(axes.get_area(curve, x_range=(-1, 1), opacity=0.5)), run_time=SHORT)


@feature(base=LinearTransformationScene)
def a_plane_that_is_sheared(scene):
    scene.apply_matrix([[1, 1], [0, 1]], run_time=0.6)
    scene.wait(0.2)
    scene.apply_inverse([[1, 1], [0, 1]], run_time=0.6)


@feature
def drawings_from_a_file(scene):
    ground(scene)
    path = '<path d="M10 10 H 90 V 90 H 10 Z M30 30 V 70 H 70 V 30 Z" fill="#fc0" fill-rule="evenodd" stroke="red"/>'
    Path("mark.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{path}</svg>')
    mark = SVGMobject("mark.svg").set_opacity(0.7)
    scene.play(DrawBorderThenFill(mark), run_time=SHORT)
    cross(scene, mark)
    scene.play(mark.animate.apply_function(lambda p: p + 0.2 * np.sin(3 * p[[1, 0, 2]])), run_time=SHORT)


@feature
def images(scene):
    ground(scene)
    levels = np.zeros((40, 60, 4), np.uint8)
    levels[..., 0] = np.arange(60) * 4
    levels[..., 1] = np.arange(40)[:, None] * 6
    levels[..., 3] = 200
    picture = ImageMobject(levels).scale_to_fit_height(2)
    above = Rectangle(color=YELLOW, height=1, width=4, fill_opacity=0.5)
    scene.add(picture, above)
    cross(scene, picture)
    scene.play(picture.animate.set_opacity(0.3), Rotate(above, PI / 3), run_time=SHORT)
    scene.play(FadeOut(picture), run_time=SHORT)
    picture.rotate(0.4).set_opacity(1)
    scene.add(picture)
    cross(scene, above)


@feature
def image_below_what_moves(scene):
    levels = np.tile(np.arange(100, dtype=np.uint8)[:, None, None] * 2, (1, 160, 3))
    scene.add(ImageMobject(levels).scale_to_fit_height(6))
    disc = Circle(1, color=YELLOW, fill_opacity=0.5)
    scene.add(disc)
    cross(scene, disc)


@feature
def point_clouds(scene):
    ground(scene)
    cloud = PointCloudDot(center=ORIGIN, radius=1, density=8, color=YELLOW)
    scene.add(cloud)
    cross(scene, cloud)


@feature
def picture_as_paint(scene):
    ground(scene)
    levels = np.full((90, 160, 4), 255, np.uint8)
    levels[..., 0] = np.arange(160)
    Image.fromarray(levels).save("paint.png")
    disc = Circle(1.5, fill_opacity=1)
    disc.color_using_background_image("paint.png")
    scene.add(disc)
    cross(scene, disc)


@feature(base=MovingCameraScene)
def moving_camera(scene):
    standing = ground(scene)
    scene.add(Text("near", font_size=20))
    scene.play(scene.camera.frame.animate.scale(0.5).shift(RIGHT), run_time=SHORT)
    cross(scene, standing[0])
    scene.play(scene.camera.frame.animate.scale(3).move_to(LEFT), standing[1].animate.shift(UP), run_time=SHORT)
    scene.camera.frame.shift(UP)
    scene.wait(0.2)


@feature(base=MovingCameraScene)
def camera_that_follows(scene):
    ground(scene)
    dot = Dot(color=YELLOW)
    scene.add(dot)
    scene.camera.frame.add_updater(lambda frame: frame.move_to(dot))
    cross(scene, dot)
    scene.wait(0.3, frozen_frame=False)


@feature
def camera_set_by_hand(scene):
    standing = ground(scene)
    cross(scene, standing[0])
    scene.camera.frame_width, scene.camera.frame_height = 8, 4.5
    scene.camera.frame_center = LEFT
    scene.wait(0.2)
    cross(scene, standing[0])


@feature(base=ZoomedScene)
def zoomed_camera(scene):
    standing = ground(scene)
    scene.activate_zooming(animate=False)
    cross(scene, standing[0])


@feature
def solids_in_a_plane(scene):
    ground(scene)
    ball = Sphere(radius=1, resolution=(6, 6), fill_opacity=0.7).shift(LEFT * 2)
    cube = Cube(1.2, fill_opacity=0.6).rotate(0.5, UP + RIGHT)
    scene.add(ball, cube)
    scene.play(Rotate(cube, PI / 3, axis=UP), ball.animate.shift(RIGHT + OUT), run_time=SHORT)
    cross(scene, cube)


@feature(base=ThreeDScene)
def space(scene):
    scene.set_camera_orientation(phi=1, theta=0.5)
    cube = Cube(2, fill_opacity=0.7)
    label = Text("flat").to_corner()
    scene.add(cube)
    scene.add_fixed_in_frame_mobjects(label)
    scene.move_camera(theta=1, run_time=SHORT)
    cross(scene, cube)


@feature
def sections_and_skips(scene):
    standing = ground(scene)
    scene.next_section("skipped", skip_animations=True)
    cross(scene, standing[1])
    scene.next_section("shown")
    cross(scene, standing[0])
    scene.wait_until(lambda: scene.time > 1.5, max_time=1)
    scene.play(SurroundingRectangle(standing[0]).animate.shift(UP), run_time=0.05)
    scene.wait(0.01)
