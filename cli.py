"""The only door to the project: `python cli.py COMMAND …`, from any folder and with any Python 3.

Started by another Python than the one in `.venv`, it starts itself again with that one. Until then it uses
the standard library alone, and syntax that older Pythons can read.
"""

from __future__ import annotations

import errno
import os
import sys

ROOT = os.path.dirname(os.path.realpath(__file__))
ENVIRONMENT = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(ENVIRONMENT, "bin", "python")

DONE, FAILED, WRONG_INPUT, STOPPED = 0, 1, 2, 130


def main(argv: list[str] | None = None) -> int:
    """Runs one command line and returns its exit code; every refusal is one line on stderr."""
    import click

    from pipeline.commands import attention
    from pipeline.signals import Hearing
    from transformer_core.errors import CheckFailed, InputError

    words = sys.argv[1:] if argv is None else argv
    for word in words:
        if not is_text(word):
            return refuse(f"{word[:60]!r}: it cannot be read as text; use UTF-8, also as the locale", WRONG_INPUT)
    speak_utf8()
    if not here_is_a_folder():
        return refuse("the current folder was removed; go to another one (cd)", WRONG_INPUT)
    hearing = Hearing()
    try:
        with hearing:
            code = attention.main(words, program(), complete_var="_MANIM_ATTENTION_COMPLETE", standalone_mode=False)
        if sys.stdout is not None:  # None where it was closed before the start
            sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return WRONG_INPUT
    except click.UsageError as error:
        return refuse(f"{sentence(error.format_message())} {hint(error)}", WRONG_INPUT)
    except click.ClickException as error:
        return refuse(error.format_message(), WRONG_INPUT)
    except InputError as error:
        return refuse(str(error), WRONG_INPUT)
    except CheckFailed as error:
        return refuse(str(error), FAILED)
    except (click.Abort, KeyboardInterrupt):
        return refuse("stopped", hearing.code(STOPPED))
    except (BrokenPipeError, SystemExit):
        # Click answers a pipe that nobody reads any more with SystemExit, and nothing else.
        drop_output()
        return DONE
    except MemoryError:
        return refuse("there is not enough memory; free some, or ask for less", FAILED)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        drop_output()
        return refuse("what was printed does not fit: the disk is full", FAILED)
    return code if isinstance(code, int) else DONE


def drop_output() -> None:
    """Nothing more can be written on stdout, not even by the interpreter's last flush."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def here_is_a_folder() -> bool:
    """Whether the current folder still exists."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return False
    return True


def is_text(word: str) -> bool:
    """Whether a word of the command line was made of whole characters."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def speak_utf8() -> None:
    """Writes UTF-8 whatever the locale says: the texts and the ledgers are Chinese as well as English."""
    import io

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() != "utf-8":
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def program() -> str:
    """The command as the reader would type it again."""
    name = os.path.basename(sys.argv[0])
    return f"python {name}" if name.endswith(".py") else name


def hint(error) -> str:
    """Where the help for the refused command line is."""
    path = error.ctx.command_path if error.ctx else program()
    return f"See: {path} --help"


def sentence(text: str) -> str:
    """The text on one line, ended by a full stop or a question mark."""
    text = " ".join(text.split())
    return text if text.endswith((".", "?", "!")) else f"{text}."


def refuse(text: str, code: int) -> int:
    """Writes one line on stderr, where anybody reads that, and gives the exit code back."""
    import contextlib

    with contextlib.suppress(OSError, AttributeError):
        sys.stderr.write(" ".join(f"error: {text}".split()) + "\n")
    return code


def leave(code: int) -> None:
    """Ends the process. Where all went well there is nothing left to be taken apart, which PyTorch does slowly."""
    if code == DONE:
        os._exit(code)
    sys.exit(code)


def enter_environment() -> None:
    """Goes on with the Python of `.venv`, or says how to make one and exits with 2."""
    inside = os.path.realpath(sys.prefix) == os.path.realpath(ENVIRONMENT)
    usable = os.access(PYTHON, os.X_OK) and os.path.isfile(os.path.join(ENVIRONMENT, "pyvenv.cfg"))
    script = os.path.join(ROOT, "setup.sh")
    setup = f"sh {os.path.relpath(script) if here_is_a_folder() else script}"
    if os.path.exists(f"{ENVIRONMENT}.unfinished"):
        sys.exit(refuse(f"the set-up was not finished; run: {setup}", WRONG_INPUT))
    if not inside and not usable:
        sys.exit(refuse(f"there is no environment here yet; run: {setup}", WRONG_INPUT))
    if not inside:
        sys.stdout.flush()
        os.execv(PYTHON, [PYTHON, os.path.join(ROOT, "cli.py"), *sys.argv[1:]])


if __name__ == "__main__":
    enter_environment()
    leave(main())
