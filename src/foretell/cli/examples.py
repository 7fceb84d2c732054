"""`foretell examples`."""

from __future__ import annotations

import click

from foretell import frontends


@click.command("examples")
def command() -> None:
    """The shipped codes: `foretell predict example:NAME`."""
    for name in frontends.examples():
        click.echo(f"example:{name}")
