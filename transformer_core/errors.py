"""The two ways in which the project says no."""


class InputError(Exception):
    """Something that a person gave cannot be used.

    `what` was given, `why` it cannot be used, `instead`: what to give in its place. `str()` is one line.
    """

    def __init__(self, what: str, why: str, instead: str) -> None:
        super().__init__(what, why, instead)
        self.what = one_line(what)
        self.why = one_line(why)
        self.instead = one_line(instead)

    def __str__(self) -> str:
        return f"{self.what}: {self.why}; {self.instead}"


class CheckFailed(Exception):
    """Numbers that must agree do not. `what` names the place and the identity, `why` the difference."""

    def __init__(self, what: str, why: str) -> None:
        super().__init__(what, why)
        self.what = one_line(what)
        self.why = one_line(why)

    def __str__(self) -> str:
        return f"{self.what}: {self.why}"


def one_line(text: str) -> str:
    """The text with every run of white space as one space, so that a message stays on its line."""
    return " ".join(str(text).split())
