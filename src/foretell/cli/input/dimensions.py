"""The options for the dimensions of a launch, which have one value each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    Option = Callable[[Callable[..., None]], Callable[..., None]]


def dimensions_option(name: str, text: str) -> Option:
    """`--grid` or `--block`: given once for each dimension, all but the last would be lost without a word."""
    return click.option(f"--{name}", multiple=True, metavar="TEXT", help=text, callback=_only)


def _only(_: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> str | None:
    if len(values) > 1:
        raise click.UsageError(
            f"--{parameter.name} is given {len(values)} times: write its dimensions as one, '{','.join(values)}'"
        )
    return values[0] if values else None
