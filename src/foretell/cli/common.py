"""Options shared by several commands, and output of answers."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib import import_module
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
Option = Callable[[Callable[..., None]], Callable[..., None]]

#: limit of predictions per table; more are a job for a sweep
_MAX_PREDICTIONS = 100_000
PATH = click.Path(path_type=Path)

code_argument = click.argument("code")
format_option = click.option(
    "--format",
    "format_",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    show_default=True,
    help="How the answer is written to stdout.",
)
plot_option = click.option("--plot", type=PATH, help="Also draw the answer into this file (.png, .svg, .pdf).")


def repeatable(name: str, metavar: str, text: str, variable: str | None = None) -> Callable[[F], F]:
    """Makes an option that may be given several times."""
    return click.option(f"--{name}", variable or name, multiple=True, metavar=metavar, help=text)


define_option = click.option(
    "-D",
    "--define",
    "defines",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of the code: N=512, a range N=64:1024:32 (first:last:step) or a list N=1,2,4.",
)
threads_option = click.option(
    "--threads", metavar="N", help="Threads of a CPU: a number, a range or a list, as for -D."
)
set_option = repeatable(
    "set", "PATH=VALUE", "Another number for the machine, e.g. memory.bandwidth=64GB/s.", "overrides"
)
measured_option = repeatable("measured", "MACHINE=TIME", "A time that was measured there: h200=1.2ms.")
branch_option = repeatable(
    "branch",
    "LINE=SHARE",
    "How often the condition on a source line holds; on a GPU, the share of lanes that jump there.",
)
option_option = repeatable("option", "NAME=CHOICE", "A decision of the model.", "options")
mode_choice = click.Choice(["default", "paper"])

#: the launch of GPU machine code, and the function and branches of a source
_LAUNCH: tuple[Option, ...] = (
    click.option(
        "--kernel",
        "--function",
        "kernel",
        help="The kernel of a GPU binary; of a source, the function (with what it calls) or loop FUNCTION:LINE.",
    ),
    click.option("--grid", help="Blocks of the grid: 1024, 64,64 or 64x64."),
    click.option("--block", help="Threads of a block: 256, 32,8 or 32x8."),
    repeatable(
        "arg",
        "TEXT",
        "An argument of the kernel: f32[4096], i32[64]@iota, 2048. In the order of its parameters.",
        "args",
    ),
    click.option("--dynamic-shared", type=click.IntRange(min=0), default=0, help="Bytes of one block."),
    click.option(
        "--arch",
        type=int,
        help="Architecture (90: sm_90) in a file of several, or to compile a .cu for; default: the machine's.",
    ),
    click.option("--nvcc", default="", help="Flags for the compilation of a .cu: '-I include -DN=4 --use_fast_math'."),
    click.option(
        "--start",
        default="",
        help="What L2 holds when a launch starts: cold, warm, or after NAME of a launch file. CPU: where the data is "
        "before the call: warm (in cache, from the call before), cold (in memory), flushed (never touched).",
    ),
    click.option("--launch", type=PATH, help="A file of launches: TOML, or ncu --csv with --arg for all of them."),
    click.option(
        "--l1-hit",
        type=click.FloatRange(0, 1),
        help="Measured: of the sectors of global memory that loads ask for, the share that L1 holds.",
    ),
    click.option(
        "--l2-hit",
        type=click.FloatRange(0, 1),
        help="Measured: of the sectors that reach L2 for loads, the share that it holds.",
    ),
    repeatable(
        "region",
        "NAME=FIRST-LAST",
        "A part of a GPU kernel with a name for `why`: source lines, or 0x1a0-0x2f0 in the code.",
    ),
    repeatable(
        "trip",
        "LINE=ROUNDS",
        "How often a loop goes round whose end depends on data; LINE in the source, LINE#2, or 0x1a0 in the code.",
    ),
    branch_option,
)
_MODEL: tuple[Option, ...] = (
    click.option(
        "--mode",
        type=mode_choice,
        default="default",
        show_default=True,
        help="paper: the literal equations of the model's paper.",
    ),
    click.option("--model", help="The model to use; chosen by what the input gives."),
    option_option,
)


def gathered(argument: str, options: Sequence[Option], make: Callable[[dict[str, Any]], object]) -> Option:
    """Adds options, whose values the command receives as one argument, made of them."""
    names = _names(options)

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def called(**given: Any) -> None:
            own = {name: given.pop(name) for name in names}
            command(**{argument: make(own)}, **given)

        decorated: Callable[..., None] = called
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate


def _names(options: Sequence[Option]) -> list[str]:
    """The names under which a command receives the options."""

    def command() -> None:
        pass

    for option in options:
        option(command)
    return [parameter.name for parameter in command.__click_params__]  # type: ignore[attr-defined]


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
        flags["choices"] = pairs(self.defines, "-D")
        try:
            return frontends.Reader(code, frontends.read_options(**{**self.launch, **flags}, also=also))
        except OptionError as error:
            raise click.UsageError(str(error)) from None

    def sizes(self, *readers: Reader) -> tuple[str, ...]:
        """Returns the -D that are parameters of the codes: all but those that chose what of them runs."""
        used = frozenset.intersection(*(reader.chosen for reader in readers))
        return tuple(text for text in self.defines if text.partition("=")[0].strip() not in used)

    def machine(self, name: str) -> Machine:
        """Loads a machine and applies the overrides."""
        return load_machine(name, self.overrides)

    def how(self, reader: Reader | None = None) -> dict[str, Any]:
        """Returns mode, model and options of the model, as the uses take them; with the reader of code for CPUs also
        where its data is at the start."""
        options = pairs(self.options, "--option")
        if reader is not None and reader.cpu_start:
            options["caches"] = reader.cpu_start
        return {"mode": self.mode, "model": self.model, "options": options}

    def case(self, reader: Reader, name: str) -> Case:
        """Prepares the prediction of one code on one machine."""
        from foretell.api import prepare

        machine = self.machine(name)
        return prepare(reader.workload(machine), machine, parameters=one_point(self.sizes(reader)), **self.how(reader))


def request_options(*, threads: bool) -> Option:
    """Adds -D, --threads, --set and the options of launches and models; the command receives them as one `request`."""
    options: tuple[Option, ...] = (define_option, *([threads_option] if threads else []), set_option, *_LAUNCH, *_MODEL)
    launch = _names(_LAUNCH)

    def make(given: dict[str, Any]) -> Request:
        count = given.pop("threads", None)
        given["defines"] += () if count is None else (f"threads={count}",)
        return Request(launch={name: given.pop(name) for name in launch}, **given)

    return gathered("request", options, make)


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
    for path, (text, measure) in sorted(given.items(), key=lambda item: item[0] != _CLOCK):
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


@contextmanager
def progress_bar(title: str, off: bool) -> Iterator[Callable[..., None]]:
    """Shows a progress bar on stderr with remaining time, and a note or the rate, if that is a terminal."""
    if off or not sys.stderr.isatty():
        yield lambda done, total, note="": None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    texts = TextColumn("{task.description}"), TextColumn("{task.fields[note]}")
    columns = (texts[0], BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), texts[1])
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None, note="")

        def report(done: int, total: int, note: str = "") -> None:
            speed = bar.tasks[task].speed
            rate = f"{speed / 1e6:.1f} M/s" if speed else ""
            bar.update(task, completed=done, total=total, note=note or rate)

        yield report


def draw(kind: str, answer: object, path: Path | None) -> None:
    """Plots an answer, if a path is given."""
    if path is not None:
        from foretell.report.plots import answers

        getattr(answers, kind)(answer, path)


def write(kind: str, answer: object, format_: str) -> None:
    """Prints an answer on stdout. Every report module (text, json, csv) has a function for every kind of answer."""
    report: Any = import_module(f"foretell.report.{'text' if format_ == 'table' else format_}")
    shown = getattr(report, kind)(answer)
    if format_ == "table":
        shown = report.render(shown, color=color())
    click.echo(report.dumps(shown) if format_ == "json" else shown)
