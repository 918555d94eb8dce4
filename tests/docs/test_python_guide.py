"""The guide's code runs, in its order, and prints what the guide says."""

import doctest
import re
from pathlib import Path

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "python.md"
BLOCKS = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), flags=re.DOTALL)


def test_every_block_of_the_guide(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace = {}
    kept = run(BLOCKS, namespace)
    assert kept == len(BLOCKS)
    assert (tmp_path / "glass.trace.safetensors").stat().st_size > 1000
    assert namespace["again"].digest == namespace["trace"].digest
    assert namespace["without"].value != namespace["with_head"].value


def test_the_blocks_that_need_no_model():
    sessions = [block for block in BLOCKS if block.startswith(">>>")]
    assert len(sessions) >= 6
    assert run(sessions, {}) == len(sessions)


def run(blocks, namespace):
    runner = doctest.DocTestRunner(verbose=False)
    for number, block in enumerate(blocks):
        if block.startswith(">>>"):
            test = doctest.DocTestParser().get_doctest(block, namespace, f"block {number + 1}", str(GUIDE), 0)
            report: list[str] = []
            runner.run(test, out=report.append, clear_globs=False)
            assert runner.failures == 0, "".join(report)
            namespace.update(test.globs)
        else:
            exec(compile(block, f"{GUIDE} block {number + 1}", "exec"), namespace)
    return len(blocks)
