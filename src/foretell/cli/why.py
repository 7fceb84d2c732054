"""`foretell why`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from foretell.cli import common
from foretell.door import prepare
from foretell.uses.why import why

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.prediction import Mode


@click.command("why")
@common.code_argument
@common.on_option(True, "A machine of the library, or a machine file.")
@common.define_option
@common.threads_option
@common.set_option
@common.launch_options
@common.model_options
@common.format_option
@common.plot_option
def command(
    code: str,
    on: tuple[str, ...],
    defines: tuple[str, ...],
    threads: str | None,
    overrides: tuple[str, ...],
    mode: Mode,
    model: str | None,
    options: tuple[str, ...],
    format_: str,
    plot: Path | None,
    **reading: Any,
) -> None:
    """What the time of CODE depends on, and what to change.

    Every machine parameter is varied, every bound is shown by itself, and changes to the code are tried in the model.
    """
    if len(on) != 1:
        raise click.UsageError("why takes one --on MACHINE")
    reader = common.reader(code, **reading)
    machine = common.load_machine(on[0], overrides)
    case = prepare(
        reader.workload(machine),
        machine,
        parameters=common.one_point(common.with_threads(defines, threads)),
        mode=mode,
        model=model,
        options=common.pairs(options, "--option"),
    )
    answer = why(case)
    common.draw("explanation", answer, plot)
    common.write("explanation", answer, format_)
