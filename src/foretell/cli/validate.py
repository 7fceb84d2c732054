"""`foretell validate`."""

from __future__ import annotations

from pathlib import Path

import click

from foretell.cli import common
from foretell.errors import CheckError
from foretell.uses.validate import recordings, validate


@click.command("validate")
@click.argument("name", required=False)
@common.format_option
@click.option(
    "--plot", type=click.Path(path_type=Path), help="Also draw predicted against measured into this file."
)
@click.option(
    "--fail-above",
    type=click.FloatRange(min=0),
    help="Exit 4 if the mean error of the report set is larger (0.2 = 20 %).",
)
def command(name: str | None, format_: str, plot: Path | None, fail_above: float | None) -> None:
    """Predictions against measurements: NAME is a shipped validation or a file of recorded cases.

    Without NAME, lists the shipped ones.
    """
    if name is None:
        click.echo("\n".join(recordings()))
        return
    answer = validate(name)
    if plot is not None:
        from foretell.report import plots

        plots.validation(answer, plot)
    common.write("validation", answer, format_)
    report = answer.summary.get("report")
    if fail_above is not None and report is not None and report.mape > fail_above:
        raise CheckError(f"mean error {report.mape:.1%} of the report set exceeds {fail_above:.1%}")
