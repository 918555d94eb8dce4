"""`doctor`: what this machine has and what it lacks."""

from __future__ import annotations

import click


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout and nothing else.")
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Tells what this machine has, what is missing and how to get it.

    Exits with 1 where something is missing that a render needs.

    \b
    Example:
      python cli.py doctor
      python cli.py doctor --json
    """
    import dataclasses
    import json

    from pipeline.doctor import examine

    findings = list(examine())
    fine = all(finding.fine for finding in findings)
    if as_json:
        rows = [{**dataclasses.asdict(finding), "fine": finding.fine} for finding in findings]
        click.echo(json.dumps({"fine": fine, "findings": rows}, indent=2))
    else:
        for finding in findings:
            remedy = "" if finding.fine else f"  → {finding.remedy}"
            click.echo(f"{' ' if finding.fine else '!'} {finding.name:<22} {finding.value}{remedy}")
        missing = sum(not finding.fine for finding in findings)
        click.echo("nothing is missing" if fine else f"{missing} missing: see the lines marked with !")
    ctx.exit(0 if fine else 1)
