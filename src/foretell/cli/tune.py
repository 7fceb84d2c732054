"""`foretell tune`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from foretell import files, frontends
from foretell.cli import common
from foretell.core.columns.space import Axis, Space
from foretell.errors import InputError
from foretell.uses.tune import Job, tune

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.api import Case
    from foretell.core.answers.tuning import Strategy, Variant


@click.command("tune")
@common.code_argument
@common.on_option(True, "A machine of the library, or a machine file.")
@common.request_options()
@common.format_option
@common.plot_option
@click.option("--strategy", type=click.Choice(["static", "dynamic", "hybrid"]), default="static", show_default=True,
              help="Predict every variant, simulate every one, or simulate those predicted best.")  # fmt: skip
@click.option("--budget", type=click.IntRange(1), default=10, show_default=True, help="Variants that hybrid simulates.")
@common.repeatable("axis", "NAME=VALUES", "Values to try: tile_i=1,2,4 or 1:16:1.", "axes")
@click.option("--emit", type=common.PATH, help="Write the chosen variant as source.")
@click.option("--journal", type=common.PATH, help="Where simulated times are kept; a rerun continues.")
@click.option("--resume/--fresh", default=True, help="Continue from the journal (default), or begin anew.")
@click.option("--no-progress", is_flag=True, help="No progress bar.")
def command(
    code: str,
    on: tuple[str, ...],
    request: common.Request,
    format_: str,
    plot: Path | None,
    strategy: Strategy,
    budget: int,
    axes: tuple[str, ...],
    emit: Path | None,
    journal: Path | None,
    resume: bool,
    no_progress: bool,
) -> None:
    """The best variant of CODE on a machine: tile sizes and unroll factors of annotated loops."""
    if len(on) != 1:
        raise click.UsageError("tune takes one --on MACHINE")
    case = request.case(request.reader(code), on[0])
    with common.progress_bar(case.workload.name, no_progress) as bar:

        def progress(done: int, total: int, best: Variant) -> None:
            seconds = best.judged_s if best.judged_s is not None else best.predicted_s
            shown = " ".join(f"{name}={value:g}" for name, value in best.parameters.items())
            bar(done, total, f"best {seconds:.3g} s: {shown}")

        job = Job(strategy, budget, journal, fresh=not resume, progress=progress)
        answer = tune(case, _space(case, axes), job)
    if emit is not None:
        files.write_text(emit, frontends.variant_source(case.workload, answer.best.parameters))
    common.draw("tuning", answer, plot)
    common.write("tuning", answer, format_)


def _space(case: Case, axes: tuple[str, ...]) -> Space:
    """Returns the axes proposed by the model, with the user's axes in place of those of the same name."""
    given = {name: Axis.parse(name, text) for name, text in common.pairs(axes, "--axis").items()}
    try:
        proposed = {axis.name: axis for axis in case.model.search_space(case.workload, case.machine).axes}
    except InputError:
        if not given:
            raise
        proposed = {}
    return Space(tuple({**proposed, **given}.values()))
