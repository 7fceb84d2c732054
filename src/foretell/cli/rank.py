"""`foretell rank`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from foretell import machines
from foretell.cli import common
from foretell.cli.input import completion
from foretell.cli.measured import captured
from foretell.errors import InputError
from foretell.uses.rank import rank

if TYPE_CHECKING:
    from pathlib import Path


@click.command("rank")
@click.argument("codes", nargs=-1, metavar="CODE...", shell_complete=completion.codes)
@click.option("--code", "more", multiple=True, help="Another code: the same problem, solved otherwise.")
@common.on_option(False, "A machine to compare; may be given several times. Default: the whole library.")
@common.request_options()
@common.measured_option
@common.plot_option
@common.format_option
def command(
    codes: tuple[str, ...],
    more: tuple[str, ...],
    on: tuple[str, ...],
    request: common.Request,
    measured: tuple[str, ...],
    plot: Path | None,
    format_: str,
) -> None:
    """Which machine is fastest for a code, or which of several codes is fastest where: fastest first."""
    if not codes and not more:
        raise click.UsageError("which code? foretell rank CODE…")
    capture = captured.program((*more, *codes), request)
    if capture is not None:
        if plot is not None or measured:
            raise click.UsageError("--plot and --measured are for one launch: choose it with --kernel")
        captured.ranked(capture, on, request, format_)
        return
    readers = [request.reader(code) for code in (*more, *codes)]
    candidates = [request.machine(name) for name in on or machines.library()]
    every = request.threads == common.ALL
    answer = rank(
        readers,
        candidates,
        parameters=common.one_point(request.sizes(*readers), None if every else request.threads),
        all_threads=every,
        measured=common.seconds(measured),
        **request.how(*readers),
    )
    if not answer.predictions:
        reasons = "\n  ".join(f"{entry.name}: {entry.reason}" for entry in answer.refused)
        codes_read = [workload for reader in readers for _, workload in reader.on_each(candidates)]
        names = dict.fromkeys(workload.name for workload in codes_read if not isinstance(workload, InputError))
        raise InputError(f"no machine can be predicted for {', '.join(names)}\n  {reasons}")
    common.draw("predictions", answer, plot)
    common.write("predictions", answer, format_)
