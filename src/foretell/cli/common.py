"""Options shared by several commands, and output of answers."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from foretell import frontends
from foretell.errors import InputError, OptionError, UnitError
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.api import Case
    from foretell.core.answers.prediction import Mode
    from foretell.core.columns.space import Space
    from foretell.core.machine.machine import Machine
    from foretell.frontends import Reader

F = TypeVar("F", bound=Callable[..., Any])

#: limit of predictions per table; more are a job for a sweep
_MAX_PREDICTIONS = 100_000

code_argument = click.argument("code")
format_option = click.option(
    "--format",
    "format_",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    show_default=True,
    help="How the answer is written to stdout.",
)
define_option = click.option(
    "-D",
    "--define",
    "defines",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of the code: N=512, a range N=64:1024:32 (first:last:step) or a list N=1,2,4.",
)
threads_option = click.option(
    "--threads", default=None, metavar="N", help="Threads of a CPU: a number, a range or a list, as for -D."
)
set_option = click.option(
    "--set",
    "overrides",
    multiple=True,
    metavar="PATH=VALUE",
    help="Another number for the machine, e.g. memory.bandwidth=64GB/s.",
)


plot_option = click.option(
    "--plot", type=click.Path(path_type=Path), help="Also draw the answer into this file (.png, .svg, .pdf)."
)
measured_option = click.option(
    "--measured", multiple=True, metavar="MACHINE=TIME", help="A time that was measured there: h200=1.2ms."
)


branch_option = click.option(
    "--branch",
    "branch",
    multiple=True,
    metavar="LINE=SHARE",
    help="How often the condition on a source line holds; on a GPU, the share of lanes that jump there.",
)


def launch_options(command: F) -> F:
    """Adds --branch, also for sources; --kernel, --grid, --block, --arg, --launch and others for GPU machine code."""
    for option in (
        branch_option,
        click.option(
            "--trip",
            "trip",
            multiple=True,
            metavar="LINE=ROUNDS",
            help="How often a loop goes round whose end depends on data; LINE in the source, or 0x1a0 in the code.",
        ),
        click.option(
            "--region",
            "region",
            multiple=True,
            metavar="NAME=FIRST-LAST",
            help="A part of a GPU kernel with a name for `why`: source lines, or 0x1a0-0x2f0 in the code.",
        ),
        click.option(
            "--l2-hit",
            type=click.FloatRange(0, 1),
            default=None,
            help="Measured: of the sectors that reach L2 for loads, the share that it holds.",
        ),
        click.option(
            "--l1-hit",
            type=click.FloatRange(0, 1),
            default=None,
            help="Measured: of the sectors of global memory that loads ask for, the share that L1 holds.",
        ),
        click.option(
            "--launch",
            "launch",
            type=click.Path(path_type=Path),
            help="A file of launches: TOML, or ncu --csv with --arg for all of them.",
        ),
        click.option(
            "--arch",
            type=int,
            default=None,
            help="Architecture (90: sm_90) in a file of several, or to compile a .cu for; default: the machine's.",
        ),
        click.option("--dynamic-shared", type=click.IntRange(min=0), default=0, help="Bytes of one block."),
        click.option(
            "--arg",
            "args",
            multiple=True,
            help="An argument of the kernel: f32[4096], i32[64]@iota, 2048. In the order of its parameters.",
        ),
        click.option("--block", default=None, help="Threads of a block: 256 or 32,8."),
        click.option("--grid", default=None, help="Blocks of the grid: 1024 or 64,64."),
        click.option(
            "--kernel",
            "--function",
            "kernel",
            default=None,
            help="The kernel of a GPU binary; of a source, the function (with what it calls) or loop FUNCTION:LINE.",
        ),
    ):
        command = option(command)
    return command


#: names of the arguments from `launch_options`
_LAUNCH = (
    "kernel", "grid", "block", "args", "dynamic_shared", "arch", "launch",
    "branch", "trip", "region", "l1_hit", "l2_hit",
)  # fmt: skip


def model_options(command: F) -> F:
    """Adds --mode, --model, --option."""
    for option in (
        click.option("--option", "options", multiple=True, metavar="NAME=CHOICE", help="A decision of the model."),
        click.option("--model", default=None, help="The model to use; chosen by what the input gives."),
        click.option(
            "--mode",
            type=click.Choice(["default", "paper"]),
            default="default",
            show_default=True,
            help="paper: the literal equations of the model's paper.",
        ),
    ):
        command = option(command)
    return command


@record
class Request:
    """Prediction arguments of a command: parameters of the code, machine overrides, the model and its options, and the
    launch of a GPU kernel."""

    defines: tuple[str, ...]
    overrides: tuple[str, ...]
    mode: Mode
    model: str | None
    options: tuple[str, ...]
    launch: Mapping[str, Any]

    def reader(self, code: str, also: tuple[str, ...] = ()) -> Reader:
        """Returns the reader of CODE; options that do not fit it are a usage error."""
        flags = {flag: pairs(self.launch[flag], f"--{flag}") for flag in ("branch", "trip", "region")}
        try:
            return frontends.Reader(code, frontends.read_options(**{**self.launch, **flags}, also=also))
        except OptionError as error:
            raise click.UsageError(str(error)) from None

    def machine(self, name: str) -> Machine:
        """Loads a machine and applies the overrides."""
        return load_machine(name, self.overrides)

    def point(self) -> dict[str, float]:
        """Returns the parameters, where only single values are permitted."""
        return one_point(self.defines)

    def decisions(self) -> dict[str, str]:
        """Returns the options of the model."""
        return pairs(self.options, "--option")

    def case(self, reader: Reader, name: str) -> Case:
        """Prepares the prediction of one code on one machine."""
        from foretell.api import prepare

        machine = self.machine(name)
        return prepare(
            reader.workload(machine),
            machine,
            parameters=self.point(),
            mode=self.mode,
            model=self.model,
            options=self.decisions(),
        )


def request_options(*, threads: bool) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Adds -D, --threads, --set and the options of launches and models; the command receives them as one `request`."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def called(**given: Any) -> None:
            launch = {name: given.pop(name) for name in _LAUNCH}
            told = {name: given.pop(name) for name in ("overrides", "mode", "model", "options")}
            defines = with_threads(given.pop("defines"), given.pop("threads", None))
            command(request=Request(defines=defines, launch=launch, **told), **given)

        own = [model_options, launch_options, set_option, threads_option, define_option]
        for option in own if threads else own[:3] + own[4:]:
            called = option(called)
        return called

    return decorate


def on_option(required: bool, text: str) -> Callable[[F], F]:
    """Adds --on MACHINE, repeatable."""
    return click.option("--on", "on", multiple=True, required=required, metavar="MACHINE", help=text)


def pairs(items: Sequence[str], flag: str) -> dict[str, str]:
    """Parses NAME=VALUE arguments; one without '=' is a usage error."""
    result = {}
    for item in items:
        name, equals, value = item.partition("=")
        if not equals or not name or not value:
            raise click.UsageError(f"{flag} {item}: write NAME=VALUE")
        result[name.strip()] = value.strip()
    return result


def seconds(items: Sequence[str]) -> dict[str, float]:
    """Parses MACHINE=TIME arguments."""
    from foretell import units

    return {name: units.parse_as(text, "s") for name, text in pairs(items, "--measured").items()}


def with_threads(defines: tuple[str, ...], threads: str | None) -> tuple[str, ...]:
    """Appends --threads as the parameter of that name."""
    return defines if threads is None else (*defines, f"threads={threads}")


def space(defines: Sequence[str]) -> Space:
    """Returns the parameter points requested by -D; without -D one point with no parameter set."""
    from foretell.core.columns.space import Axis, Space

    result = Space(tuple(Axis.parse(name, text) for name, text in pairs(defines, "-D").items()))
    if result.size > _MAX_PREDICTIONS:
        raise InputError(f"-D asks for {result.size} points, more than {_MAX_PREDICTIONS}")
    return result


def one_point(defines: Sequence[str]) -> dict[str, float]:
    """Parses -D where only single values are permitted."""
    chosen = space(defines)
    if chosen.size != 1:
        raise click.UsageError("-D takes single values here, not ranges")
    return next(chosen.points())


def load_machine(name: str, overrides: Sequence[str]) -> Machine:
    """Loads a machine and applies overrides, converted to the machine's own units: cycles and seconds by means of the
    clock."""
    from foretell import machines, units
    from foretell.core.machine.parameters import current, parameter

    machine = machines.load(name)
    given = {current(path): (text, units.parse(text)) for path, text in pairs(overrides, "--set").items()}
    values: dict[str, float] = {}
    for path, (text, measure) in sorted(given.items(), key=lambda one: one[0] != _CLOCK):
        wanted = machine[path].unit if path in machine else parameter(path).units[0]
        clock = values.get(_CLOCK) or (machine.value(_CLOCK) if _CLOCK in machine else None)
        factor = 1.0 if measure.unit == wanted else _at_clock(measure.unit, wanted, clock)
        if factor is None or measure.unit not in parameter(path).units:
            known = wanted or "a pure number"
            raise UnitError(f"--set {path}={text}: is in {measure.unit or 'no unit'}, expected {known}")
        if measure.value <= 0:
            raise InputError(f"--set {path}={text}: must be positive")
        values[path] = measure.value * factor
    return machine.with_values(values) if values else machine


_CLOCK = "clock.frequency"


def _at_clock(given: str, wanted: str, clock: float | None) -> float | None:
    """Returns the factor that converts between per-cycle and per-second units; None for other units."""
    if clock is None:
        return None
    more, less = {("s", "cycle"), ("B/cycle", "B/s")}, {("cycle", "s"), ("B/s", "B/cycle")}
    return clock if (given, wanted) in more else 1 / clock if (given, wanted) in less else None


def color() -> bool:
    """Whether stdout is a terminal and colour is not disabled."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


@contextmanager
def progress(title: str) -> Iterator[Callable[[str], None]]:
    """Shows the current activity on stderr, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status(title) as status:
        yield lambda step: status.update(f"{title} {step}")


def draw(kind: str, answer: object, path: Path | None) -> None:
    """Plots an answer, if a path is given."""
    if path is not None:
        from foretell.report.plots import answers

        getattr(answers, kind)(answer, path)


def write(kind: str, answer: object, format_: str) -> None:
    """Prints an answer on stdout. Every report module (text, json, csv) has a function for every kind of answer."""
    if format_ == "table":
        from foretell.report import text

        click.echo(text.render(getattr(text, kind)(answer), color=color()))
    elif format_ == "json":
        from foretell.report import json

        click.echo(json.dumps(getattr(json, kind)(answer)))
    else:
        from foretell.report import csv

        click.echo(getattr(csv, kind)(answer))
