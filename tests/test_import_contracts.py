"""Who may import whom, where import-linter cannot say it: the door is no package, scenes are found."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("transformer_core", "scenes", "pipeline")


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def imported(path: Path) -> set[str]:
    """Every module that a file names in an import, wherever in the file it stands."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.relative_to(ROOT)}:{node.lineno} imports relatively"
            module = node.module or ""
            names |= {module} | {f"{module}.{alias.name}" for alias in node.names}
    return names


def lecture_scenes() -> set[str]:
    """The names directly under scenes/ that stand for a lecture: not the kit, not the catalogue."""
    names = {path.stem for path in (ROOT / "scenes").glob("*.py")}
    names |= {path.parent.name for path in (ROOT / "scenes").glob("*/__init__.py")}
    return names - {"__init__", "kit", "catalogue"}


def within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


@pytest.mark.parametrize("path", sources(*ROOMS), ids=lambda path: str(path.relative_to(ROOT)))
def test_nobody_imports_the_door(path):
    assert not [name for name in imported(path) if within(name, "cli")]


@pytest.mark.parametrize("path", sources("scenes"), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_scene_imports_no_other_scene(path):
    own = path.relative_to(ROOT / "scenes").with_suffix("").parts[0].removesuffix("_texts")
    others = {scene for scene in lecture_scenes() if scene.removesuffix("_texts") != own}
    assert not [n for n in imported(path) for scene in others if within(n, f"scenes.{scene}")]


@pytest.mark.parametrize("path", sources("pipeline"), ids=lambda path: str(path.relative_to(ROOT)))
def test_the_pipeline_knows_no_scene_by_name(path):
    assert not [n for n in imported(path) for scene in lecture_scenes() if within(n, f"scenes.{scene}")]


def test_one_place_touches_manims_settings():
    """`manim.config` is global to a process: only the render runtime may hold it."""
    allowed = {Path("pipeline/render/runtime.py")}
    users = {path.relative_to(ROOT) for path in sources(*ROOMS) if {"manim.config", "manim._config"} & imported(path)}
    assert users <= allowed
