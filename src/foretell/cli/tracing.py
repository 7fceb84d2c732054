"""Options of tracing, and the arguments after `--` for the traced program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from foretell.frontends import TraceOptions

_ARGUMENTS = "foretell.program_arguments"


class ProgramCommand(click.Command):
    """A command whose arguments after `--` belong to the program that it runs."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            at = args.index("--")
            ctx.meta[_ARGUMENTS] = tuple(args[at + 1 :])
            args = args[:at]
        return super().parse_args(ctx, args)


@record
class TraceRequest:
    """The user's options of a trace."""

    wanted: bool
    store: Path | None
    given: Mapping[str, Any]
    arguments: tuple[str, ...]

    @property
    def options(self) -> TraceOptions:
        from foretell.frontends import TraceOptions  # imported late: the tracer is large

        own, usual = self.given, TraceOptions()
        return TraceOptions(
            kernel=own["kernel"],
            arguments=self.arguments,
            lines=own["lines"] or usual.lines,
            sample=own["sample"],
            all_dependences=own["all_dependences"],
            reassociate=own["reassociate"],
            sync=own["sync"],
            input=own["stdin"],
            seconds=own["limit"] or usual.seconds,
            memory=int(own["memory"] * 2**30) if own["memory"] else usual.memory,
        )


def trace_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds --trace and related options; the command receives one `trace` argument."""

    def wrapped(**given: Any) -> Any:
        own = {name: given.pop(name) for name in _NAMES}
        return command(trace=_request(own), **given)

    wrapped.__name__ = command.__name__
    wrapped.__doc__ = command.__doc__
    wrapped.__click_params__ = getattr(command, "__click_params__", [])  # type: ignore[attr-defined]
    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped


def _request(own: dict[str, Any]) -> TraceRequest:
    arguments = click.get_current_context().meta.get(_ARGUMENTS, ())
    if arguments and not own["tracing"]:
        raise click.UsageError("arguments behind -- are for a program that is traced: add --trace")
    return TraceRequest(own["tracing"], own["store"], own, arguments)


_NAMES = [
    "tracing",
    "kernel",
    "lines",
    "sample",
    "all_dependences",
    "reassociate",
    "sync",
    "stdin",
    "limit",
    "memory",
    "store",
]
_FILE = click.Path(path_type=Path, dir_okay=False)
_OPTIONS = (
    click.option(
        "--trace", "tracing", is_flag=True, help="Run the program and see what it does; its arguments follow --."
    ),
    click.option("--kernel", default="main", show_default=True, help="With --trace: the function to look at."),
    click.option(
        "--line", "lines", multiple=True, type=int, help="With --trace: a line size in bytes [default: 64 and 128]."
    ),
    click.option(
        "--sample", type=float, default=1.0, show_default=True, help="With --trace: the share of lines to follow."
    ),
    click.option("--all-dependences", is_flag=True, help="With --trace: WAR and WAW, too."),
    click.option(
        "--reassociate", is_flag=True, help="With --trace: also the schedule with reductions as trees (a second run)."
    ),
    click.option("--sync", type=click.IntRange(min=0), default=None, help="With --trace: synchronisation points."),
    click.option("--stdin", type=_FILE, default=None, help="With --trace: a file for the program to read."),
    click.option("--limit", type=click.FloatRange(min=0.1), show_default="600", help="Seconds it may run."),
    click.option("--memory", type=click.FloatRange(min=0.1), show_default="8", help="GiB it may use."),
    click.option(
        "-o",
        "--output",
        "store",
        type=_FILE,
        default=None,
        help="With --trace: keep the trace in a file (.trace, or .trace.xz compressed).",
    ),
)
