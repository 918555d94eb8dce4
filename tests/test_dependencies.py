"""What is asked for, what is pinned and what is explained are the same list."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def asked_for() -> set[str]:
    lines = [
        *PROJECT["dependencies"],
        *(line for extra in PROJECT["optional-dependencies"].values() for line in extra),
    ]
    return {re.split(r"[\[<>=!~; ]", line, maxsplit=1)[0].lower() for line in lines}


def pinned() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    return dict(line.lower().split("==") for line in lines if line and not line.startswith("#"))


def test_every_direct_dependency_is_pinned():
    assert asked_for() <= set(pinned())


def test_every_direct_dependency_has_a_reason():
    reasons = (ROOT / "docs" / "decisions" / "0001-dependencies.md").read_text()
    assert not sorted(
        name for name in asked_for() if not re.search(rf"^\|[^|]*\b{name}\b[^|]*\|", reasons, re.MULTILINE)
    )


def test_the_readme_opens_with_the_two_commands():
    blocks = re.findall(r"^```\n(.*?)\n```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert blocks[:2] == [
        "sh setup.sh && python3 cli.py render qkv --quality high",
        "sh setup.sh && .venv/bin/python -m pytest",
    ]
