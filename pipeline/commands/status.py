"""`status`: what of a course is stale, and why."""

from __future__ import annotations

import click


@click.command()
@click.argument("course", required=False, metavar="[COURSE.toml]")
@click.option("--only", multiple=True, metavar="NAME", help="Only this asset, block or scene; * stands for anything.")
@click.option("--check", is_flag=True, help="Exit with 3 when anything is stale.")
@click.option("--why", is_flag=True, help="Run the model where it changed, and name the largest change.")
@click.option("--json", "as_json", is_flag=True, help="One JSON array on stdout and nothing else.")
@click.pass_context
def command(
    ctx: click.Context, course: str | None, only: tuple[str, ...], check: bool, why: bool, as_json: bool
) -> None:
    """Compares a course with what it was made from, at once and without computing anything.

    An asset is stale when its code, texts, theme, fonts, spec or programs changed. When its model changed, it is not
    yet known whether a shown digit did: `--why` computes that, and `build` does before it draws anything.

    \b
    Examples:
      python cli.py status
      python cli.py status --why
      python cli.py status lectures/course.toml --check --json
    """
    import json
    from collections import Counter

    from pipeline.course.open import open_course
    from pipeline.course.state import WORDS

    opened = open_course(course, only=only)
    told = {}
    if why:
        from pipeline.course.why import why as compared

        asked = [state for state in opened.states if state.stale and state.made]
        told = {each.asset.name: compared(each, opened.store, base=opened.course.folder) for each in asked}
    if as_json:
        rows = [
            {
                "name": each.asset.name,
                "block": each.asset.block + 1,
                "scene": each.asset.picture.entry.name,
                "format": each.asset.form,
                "condition": each.condition,
                "stale": each.stale,
                "reasons": list(each.reasons),
                **({"why": told[each.asset.name]} if each.asset.name in told else {}),
            }
            for each in opened.states
        ]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        width = max(len(words) for words in WORDS.values())
        for each in opened.states:
            if each.condition == "current":
                continue
            reasons = "; ".join([*each.reasons, *([told[each.asset.name]] if each.asset.name in told else [])])
            suffix = f": {reasons}" if reasons else ""
            click.echo(f"{WORDS[each.condition]:<{width}}  {each.asset.name}{suffix}")
        counts = Counter(WORDS[each.condition] for each in opened.states)
        click.echo(f"{len(opened.states)} assets: {', '.join(f'{count} {words}' for words, count in counts.items())}")
    ctx.exit(3 if check and any(each.stale for each in opened.states) else 0)
