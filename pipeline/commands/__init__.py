"""The command line's commands: one file each, found by looking into this folder.

A file `some_name.py` that holds a `click.Command` called `command` is `some-name` on the command line. Such a
file imports click and nothing heavy at its top, so that `--help` can read all of them at once.
"""

from __future__ import annotations

import difflib
import importlib
from pathlib import Path

import click

FOLDER = Path(__file__).parent


def names() -> list[str]:
    """The commands there are, in alphabetical order."""
    return sorted(path.stem.replace("_", "-") for path in FOLDER.glob("*.py") if not path.stem.startswith("_"))


def load(name: str) -> click.Command:
    """The command of that name; raises ModuleNotFoundError where there is no such file."""
    return importlib.import_module(f"{__name__}.{name.replace('-', '_')}").command


class Commands(click.Group):
    """A group that reads a command's file only when that command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, for `--help` and completion."""
        return names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, or None where there is none."""
        return load(cmd_name) if cmd_name in names() else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds the command that the words begin with; an unknown one is refused with the nearest."""
        asked = args[0].replace("_", "-").lower()
        if asked in names():
            return super().resolve_command(ctx, [asked, *args[1:]])
        if asked.startswith("-"):
            return super().resolve_command(ctx, args)
        near = difflib.get_close_matches(asked, names(), n=1, cutoff=0.5)
        guess = f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(names())}."
        raise click.UsageError(f"No such command {args[0]!r}. {guess}", ctx)


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(None, "-V", "--version", package_name="manim-attention", message="%(prog)s %(version)s")
def attention() -> None:
    """Draws what a Transformer computed, and proves every number that it shows.

    \b
    Begin with:
      python cli.py render qkv --quality high
      python cli.py COMMAND --help
    """
