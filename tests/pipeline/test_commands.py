"""Every command in the folder keeps the rules of the door."""

import click
import pytest

from pipeline.commands import FOLDER, attention, load, names


def every_command() -> list[tuple[str, click.Command]]:
    """All commands with the words that call them, groups' own commands too."""
    found: list[tuple[str, click.Command]] = []

    def walk(words: str, command: click.Command) -> None:
        found.append((words, command))
        if isinstance(command, click.Group):
            for name, inner in command.commands.items():
                walk(f"{words} {name}", inner)

    for name in names():
        walk(name, load(name))
    return found


COMMANDS = every_command()


@pytest.mark.parametrize(("words", "command"), COMMANDS, ids=[words for words, _ in COMMANDS])
def test_a_command_explains_itself(words, command):
    context = click.Context(command, info_name=words)
    assert command.get_short_help_str(limit=110)
    assert f"python cli.py {words}" in (command.help or ""), "its help shows no example"
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{parameter.opts} has no help"
    assert "--help" in command.get_help(context)


def test_a_file_is_a_command():
    files = {path.stem for path in FOLDER.glob("*.py")} - {"__init__"}
    assert {name.replace("-", "_") for name in names()} == {
        stem for stem in files if not stem.startswith("_")
    }
    assert "doctor" in attention.list_commands(click.Context(attention))
