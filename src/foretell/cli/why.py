"""`foretell why`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from foretell.cli import common
from foretell.uses.why import why

if TYPE_CHECKING:
    from pathlib import Path


@click.command("why")
@common.code_argument
@common.on_option(True, "A machine of the library, or a machine file.")
@common.request_options()
@click.option("--lines", is_flag=True, help="The source, annotated: time and bytes of each line.")
@click.option("--assembly", is_flag=True, help="CPU: the code of the innermost loops with its port pressure.")
@common.format_option
@common.plot_option
def command(
    code: str,
    on: tuple[str, ...],
    request: common.Request,
    lines: bool,
    assembly: bool,
    format_: str,
    plot: Path | None,
) -> None:
    """What the time of CODE depends on, and what to change.

    Every machine parameter is varied, every bound is shown by itself, and changes to the code are tried in the model.
    """
    if len(on) != 1:
        raise click.UsageError("why takes one --on MACHINE")
    case = request.case(request.reader(code), on[0])
    with common.progress(f"{case.workload.name} on {case.machine.name}: varying the machine"):
        answer = why(case)
    if format_ != "json":
        answer = replace(answer, lines=answer.lines if lines else (), code=answer.code if assembly else ())
    common.draw("explanation", answer, plot)
    common.write("explanation", answer, format_)
