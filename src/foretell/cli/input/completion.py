"""Completion of arguments by the shell: machines, codes with their functions, options of the models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from foretell.errors import ForetellError

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem


def machines(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Names of the library; `here` is this computer."""
    from foretell.machines import library

    return [name for name in ("here", *library()) if name.startswith(incomplete)]


def codes(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str] | list[CompletionItem]:
    """Examples, functions behind FILE:, and files."""
    if incomplete.startswith("example:"):
        from foretell import frontends

        named = (f"example:{name}" for name in frontends.examples())
        return [name for name in named if name.startswith(incomplete)]
    file, colon, start = incomplete.rpartition(":")
    if colon and Path(file).is_file():
        return [f"{file}:{name}" for name in _functions(file) if name.startswith(start)]
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def functions(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Functions with loops of the code that the command names."""
    named = ctx.params.get("code") or next(iter(ctx.params.get("codes") or ()), "")
    file = named if isinstance(named, str) else next(iter(named), "")
    return [name for name in _functions(file) if name.startswith(incomplete)]


def model_options(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """NAME= of every model's options, then their choices."""
    from foretell import models

    options = [option for name in models.names() for option in models.get(name).options]
    pairs = [f"{option.name}={choice}" for option in options for choice in option.choices or ("",)]
    return sorted({pair for pair in pairs if pair.startswith(incomplete)})


def _functions(file: str) -> list[str]:
    from foretell import frontends
    from foretell.core.nest.loopnest import Loops

    try:
        if not frontends.is_source(file):
            return []
        nests = frontends.read_sources([file]).facet(Loops).nests
    except ForetellError:
        return []
    return list(dict.fromkeys(nest.function for nest in nests))
