"""Captures of CUDA programs, which `predict`, `why` and `rank` take as whole programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from foretell import files, frontends, machines
from foretell.cli import common
from foretell.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from foretell.core.answers.program_run import ProgramRun
    from foretell.core.machine.machine import Machine


def program(codes: Sequence[str], request: common.Request, also: tuple[str, ...] = ()) -> Path | None:
    """The capture that is asked for as a program; None: something else, or a launch of it."""
    if len(codes) != 1:
        return None
    try:
        path = frontends.program_capture(codes[0], request.reading(also))
    except OptionError as error:
        raise click.UsageError(str(error)) from None
    if path is not None and (request.mode != "default" or request.model or request.options):
        raise click.UsageError("--mode, --model and --option are for one launch: choose it with --kernel")
    return path


def predicted(path: Path, on: Sequence[str], request: common.Request, timeline: Path | None, format_: str) -> None:
    """`predict` of a program."""
    from foretell.uses.program_run.replay import predict_capture

    if timeline is not None:
        common.check_writable(timeline)
    answer = predict_capture(path, _machines(on, request))
    if timeline is not None:
        write_timeline(answer, timeline)
    common.write("program_run", answer, format_)


def explained(path: Path, on: str, request: common.Request, format_: str) -> None:
    """`why` of a program."""
    from foretell.uses.program_run.replay import predict_capture

    common.write("program_run", predict_capture(path, _machines([on], request), explain=True), format_)


def ranked(path: Path, on: Sequence[str], request: common.Request, format_: str) -> None:
    """`rank` of machines for a program; of all GPUs, if none is named."""
    from foretell.uses.program_run.replay import rank_capture

    candidates = _machines(on or machines.library(), request)
    if not on:
        candidates = [item for item in candidates if item.traits.get("target.cpu", "").startswith("sm_")]
    common.write("program_run", rank_capture(path, candidates), format_)


def write_timeline(answer: ProgramRun, path: Path) -> None:
    """Writes the timelines of all machines."""
    from foretell.report.sections.program_run import trace

    files.write_text(path, trace(answer))
    common.wrote(path)


def _machines(on: Sequence[str], request: common.Request) -> list[Machine]:
    return [request.machine(name) for each in on for name in each.split(",") if name]
