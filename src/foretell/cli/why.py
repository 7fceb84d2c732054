"""`foretell why`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from foretell.cli import common
from foretell.cli.advise import advised, emitted
from foretell.cli.measured import captured
from foretell.uses.why import why

if TYPE_CHECKING:
    from pathlib import Path


@click.command("why")
@common.code_argument
@common.on_option(True, "A machine of the library, or a machine file.")
@common.request_options()
@click.option("--lines", is_flag=True, help="The source, annotated: time and bytes of each line.")
@click.option("--assembly", is_flag=True, help="CPU: the code of the innermost loops with its port pressure.")
@click.option(
    "--try",
    "depth",
    type=click.IntRange(min=1, max=4),
    help="Changes of the code, up to N in sequence, each predicted: loops of C and Fortran, launches of CUDA.",
)
@common.repeatable("only", "ID", "With --try: this kind of change alone (interchange, tile, fuse, …).")
@click.option("--emit", type=common.PATH, help="With --try: write the changed source into this file.")
@click.option(
    "--pick",
    type=click.IntRange(min=1),
    help="With --emit: the change of this rank; the first that changes the source.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["table", "json", "csv", "markdown", "sarif"]),
    default="table",
    show_default=True,
    help="How the answer is written to stdout; markdown and sarif with --try.",
)
@common.plot_option
def command(
    code: str,
    on: tuple[str, ...],
    request: common.Request,
    lines: bool,
    assembly: bool,
    depth: int | None,
    only: tuple[str, ...],
    emit: Path | None,
    pick: int | None,
    format_: str,
    plot: Path | None,
) -> None:
    """What the time of CODE depends on, and what to change.

    Every machine parameter is varied, every bound is shown by itself, and changes to the code are tried in the model.
    """
    if len(on) != 1:
        raise click.UsageError("why takes one --on MACHINE")
    if depth is not None:
        answer = advised(code, on[0], request, depth, only)
        common.write("advising", answer, format_)
        if emit is not None:
            emitted(answer, emit, pick)
        return
    if only or emit is not None or format_ in ("markdown", "sarif"):
        raise click.UsageError("--only, --emit, --format markdown and sarif belong to --try N")
    capture = captured.program([code], request)
    if capture is not None:
        if lines or assembly or plot is not None:
            raise click.UsageError("--lines, --assembly and --plot are for one launch: choose it with --kernel")
        captured.explained(capture, on[0], request, format_)
        return
    case = request.case(request.reader(code), on[0])
    with common.progress(f"{case.workload.name} on {case.machine.name}: varying the machine"):
        explained = why(case)
    if format_ != "json":
        explained = replace(explained, lines=explained.lines if lines else (), code=explained.code if assembly else ())
    common.draw("explanation", explained, plot)
    common.write("explanation", explained, format_)
