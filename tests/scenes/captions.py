"""What every caption of every scene must be: short enough for one line, and one for each beat."""

from typing import Any

LONGEST = {"en": 90, "zh": 36}
"""Characters of one caption."""


def check_captions(scene: Any) -> None:
    """Every beat of a scene that is set up has captions that hold, none too long, and an alt text."""
    for texts in scene.texts.beats.values():
        lines = [line for line in texts.captions if line.holds(scene.facts)]
        assert lines
        for line in lines:
            for language, longest in LONGEST.items():
                assert len(line.fill(language, scene.fields).text) <= longest
        for language in LONGEST:
            assert texts.alt.fill(language, scene.fields).text
