"""`models`: what it prints, what it writes, what it refuses."""

import json
import shutil

import pytest
from click.testing import CliRunner

import cli
from pipeline.commands import attention
from transformer_core.sources.bundled import MODELS, load_folder
from transformer_core.training import glass
from transformer_core.training.loop import Settings


def run(*arguments: str):
    return CliRunner().invoke(attention, ["models", *arguments], catch_exceptions=False)


@pytest.fixture
def short(monkeypatch):
    """A training of a few steps."""
    make = glass.recipe.make
    few = Settings(steps=20, batch=2, warm_up=4)
    monkeypatch.setattr(
        "transformer_core.training.recipes.recipe",
        lambda name: type(glass.recipe)(
            name, glass.recipe.seeds, lambda *given, **named: make(*given, **named, settings=few)
        ),
    )


def test_list():
    assert "\nglass " in "\n" + run("list").stdout
    rows = {row["name"]: row for row in json.loads(run("list", "--json").stdout)}
    assert rows["glass"]["words"] >= 400


def test_show():
    page = run("show", "glass").stdout
    assert "of the head's weight is on the noun's own adjectives" in " ".join(page.split())
    assert "Seeds tried:" in page
    assert json.loads(run("show", "glass", "--json").stdout)["name"] == "glass"


def test_train_on_a_lecturers_sentences(tmp_path, monkeypatch, short):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.txt").write_text("the cat sat\nthe dog ran\n", encoding="utf-8")
    done = run("train", "glass", "--corpus", "mine.txt", "--seed", "4", "-o", "mine")
    assert done.stdout == "mine\n"
    assert load_folder(tmp_path / "mine").card["training"]["seed"] == 4
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine", "mine.txt"]
    # Again over the same folder: replaced as a whole.
    run("train", "glass", "--corpus", "mine.txt", "--seed", "5", "-o", "mine")
    assert load_folder(tmp_path / "mine").card["training"]["seed"] == 5


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["show", "gless"], "error: model 'gless': there is no such model; try 'glass'"),
        (["train", "gless"], "error: model 'gless': there is no recipe for it; try 'glass'"),
        (["train", "glass", "--corpus", "none.txt"], "error: none.txt: cannot be read (No such file"),
        (["train", "glass", "-o", "other"], "error: other: it is there and is no model folder; give another"),
    ],
)
def test_refusals_are_one_line_and_write_nothing(tmp_path, monkeypatch, capsys, arguments, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other").mkdir()
    # A folder with a config.json of its own is a model's only if nothing else is in it.
    (tmp_path / "other" / "config.json").write_text("{}", encoding="utf-8")
    (tmp_path / "other" / "note.txt").write_text("mine", encoding="utf-8")
    assert cli.main(["models", *arguments]) == cli.WRONG_INPUT
    stderr = capsys.readouterr().err
    assert stderr.strip().splitlines()[-1].startswith(line)
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["config.json", "note.txt"]


def test_a_family_of_models_is_listed_and_shown():
    rows = {row["name"]: row for row in json.loads(run("list", "--json").stdout)}
    assert {"heads1", "heads4", "heads8", "heads16"} <= set(rows)
    assert len({rows[name]["weights"] for name in rows if name.startswith("heads")}) == 1
    assert "1 head of 64, d_model 64" in run("show", "heads1").stdout
    assert run("check", "heads16").stdout.startswith("claim validation.loss of heads16: as the card says\n")


@pytest.mark.parametrize(
    "changed", [{"claims": [{"id": "mine"}]}, {"training": "at home"}, {"name": "heads4", "claims": []}]
)
def test_a_card_from_elsewhere_is_refused_in_one_line(tmp_path, capsys, changed):
    shutil.copytree(MODELS / "glass", tmp_path / "mine")
    card = json.loads((tmp_path / "mine" / "card.json").read_text(encoding="utf-8"))
    (tmp_path / "mine" / "card.json").write_text(json.dumps(card | changed), encoding="utf-8")
    assert cli.main(["models", "show", str(tmp_path / "mine")]) == 2
    error = capsys.readouterr().err
    assert "its card is not as the bundled models' are (" in error
    assert error.endswith("; read it with --json\n")
    assert cli.main(["models", "show", str(tmp_path / "mine"), "--json"]) == 0
