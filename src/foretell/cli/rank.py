"""`foretell rank`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from foretell import frontends, machines
from foretell.cli import common
from foretell.errors import InputError
from foretell.uses.rank import rank

if TYPE_CHECKING:
    from foretell.core.prediction import Mode


@click.command("rank")
@common.code_argument
@common.on_option(False, "A machine to compare; may be given several times. Default: the whole library.")
@common.define_option
@common.set_option
@common.model_options
@common.format_option
def command(
    code: str,
    on: tuple[str, ...],
    defines: tuple[str, ...],
    overrides: tuple[str, ...],
    mode: Mode,
    model: str | None,
    options: tuple[str, ...],
    format_: str,
) -> None:
    """Which machine is fastest for CODE, fastest first."""
    workload = frontends.read(code)
    point = common.one_point(defines)
    candidates = [common.load_machine(name, overrides) for name in on or machines.library()]
    answer = rank(
        workload.with_parameters(point),
        candidates,
        mode=mode,
        model=model,
        options=common.pairs(options, "--option"),
    )
    if not answer.predictions:
        reasons = "\n  ".join(f"{entry.name}: {entry.reason}" for entry in answer.refused)
        raise InputError(f"no machine can be predicted for {workload.name}\n  {reasons}")
    common.write("predictions", answer, format_)
