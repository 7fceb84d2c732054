"""`foretell describe`."""

from __future__ import annotations

import click

from foretell import frontends
from foretell.cli import common


@click.command("describe")
@common.code_argument
@common.define_option
@common.format_option
def command(code: str, defines: tuple[str, ...], format_: str) -> None:
    """What foretell sees in CODE: facets, parameters, assumptions."""
    workload = frontends.read(code).with_parameters(common.one_point(defines))
    common.write("workload", workload, format_)
