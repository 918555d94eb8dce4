"""A number for what the renderer makes of a scene."""

RENDERER = 2
"""Raised by hand with a change in `pipeline/render` or `pipeline/publish` that alters a pixel, a frame or a published
text: every asset of every course is then made again. A change that only makes it faster leaves it as it is."""
