"""Options of tracing, and the arguments after `--` for the traced program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from foretell.cli import common
from foretell.cli.input.number import Number
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

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
            arguments=self.arguments,
            lines=own["lines"] or usual.lines,
            input=own["stdin"],
            seconds=own["limit"] or usual.seconds,
            memory=int(own["memory"] * 2**30) if own["memory"] else usual.memory,
            **{name: own[name] for name in ("kernel", "sample", "all_dependences", "reassociate", "sync")},
        )


def _request(own: dict[str, Any]) -> TraceRequest:
    arguments = click.get_current_context().meta.get(_ARGUMENTS, ())
    if arguments and not own["tracing"]:
        raise click.UsageError("arguments behind -- are for a program that is traced: add --trace")
    return TraceRequest(own["tracing"], own["store"], own, arguments)


_FILE = common.NamedPath(path_type=Path, dir_okay=False)
_OPTIONS: tuple[common.Option, ...] = (
    click.option(
        "--trace", "tracing", is_flag=True, help="Run the program and see what it does; its arguments follow --."
    ),
    click.option(
        "--kernel",
        "--function",
        "kernel",
        default="main",
        help="A function of a source or an object, a kernel of GPU code; with --trace, the function to look at [main].",
    ),
    click.option(
        "--line", "lines", multiple=True, type=int, help="With --trace: a line size in bytes [default: 64 and 128]."
    ),
    click.option(
        "--sample", type=Number(), default=1.0, show_default=True, help="With --trace: the share of lines to follow."
    ),
    click.option("--all-dependences", is_flag=True, help="With --trace: WAR and WAW, too."),
    click.option(
        "--reassociate", is_flag=True, help="With --trace: also the schedule with reductions as trees (a second run)."
    ),
    click.option("--sync", type=click.IntRange(min=0), help="With --trace: synchronisation points."),
    click.option("--stdin", type=_FILE, help="With --trace: a file for the program to read."),
    click.option("--limit", type=Number(min=0.1), show_default="600", help="Seconds it may run."),
    click.option("--memory", type=Number(min=0.1), show_default="8", help="GiB it may use."),
    click.option(
        "-o",
        "--output",
        "store",
        type=_FILE,
        help="With --trace: keep the trace in a file (.trace, or .trace.xz compressed).",
    ),
)
#: adds --trace and related options; the command receives one `trace` argument
trace_options = common.gathered("trace", _OPTIONS, _request)
