"""The command `foretell`. Data goes to stdout, everything else to stderr.

Exit codes: 0 done, 1 failure, 2 wrong usage, 3 input not usable, 4 a check did not pass, 130 Ctrl-C, 143 SIGTERM.
"""

from __future__ import annotations

import errno
import os
import select
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeAlias

import click

from foretell import interruption, limits, running
from foretell.cli.input.kept_answers import Watched, keep, kept_answer
from foretell.cli.input.number import Number
from foretell.errors import CacheWarning, ForetellError, InputError, LeftOutWarning, RenamedWarning, nearest

if TYPE_CHECKING:
    from collections.abc import Callable

#: command -> (module or module:name, help text); a module is imported when its command runs
_COMMANDS = {
    "predict": ("foretell.cli.predict", "How long a code takes on a machine, and what bounds it."),
    "why": ("foretell.cli.why", "What the time depends on, and what to change."),
    "rank": ("foretell.cli.rank", "Which machine is fastest for a code."),
    "split": ("foretell.cli.split", "How to divide work between devices."),
    "describe": ("foretell.cli.describe", "What foretell sees in a code."),
    "run": ("foretell.cli.measured.run", "Runs a CUDA program without a GPU, and predicts its time."),
    "record": ("foretell.cli.measured.record", "Records the launches of a CUDA program beside a GPU."),
    "profile": ("foretell.cli.measured.profile", "Counts what a program does on this machine."),
    "import": ("foretell.cli.measured.import_profile", "A counter tool's profile, or an exported project."),
    "config": ("foretell.cli.config", "Defaults: machine, compiler, flags, threads."),
    "cache": ("foretell.cli.config:cache", "What is kept of earlier runs: info, clear."),
    "examples": ("foretell.cli.describe:examples", "Lists the shipped examples."),
    "machines": ("foretell.cli.machines", "List, show, check and compare machines."),
    "tune": ("foretell.cli.tune", "The best variant of a code: tile sizes, unroll factors, launches."),
    "explore": ("foretell.cli.explore", "The best designs in a space of machines."),
    "check": ("foretell.cli.check", "Two versions of code compared by prediction, with limits."),
    "report": ("foretell.cli.report", "An answer as one HTML file."),
    "serve": ("foretell.cli.serve", "A page to write code on and see its predicted time; HTTP."),
    "export": ("foretell.cli.serve:export_project", "A project of the workspace as one file."),
    "validate": ("foretell.cli.measured.validate", "Predictions against recorded measurements."),
}


#: commands that run programs of the user
_RUNNING = ("run", "record", "profile", "describe", "tune", "validate", "check")
#: the option with which others do
_RUN_OPTION = "trip_from_run"

#: option -> (environment variable, help text): how long one input may take, and how much memory
_LIMITS = {
    "--limit-time": (limits.TIME, "SECONDS", "Processor time for one file or one prediction", limits.DEFAULT_SECONDS),
    "--limit-memory": (limits.MEMORY, "GIB", "Memory", limits.DEFAULT_GIB),
}


def with_limits(command: click.Command) -> click.Command:
    """A command with the options of limits, in a group each of its commands."""
    if isinstance(command, click.Group):
        for below in command.commands.values():
            with_limits(below)
    elif not any(parameter.name == "limit_time" for parameter in command.params):
        for flag, (variable, metavar, text, default) in _LIMITS.items():
            command.params.append(
                click.Option(
                    [flag], metavar=metavar, type=Number(0, 1e9, min_open=True), expose_value=False,
                    callback=_limit(variable), help=f"{text}; {default:g} where not given ({variable}).",
                )
            )  # fmt: skip
    return command


def _with_allow(command: click.Command) -> click.Command:
    """A command that runs programs of the user, with the option of what these may do."""
    if isinstance(command, click.Group):
        for below in command.commands.values():
            _with_allow(below)
    elif not any(parameter.name == "allow" for parameter in command.params):
        text = "What a program that is run may do: write below a FOLDER, use the network, or all. May be repeated."
        command.params.append(
            click.Option(["--allow"], metavar="FOLDER", multiple=True, expose_value=False, callback=_allow, help=text)
        )
    return command


def _allow(ctx: click.Context, _: click.Parameter, values: tuple[str, ...]) -> None:
    if values:
        _set_for(ctx, running.ALLOW, ":".join(values))


def _set_for(ctx: click.Context, variable: str, value: str) -> None:
    """Sets a variable for this process, and those that it starts, until the command ends."""
    before = os.environ.get(variable)
    os.environ[variable] = value
    ctx.call_on_close(
        lambda: os.environ.pop(variable, None) if before is None else os.environ.update({variable: before})
    )


def _limit(variable: str) -> Callable[[click.Context, click.Parameter, float | None], None]:
    def set_limit(ctx: click.Context, _: click.Parameter, value: float | None) -> None:
        if value is not None:
            _set_for(ctx, variable, repr(value))

    return set_limit


_Resolved: TypeAlias = tuple[str | None, click.Command | None, list[str]]


class _ClosedPipeError(Exception):
    """Nobody reads what is written: head, less and others end before we do."""


class _LazyGroup(click.Group):
    """Command group that imports only the module of the command that runs, so that --help stays fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, _, name = _COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name or "command")
        runs = cmd_name in _RUNNING or any(parameter.name == _RUN_OPTION for parameter in command.params)
        return with_limits(_with_allow(command) if runs else command)

    def invoke(self, ctx: click.Context) -> object:
        """Runs the command. To a closed pipe click's answer is an exit code of its own."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise _ClosedPipeError(error) from None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> _Resolved:
        """Finds the command; a mistyped one is suggested. `help` is --help."""
        if args[0] == "help":
            args = [*args[1:2], "--help"]
        if args[0] == "--help":
            click.echo(ctx.get_help())
            ctx.exit()
        if args[0] not in _COMMANDS:
            ctx.fail(f"no command {args[0]!r}{nearest(args[0], _COMMANDS)}; commands: {', '.join(_COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="foretell")
def foretell() -> None:
    """Tells how fast code will run, and why, before it runs."""


def _note(message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None) -> str:
    """Formats a warning in one line; those for the user without source position."""
    if issubclass(category, RenamedWarning | CacheWarning | LeftOutWarning):
        return f"note: {message}\n"
    return f"{filename}:{lineno}: {category.__name__}: {message}\n"


def _answer(said: Watched) -> None:
    """The answer that was kept of the same command, or the command."""
    kept = kept_answer(sys.argv[1:])
    if kept is None:
        try:
            foretell(prog_name="foretell", standalone_mode=False)
        finally:
            _say_notes()
        keep(sys.argv[1:], said)
    else:
        click.echo(kept, nl=False)
        sys.stdout.flush()


def _say_notes() -> None:
    """Says how a program that was run was less confined than promised."""
    running = sys.modules.get("foretell.running")
    for note in running.notes() if running else ():
        click.echo(f"note: a program was run, and {note}", err=True)


def main() -> NoReturn:
    """Runs the command line and exits."""
    warnings.formatwarning = _note
    limits.watch()
    if sys.stdout is None:
        _fail("stdout is closed: there is nowhere to write an answer", InputError.exit_code)
    _hold_streams()
    sys.stderr = said = Watched(sys.stderr)
    try:
        with interruption.heeded():
            _answer(said)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt) as error:
        cause = error.__cause__ if isinstance(error, click.Abort) else error
        click.echo(interruption.message(cause), err=True)
        sys.exit(interruption.code(cause))
    except _ClosedPipeError as error:
        if not _is_left(sys.stdout.fileno()):
            _bug(error)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except ForetellError as error:
        click.echo(f"foretell: {error}", err=True)
        sys.exit(error.exit_code)
    except MemoryError:
        _fail("not enough memory for this input: smaller sizes, or --limit-memory", InputError.exit_code)
    except OSError as error:
        if _is_homeless():
            _refuse("the current folder is gone: change to another one")
        if error.errno in _SAID:
            _refuse(_SAID[error.errno])
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF, errno.EFBIG) or os.environ.get(
            "FORETELL_DEBUG"
        ):
            _bug(error)
        _fail(f"the answer cannot be written: {error.strerror}", InputError.exit_code)
    except Exception as error:
        _bug(error)
    sys.exit(0)


def _hold_streams() -> None:
    """Standard streams that are closed lead nowhere: the files that are opened next would take their numbers, and get
    what libraries and programs complain about."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free number, which is this one
            os.set_inheritable(number, True)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", closefd=False)


#: what the system refuses wherever it is asked
_SAID = {
    errno.EMFILE: "too many open files: ulimit -n raises their number",
    errno.ENFILE: "the system has too many open files",
    errno.ENAMETOOLONG: "a file name is too long",
}
#: and what keeps an answer from being written
_NOT_WRITTEN = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF, errno.EFBIG)


def _refuse(message: str) -> NoReturn:
    """Ends with a message, where stdout is not the reason."""
    click.echo(f"foretell: {message}", err=True)
    sys.exit(InputError.exit_code)


def _is_left(pipe: int) -> bool:
    """Whether the reader of a pipe is gone."""
    looked = select.poll()
    looked.register(pipe, 0)
    return any(event & select.POLLERR for _, event in looked.poll(0))


def _is_homeless() -> bool:
    """Whether the current folder was removed."""
    try:
        return not Path.cwd().is_dir()
    except OSError:
        return True


def _fail(message: str, code: int) -> NoReturn:
    """Ends where stdout cannot be written: what is still in its buffer is dropped."""
    with suppress(OSError, ValueError):
        click.echo(f"foretell: {message}", err=True)
    sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115 - the interpreter flushes it at its end
    sys.exit(code)


def _bug(error: Exception) -> NoReturn:
    """One line instead of a traceback, unless that is requested."""
    if os.environ.get("FORETELL_DEBUG"):
        raise error
    click.echo(
        f"foretell: internal error: {type(error).__name__}: {error}\n  this is a bug; FORETELL_DEBUG=1 shows where",
        err=True,
    )
    sys.exit(1)
