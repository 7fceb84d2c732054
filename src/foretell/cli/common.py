"""Options shared by several commands, and output of answers."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from foretell import cache, interruption
from foretell.cli import config
from foretell.cli.input import completion, kept_answers, stdin
from foretell.cli.input.dimensions import dimensions_option
from foretell.cli.input.number import Number
from foretell.errors import InputError, OptionError
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.api import Case
    from foretell.core.answers.prediction import Mode
    from foretell.core.columns.space import Space
    from foretell.core.machine.machine import Machine
    from foretell.frontends import Reader, ReadOptions

F = TypeVar("F", bound=Callable[..., Any])
Option = Callable[[Callable[..., None]], Callable[..., None]]

#: options whose default `foretell config` sets, and the number of threads that is one of each machine
_CONFIGURED, ALL = ("cc", "cflags", "threads"), "all"
_WHOLE = re.compile(r"[-+]?\d+")
#: limit of predictions per table; more are a job for a sweep
_MAX_PREDICTIONS = 100_000


class NamedPath(click.Path):
    """A path that is not empty: Python takes an empty one, often a variable without a value, for the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("is empty: name a file", param, ctx)
        return super().convert(value, param, ctx)


PATH = NamedPath(path_type=Path)

code_argument = click.argument("code", shell_complete=completion.codes)
format_option = click.option(
    "--format",
    "format_",
    type=click.Choice(["table", "json", "csv", "markdown"]),
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
    help="A parameter of the code: N=512, UPLO=L; in predict also a range N=64:1024:32 (first:last:step) or a list.",
)
threads_option = click.option(
    "--threads", metavar="N", help="Threads of a CPU: a number, a range or a list, as for -D; all: as many as cores."
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
option_option = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=CHOICE",
    help="A decision of the model; `foretell config` aside, docs/reference/decisions.md lists them.",
    shell_complete=completion.model_options,
)
mode_choice = click.Choice(["default", "paper"])

#: the launch of GPU machine code, and the function and branches of a source
_LAUNCH: tuple[Option, ...] = (
    click.option(
        "--kernel",
        "--function",
        "kernel",
        shell_complete=completion.functions,
        help="The kernel of a GPU binary; of a source, the function (with what it calls) or loop FUNCTION:LINE.",
    ),
    dimensions_option("grid", "Blocks of the grid: 1024, 64,64 or 64x64."),
    dimensions_option("block", "Threads of a block: 256, 32,8 or 32x8."),
    repeatable(
        "arg",
        "TEXT",
        "An argument of the kernel: f32[4096], i32[64]@iota, 2048. In the order of its parameters.",
        "args",
    ),
    click.option("--dynamic-shared", default="0", help="Bytes of one block; tune: an expression over the axes."),
    click.option(
        "--arch",
        type=int,
        help="Architecture (90: sm_90) in a file of several, or to compile a .cu for; default: the machine's.",
    ),
    click.option("--nvcc", default="", help="Flags for the compilation of a .cu: '-I include -DN=4 --use_fast_math'."),
    repeatable("meta", "NAME=VALUE", "A constant of a Triton kernel, FILE.py:KERNEL: BLOCK_M=128, num_warps=8."),
    click.option(
        "--start",
        default="",
        help="What L2 holds when a launch starts: cold, warm, or after NAME of a launch file. CPU: where the data is "
        "before the call: warm (in cache, from the call before), cold (in memory), flushed (never touched).",
    ),
    click.option("--launch", type=PATH, help="A file of launches: TOML, or ncu --csv with --arg for all of them."),
    click.option(
        "--l1-hit",
        type=Number(0, 1),
        help="Measured: of the sectors of global memory that loads ask for, the share that L1 holds.",
    ),
    click.option(
        "--l2-hit", type=Number(0, 1), help="Measured: of the sectors that reach L2 for loads, the share that it holds."
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
    click.option(
        "--trip-from-run",
        default="",
        metavar="COMMAND",
        help="CPU: runs the program once, in a copy of its folder, for the loops and conditions that depend on data: "
        "'./app 100' or 'make && ./app 100'.",
    ),
)
#: the compiler of a source for a CPU, and its code
_COMPILER: tuple[Option, ...] = (
    click.option(
        "--asm",
        metavar="FILE",
        help="CPU: the compiler's own assembly of the code (-S), instead of generated code; x86-64 or AArch64.",
    ),
    click.option(
        "--cc", metavar="COMMAND", help="CPU: the compiler of C files, whose code is followed; none: code is generated."
    ),
    click.option("--cflags", metavar="FLAGS", help="Flags of the compiler, and macros: '-O3 -DN=512 -Iinclude'."),
    click.option("--make", is_flag=True, help="Take the flags of the compiler from a dry run of the code's Makefile."),
    click.option("--alias", metavar="A,B", help="CPU: parameters whose arrays overlap; others do not."),
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
    threads: str | None = None
    asm: str | None = None
    cc: str | None = None
    cflags: str | None = None
    alias: str | None = None

    def reader(self, code: str | Sequence[str], also: tuple[str, ...] = ()) -> Reader:
        """Returns the reader of CODE; options that do not fit it are a usage error."""
        from foretell import frontends

        files = [stdin.file_of(file) for file in ([code] if isinstance(code, str) else code)]
        try:
            return frontends.Reader(files, self.reading(also))
        except OptionError as error:
            raise click.UsageError(str(error)) from None

    def reading(self, also: tuple[str, ...] = ()) -> ReadOptions:
        """Returns the options of the front ends."""
        from foretell import frontends

        flags = {flag: pairs(self.launch[flag], f"--{flag}") for flag in ("branch", "trip", "region", "meta")}
        flags["choices"] = pairs(self.defines, "-D")
        given = {**self.launch, **flags, "cflags": self.cflags or "", "macros": self._macros()}
        return frontends.read_options(**given, also=also)

    def sizes(self, *readers: Reader) -> tuple[str, ...]:
        """Returns the -D that are parameters of the codes: all but those that chose what of them runs."""
        used = frozenset.intersection(*(reader.chosen for reader in readers))
        return tuple(text for text in self.defines if text.partition("=")[0].strip() not in used)

    def machine(self, name: str) -> Machine:
        """Loads a machine and applies the overrides."""
        return load_machine(name, self.overrides)

    def _macros(self) -> dict[str, str]:
        """Single numbers of -D: a source may use the name as a macro."""
        return {name: text for name, text in pairs(self.defines, "-D").items() if _WHOLE.fullmatch(text)}

    def how(self, *readers: Reader, gpu: bool = False) -> dict[str, Any]:
        """Returns mode, model and options of the model, as the uses take them: those of compilers and, of one code,
        where its data is at the start, only for CPUs."""
        from foretell.codegen.compilers.flags import complete_flags

        given = {"asm": self.asm, "alias": self.alias}
        if not gpu and not (readers and all(reader.for_gpu for reader in readers)):
            given |= {"cc": self.cc, "flags": self.cflags and complete_flags(self.cflags)}
            given["caches"] = readers[0].cpu_start if len(readers) == 1 else ""
        options = pairs(self.options, "--option") | {name: text for name, text in given.items() if text}
        return {"mode": self.mode, "model": self.model, "options": options}

    def points(self, machine: Machine, *readers: Reader) -> list[dict[str, float]]:
        """Returns the values of -D and --threads on a machine."""
        return list(space(self.sizes(*readers), self.threads_on(machine)).points())

    def point(self, machine: Machine, *readers: Reader) -> dict[str, float]:
        """The same where only single values are permitted."""
        return one_point(self.sizes(*readers), self.threads_on(machine))

    def threads_on(self, machine: Machine) -> str | None:
        """Returns the threads asked for as a number, range or list; `all` is the number of the machine's cores."""
        if self.threads != ALL:
            return self.threads
        if "cores.count" not in machine:
            raise InputError(f"--threads all: machine {machine.name!r} does not say how many cores it has")
        return f"{machine.value('cores.count'):g}"

    def case(self, reader: Reader, name: str) -> Case:
        """Prepares the prediction of one code on one machine."""
        from foretell.api import prepare

        machine = self.machine(name)
        return prepare(reader.workload(machine), machine, parameters=self.point(machine, reader), **self.how(reader))


def request_options() -> Option:
    """Adds -D, --threads, --set and the options of launches and models; the command receives them as one `request`."""
    options: tuple[Option, ...] = (define_option, threads_option, set_option, *_LAUNCH, *_COMPILER, *_MODEL)
    launch = _names(_LAUNCH)

    def make(given: dict[str, Any]) -> Request:
        if given.pop("make"):
            given["cflags"] = _flags_of_makefile(given["cflags"])
        set_by_user = config.defaults()
        for name in _CONFIGURED:
            if given[name] is None:
                given[name] = set_by_user.get(name)
        return Request(launch={name: given.pop(name) for name in launch}, **given)

    return gathered("request", options, make)


def _flags_of_makefile(cflags: str | None) -> str:
    """Flags from the Makefile of the command's CODE."""
    from foretell import frontends
    from foretell.codegen.compiled.dry_run import make_flags

    parameters = click.get_current_context().params
    given = parameters.get("codes") or parameters.get("code")
    codes = [given] if isinstance(given, str) else list(given or ())
    if cflags:
        raise click.UsageError("--make and --cflags both give the flags of the compiler")
    if not codes:
        raise click.UsageError("--make needs CODE, a source file")
    return make_flags(Path(str(frontends.file_and_function(codes[0])[0])))


def on_option(required: bool, text: str) -> Callable[[F], F]:
    """Adds --on MACHINE, repeatable; where one is needed, the machine that `foretell config` sets is the default."""

    def chosen(ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
        if given or not required:
            return given
        usual = config.defaults().get("machine")
        if usual is None:
            hint = "foretell machines list; --on here is this computer, foretell config machine NAME the default"
            raise click.MissingParameter(hint, ctx=ctx, param=parameter)
        return (usual,)

    return click.option(
        "--on", "on", multiple=True, metavar="MACHINE", help=text, callback=chosen, shell_complete=completion.machines
    )


def pairs(items: Sequence[str], flag: str) -> dict[str, str]:
    """Parses NAME=VALUE arguments; one without '=' is a usage error."""
    result: dict[str, str] = {}
    for item in items:
        name, equals, value = item.partition("=")
        if not equals or not name or not value:
            raise click.UsageError(f"{flag} {item}: write NAME=VALUE")
        before = result.setdefault(name.strip(), value.strip())
        if before != value.strip():
            raise click.UsageError(f"{flag} {name.strip()} is given twice: {before} and {value.strip()}")
    return result


def seconds(items: Sequence[str]) -> dict[str, float]:
    """Parses MACHINE=TIME arguments."""
    from foretell import units

    return {name: units.parse_as(text, "s") for name, text in pairs(items, "--measured").items()}


def space(defines: Sequence[str], threads: str | None = None) -> Space:
    """Returns the parameter points requested by -D and --threads; without them one point with no parameter set."""
    from foretell.core.columns.space import Axis, Space

    given = pairs(defines, "-D")
    if threads is not None and given.setdefault("threads", threads) != threads:
        raise click.UsageError(f"--threads {threads} and -D threads={given['threads']}: give one of them")
    result = Space(tuple(Axis.parse(name, text) for name, text in given.items()))
    if result.size > _MAX_PREDICTIONS:
        raise InputError(f"-D asks for {result.size} points, more than {_MAX_PREDICTIONS}")
    return result


def one_point(defines: Sequence[str], threads: str | None = None) -> dict[str, float]:
    """Parses -D and --threads where only single values are permitted."""
    chosen = space(defines, threads)
    if chosen.size != 1:
        raise click.UsageError("-D and --threads take single values here, not ranges")
    return next(chosen.points())


def load_machine(name: str, overrides: Sequence[str]) -> Machine:
    """Loads a machine and applies overrides."""
    from foretell import machines

    return machines.overridden(machines.load(config.machine_file(name)), pairs(overrides, "--set"))


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


def keeping_in(journal: Path | None) -> AbstractContextManager[None]:
    """Around work whose finished parts are in a journal: an interruption says so."""
    kept = f"what was finished is in {journal}: the same command goes on from there"
    return interruption.keeping(kept if journal else "nothing is kept: --journal FILE would keep what is finished")


def keeping_cached() -> AbstractContextManager[None]:
    """The same for the cache."""
    return interruption.keeping("what was finished is in the cache" if cache.folder() else "nothing is kept")


def draw(kind: str, answer: object, path: Path | None) -> None:
    """Plots an answer, if a path is given."""
    if path is not None:
        from foretell.report.plots import answers

        getattr(answers, kind)(answer, path)
        wrote(path)


def check_writable(output: Path, make: bool = False) -> None:
    """Refuses a file that cannot be written before minutes of work, not after. `make`: its folder may be made."""
    folder = output.absolute().parent
    try:
        if make:
            folder.mkdir(parents=True, exist_ok=True)
        if not folder.is_dir():
            raise InputError("the folder does not exist", file=output)
        existed = output.exists()
        output.open("a").close()
        if not existed:
            output.unlink()
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=output) from None


def wrote(path: object) -> None:
    """Says on stderr that a file was written; answers on stdout stay as scripts read them."""
    click.echo(f"wrote {path}", err=True)


#: modules of formats that have another name
_MODULES = {"table": "text", "sarif": "advice_sarif"}


def rendered(kind: str, answer: object, format_: str, color: bool) -> str:
    """An answer as text of a format."""
    if format_ == "markdown":
        from foretell.report import markdown

        return markdown.dumps(kind, answer)
    report: Any = import_module(f"foretell.report.{_MODULES.get(format_, format_)}")
    shown = getattr(report, kind)(answer)
    text: str = report.render(shown, color=color) if format_ == "table" else report.dumps(shown)
    return text


def write(kind: str, answer: object, format_: str) -> None:
    """Prints an answer on stdout. Every report module (text, json, csv) has a function for every kind of answer."""
    text = rendered(kind, answer, format_, color())
    click.echo(text)
    sys.stdout.flush()  # a full disk shows here, not at the interpreter's end
    kept_answers.add(f"{text}\n")
