"""`doctor` finds what is missing and says how to get it."""

import importlib.metadata
import json

import pytest

import cli
from pipeline import doctor


def found(name: str) -> doctor.Finding:
    return next(finding for finding in doctor.examine() if finding.name == name)


def test_on_a_machine_that_is_set_up_nothing_is_missing(capsys):
    assert cli.main(["doctor"]) == 0
    assert capsys.readouterr().out.endswith("nothing is missing\n")


def test_json_is_alone_on_stdout(capsys):
    assert cli.main(["doctor", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["fine"] is True
    assert {"python", "torch", "cairo", "cores", "gpu", "libx264"} <= {row["name"] for row in answer["findings"]}


def test_a_missing_font_is_named_with_its_remedy(monkeypatch, tmp_path, capsys):
    (tmp_path / "constraints.txt").touch()
    monkeypatch.setattr(doctor, "ROOT", tmp_path)
    assert cli.main(["doctor"]) == 1
    said = capsys.readouterr().out
    assert "! NotoSans-Regular       missing  → git checkout assets/fonts/NotoSans-Regular.ttf" in said
    assert said.endswith("5 missing: see the lines marked with !\n")


def test_a_missing_package_is_named(monkeypatch):
    def version(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    assert found("numpy") == doctor.Finding("package", "numpy", "missing", "sh setup.sh")


def test_another_version_is_told_but_is_no_fault(monkeypatch):
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "1.0")
    assert found("numpy").value.startswith("1.0, tested with ")
    assert found("numpy").fine


@pytest.mark.parametrize(
    ("cards", "build", "said"),
    [
        ("", "cuda: Optional[str] = None", "none (none is needed)"),
        ("H200", "cuda: Optional[str] = None", "H200; not usable: this torch is built for the CPU only"),
        ("H200", "cuda: Optional[str] = '13.0'", "H200, torch built for CUDA 13.0"),
    ],
)
def test_a_gpu_counts_only_with_a_torch_built_for_it(monkeypatch, cards, build, said):
    monkeypatch.setattr(doctor, "graphics_cards", lambda: cards)
    monkeypatch.setattr(doctor, "torch_version_file", lambda: build)
    assert found("gpu").value == said
