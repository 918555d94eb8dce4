"""bench.forms tells what a form of film costs beyond mp4."""

from bench.forms import Cost, report


def test_the_report_takes_off_what_mp4_takes():
    rows = [Cost("mp4", False, 6.0, 180.0), Cost("webm", False, 10.5, 180.0), Cost("webm", True, 9.0, 180.0)]
    text = report(rows)
    assert "| mp4 | 6.0 | 180 | 0.000 |" in text
    assert "| webm | 10.5 | 180 | 0.025 |" in text
    assert "| webm, transparent | 9.0 | 180 | 0.017 |" in text
