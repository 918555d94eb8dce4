"""A page of what a build changed: each asset's picture before and after, and its numbers, largest change first."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from pipeline.course.build import WORDS, Outcome
from pipeline.course.changes import Change, text_changes
from pipeline.course.store import Kept
from pipeline.render.job import STILLS
from transformer_core.errors import InputError

MOST_NUMBERS = 200
STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
section { border-top: 1px solid; margin-top: 2rem; }
.pictures { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); }
figure { margin: 0; } img { max-width: 100%; height: auto; }
table { border-collapse: collapse; } td, th { padding: .2rem .8rem .2rem 0; text-align: left; }
td.number { font-variant-numeric: tabular-nums; text-align: right; }
"""


@dataclass(frozen=True)
class Entry:
    """One rebuilt picture with its changed numbers."""

    outcome: Outcome
    changes: Sequence[Change]

    @property
    def largest(self) -> float:
        """By how much its most changed number moved."""
        return max((change.distance for change in self.changes), default=0.0)


def write_report(path: Path, outcomes: Iterable[Outcome], *, course: str) -> None:
    """Write the page, pictures inside, by one rename. Raises InputError where it cannot be written."""
    entries = sorted((_entry(outcome) for outcome in outcomes), key=lambda entry: -entry.largest)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            draft.write_text(page(entries, course=course), encoding="utf-8")
            os.replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"--report {path}", f"cannot be written ({error.strerror})", "name another file") from None


def page(entries: Sequence[Entry], *, course: str) -> str:
    """The page as HTML, complete in itself."""
    title = f"What a build of {course} changed"
    body = "".join(_section(entry) for entry in entries) or "<p>Nothing was built.</p>"
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n<h1>{escape(title)}</h1>\n{body}</main>\n</body>\n</html>\n"
    )


def _entry(outcome: Outcome) -> Entry:
    if outcome.before is None or outcome.after is None:
        return Entry(outcome, outcome.changes)
    return Entry(outcome, text_changes(outcome.before.record(), outcome.after.record()) or outcome.changes)


def _section(entry: Entry) -> str:
    outcome = entry.outcome
    names = ", ".join(asset.name for asset in outcome.task.assets)
    reasons = "; ".join(dict.fromkeys(state.why for state in outcome.task.states))
    how = f"failed: {outcome.error}" if outcome.error else WORDS.get(outcome.how or "", "done by another build")
    parts = [f"<section>\n<h2>{escape(names)}</h2>\n<p>{escape(how)}. {escape(reasons)}.</p>\n"]
    pictures = [_figure(outcome.before, "before", names), _figure(outcome.after, "after", names)]
    if any(pictures) and outcome.how == "drawn":
        parts.append(f'<div class="pictures">\n{"".join(pictures)}</div>\n')
    parts.append(_table(entry.changes))
    return "".join([*parts, "</section>\n"])


def _figure(kept: Kept | None, when: str, names: str) -> str:
    stills = sorted((kept.folder / STILLS).glob("*.png")) if kept else []
    if not stills or kept is None:
        return ""
    # The last of several beats stands for the picture, as a scene's poster does.
    beats = [beat["name"] for beat in kept.record()["beats"]]
    still = max(stills, key=lambda path: beats.index(path.stem) if path.stem in beats else -1)
    data = base64.b64encode(still.read_bytes()).decode()
    alt = escape(f"{names} {when}: {_alt(kept.record(), still.stem)}", quote=True)
    return f'<figure><img src="data:image/png;base64,{data}" alt="{alt}"><figcaption>{when}</figcaption></figure>\n'


def _alt(record: Mapping[str, Any], beat: str) -> str:
    return next((str(each["alt"].get("en", "")) for each in record["beats"] if each["name"] == beat), "")


def _table(changes: Sequence[Change]) -> str:
    if not changes:
        return "<p>No number on screen changed.</p>\n"
    rows = "".join(
        f"<tr><th scope=row><code>{escape(change.address)}</code></th><td class=number>{escape(change.then)}</td>"
        f"<td class=number>{escape(change.now)}</td><td class=number>{change.distance:.3g}</td></tr>\n"
        for change in changes[:MOST_NUMBERS]
    )
    more = len(changes) - MOST_NUMBERS
    left = f"<p>And {more} more, smaller ones.</p>\n" if more > 0 else ""
    head = "<tr><th scope=col>number<th scope=col>before<th scope=col>after<th scope=col>by</tr>\n"
    return f"<table>\n<caption>Numbers that changed, largest first</caption>\n{head}{rows}</table>\n{left}"
