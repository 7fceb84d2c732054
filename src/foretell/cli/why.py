"""`foretell why`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from foretell.cli import common
from foretell.uses.why import why

if TYPE_CHECKING:
    from pathlib import Path


@click.command("why")
@common.code_argument
@common.on_option(True, "A machine of the library, or a machine file.")
@common.request_options(threads=True)
@common.format_option
@common.plot_option
def command(code: str, on: tuple[str, ...], request: common.Request, format_: str, plot: Path | None) -> None:
    """What the time of CODE depends on, and what to change.

    Every machine parameter is varied, every bound is shown by itself, and changes to the code are tried in the model.
    """
    if len(on) != 1:
        raise click.UsageError("why takes one --on MACHINE")
    case = request.case(request.reader(code), on[0])
    answer = why(case)
    common.draw("explanation", answer, plot)
    common.write("explanation", answer, format_)
