"""Shared by `import` and `profile`: the machine of the run, and output of profiles."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from foretell import frontends, machines
from foretell.cli import common
from foretell.core.facets.counts import Counts
from foretell.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.workload import Workload


def machine_hash(measured_on: str | None) -> str:
    """Returns the content hash of the machine of the run; a wrong name is detected before anything is read."""
    return machines.load(measured_on).content_hash if measured_on else ""


def leave(workload: Workload, measured_on: str | None, output: Path | None, format_: str) -> None:
    """Writes a profile to a file, or describes it on stdout. A library machine is stored by name, a user's file with
    all its numbers, so that the profile is portable."""
    counts = workload.facet(Counts)
    if measured_on and measured_on not in machines.library():
        counts = replace(counts, machine=machines.load(measured_on), machine_name="", machine_hash="")
    workload = replace(workload, facets=(counts,))
    if output is None:
        common.write("workload", workload, format_)
        return
    try:
        text = frontends.profile_text(workload.name, counts, workload.assumptions)
        output.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=output) from None
    click.echo(f"wrote {output}", err=True)
