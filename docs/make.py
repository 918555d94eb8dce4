"""Makes the pictures of the README and of docs/kit.md, and writes the lines that show them: `python -m docs.make`."""

from __future__ import annotations

import sys

from pipeline.render import runtime


def main() -> int:
    """Make everything; a line for each file."""
    runtime.import_manim()
    from docs import kit_page
    from docs.readme import IN_MOTION, MOVING, README, SCENES, draw, draw_motion, in_motion, of_scenes, with_part
    from pipeline.catalogue import catalogue

    drawn = {}
    for entry in catalogue():
        played, paths = draw(entry)
        drawn[entry.name] = entry, played
        for path in paths:
            sys.stdout.write(f"{path}\n")
    moving, paths = draw_motion(drawn[MOVING][0])
    for path in paths:
        sys.stdout.write(f"{path}\n")
    text = README.read_text(encoding="utf-8")
    text = with_part(text, SCENES, of_scenes(drawn))
    text = with_part(text, IN_MOTION, in_motion(moving))
    README.write_text(text, encoding="utf-8")
    for path in [README, *kit_page.write()]:
        sys.stdout.write(f"{path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
