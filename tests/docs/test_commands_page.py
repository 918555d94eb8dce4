"""docs/guide/commands.md is what the commands say; `UPDATE_DOCS=1 pytest tests/docs` writes it anew."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import click

from pipeline import commands

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "commands.md"
HEAD = """# The commands

Written from the commands' own help. Every command answers `--help`; exit codes: 0 done, 1 the work failed, 2 the words
or the input were wrong, 3 something does not match, 130 stopped, 143 asked to end (SIGTERM).
"""


def page() -> str:
    """The help of every command, in their order, those of a group after it."""
    group = commands.attention
    text = HEAD + "".join(
        sections(group, click.Context(group, info_name="python cli.py", **group.context_settings), "##")
    )
    return re.sub(r"[ \t]+\n", "\n", text)


def sections(group: click.Group, parent: click.Context, level: str) -> Iterator[str]:
    for name in group.list_commands(parent):
        command = group.get_command(parent, name)
        assert command is not None
        width = {"max_content_width": 100, "terminal_width": 100}
        with click.Context(command, info_name=name, parent=parent, **width) as context:
            title = context.command_path.removeprefix("python cli.py ")
            yield f"\n{level} {title}\n\n```\n{command.get_help(context).rstrip()}\n```\n"
            if isinstance(command, click.Group):
                yield from sections(command, context, level + "#")


def test_the_page_is_what_the_commands_say():
    text = page()
    if os.environ.get("UPDATE_DOCS"):
        PAGE.write_text(text, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == text
