"""bench.plan measures courses that are what it says: built, and current."""

from bench.measure import CLI, measure
from bench.plan import Built, Looked, built_course, report


def test_a_course_to_look_at_is_current(tmp_path):
    built_course(tmp_path, 5)
    told = measure((*CLI, "status", "--check"), folder=tmp_path)
    assert told.output == "5 assets: 5 current\n"
    assert measure((*CLI, "build"), folder=tmp_path).output == ""
    # Manim and PyTorch would take ten times as long.
    assert min(measure((*CLI, "status"), folder=tmp_path).processor for _ in range(3)) < 0.5


def test_the_report_compares_with_one_job():
    text = report([Looked(10, 0.2, 0.3)], [Built("processes", 1, 8, 60.0), Built("cluster", 2, 8, 40.0)])
    assert "| 10 | 0.20 | 0.30 |" in text
    assert "| cluster | 2 | 8 | 40.0 | 1.50 |" in text
