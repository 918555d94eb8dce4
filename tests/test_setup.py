"""setup.sh on systems that lack something, played by stand-ins: what it says, and that it changes nothing."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
USED = ("cat", "cksum", "cp", "dirname", "flock", "mkdir", "rm", "sed", "sh")


class Machine:
    """A checkout and a PATH that holds only what is put there."""

    def __init__(self, folder: Path) -> None:
        self.checkout, self.path = folder / "checkout", folder / "path"
        self.checkout.mkdir()
        self.path.mkdir()
        for name in ("setup.sh", "pyproject.toml", "constraints.txt"):
            shutil.copy(ROOT / name, self.checkout)
        for name in USED:
            where = shutil.which(name)
            if where:
                (self.path / name).symlink_to(where)
        self.has("uname", "echo Linux")
        self.has("id", "echo 1000")
        self.has("cc", "exit 0")
        self.has("pkg-config", "exit 1")

    def has(self, name: str, script: str = "exit 0") -> None:
        (self.path / name).write_text(f"#!/bin/sh\n{script}\n")
        (self.path / name).chmod(0o755)

    def lacks(self, name: str) -> None:
        (self.path / name).unlink()

    def set_up(self, **variables: str) -> tuple[int, str]:
        environment = {"PATH": str(self.path), "HOME": str(self.checkout), **variables}
        done = subprocess.run(["sh", "setup.sh"], cwd=self.checkout, env=environment, capture_output=True, text=True)
        assert done.stdout == ""
        return done.returncode, done.stderr


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path)
    # Answers every question as a Python 3.11 with headers and venv does.
    made.has("python3", 'case "$*" in *print*) echo 3.11 ;; esac')
    return made


@pytest.mark.parametrize(
    ("installer", "line"),
    [
        ("apt-get", "sudo apt-get install -y libpango1.0-dev libcairo2-dev"),
        ("dnf", "sudo dnf install -y pango-devel cairo-devel"),
        ("pacman", "sudo pacman -S --needed pango cairo"),
    ],
)
def test_without_root_the_line_to_type_is_shown(machine, installer, line):
    machine.has(installer)
    assert machine.set_up() == (2, f"setup: something is missing; run: {line} && sh setup.sh\n")
    assert not (machine.checkout / ".venv").exists()


def test_root_on_another_system_needs_no_sudo(machine):
    machine.has("dnf")
    machine.has("id", "echo 0")
    assert "run: dnf install -y pango-devel cairo-devel && sh setup.sh" in machine.set_up()[1]


def test_on_macos_the_line_is_brews(machine):
    machine.has("uname", "echo Darwin")
    machine.lacks("pkg-config")
    code, said = machine.set_up()
    assert (code, said) == (
        2,
        "setup: something is missing; run: brew install pkg-config pango cairo && sh setup.sh\n",
    )


def test_everything_that_is_missing_stands_in_one_line(machine):
    machine.has("apt-get")
    for name in ("python3", "cc", "pkg-config"):
        machine.lacks(name)
    wanted = "python3 python3-venv python3-dev gcc pkg-config libpango1.0-dev libcairo2-dev"
    assert machine.set_up() == (
        2,
        f"setup: something is missing; run: sudo apt-get install -y {wanted} && sh setup.sh\n",
    )


def test_pythons_parts_are_named_by_its_version(machine):
    machine.has("apt-get")
    machine.has("python3", 'case "$*" in *print*) echo 3.12 ;; *ensurepip*|*sysconfig*) exit 1 ;; esac')
    assert "install -y python3.12-venv python3.12-dev libpango1.0-dev" in machine.set_up()[1]


def test_an_old_python_is_refused_with_what_to_do(machine):
    machine.has("apt-get")
    machine.has("python3", 'case "$*" in --version) echo Python 3.9.2 ;; *version_info*) exit 1 ;; esac')
    code, said = machine.set_up()
    assert code == 2
    assert said.startswith("setup: python3 is Python 3.9.2 and 3.11 or newer is needed; install one, then run: PYTHON=")
    assert said.count("\n") == 1


def test_apt_that_fails_is_reported_with_its_line(machine):
    machine.has("id", "echo 0")
    machine.has("apt-get", "echo no such package; exit 100")
    machine.has("tail", "cat .venv.log")
    code, said = machine.set_up()
    assert code == 2
    assert "apt-get could not install them; run: apt-get install -y libpango1.0-dev libcairo2-dev" in said


def complete(machine: Machine, python: str) -> None:
    """Makes the machine lack nothing; its Python makes environments whose Python is the script `python`."""
    machine.has("pkg-config")
    made = machine.checkout.parent / "made-python"
    made.write_text(f"#!/bin/sh\n{python}\n")
    made.chmod(0o755)
    make = f"echo made >>made; rm -rf .venv; mkdir -p .venv/bin; cp {made} .venv/bin/python"
    machine.has("python3", f'case "$*" in *print*) echo 3.11 ;; *"-m venv"*) {make} ;; esac')


def test_the_second_run_does_nothing_and_a_change_installs_again(machine):
    complete(machine, 'echo "$*" >>asked')
    assert machine.set_up()[0] == 0
    first = (machine.checkout / "asked").read_text()
    assert "-m pip install" in first
    assert machine.set_up() == (0, "")
    with (machine.checkout / "constraints.txt").open("a") as constraints:
        constraints.write("# changed\n")
    assert machine.set_up()[0] == 0
    assert (machine.checkout / "asked").read_text().count("-m pip install") == 2
    assert (machine.checkout / "made").read_text() == "made\n"


def test_a_set_up_that_was_cut_short_starts_from_a_clean_environment(machine):
    complete(machine, 'case "$*" in *install*) exit 1 ;; esac')
    code, said = machine.set_up()
    assert code == 1
    assert "pip could not install the project" in said
    assert (machine.checkout / ".venv.unfinished").exists()
    complete(machine, "exit 0")
    assert machine.set_up()[0] == 0
    assert (machine.checkout / "made").read_text() == "made\nmade\n"
    assert not (machine.checkout / ".venv.unfinished").exists()


def test_an_environment_that_was_moved_is_made_again(machine):
    complete(machine, "exit 0")
    assert machine.set_up()[0] == 0
    moved = machine.checkout.with_name("moved")
    machine.checkout.rename(moved)
    machine.checkout = moved
    assert machine.set_up()[0] == 0
    assert (moved / "made").read_text() == "made\nmade\n"
