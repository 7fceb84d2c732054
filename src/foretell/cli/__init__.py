"""The command `foretell`. Data goes to stdout, everything else to stderr.

Exit codes: 0 done, 1 failure, 2 wrong usage, 3 input not usable, 4 a check did not pass.
"""

from __future__ import annotations

import errno
import os
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import NoReturn, TypeAlias

import click

from foretell.cli.kept_answers import Watched, keep, kept_answer
from foretell.errors import CacheWarning, ForetellError, RenamedWarning, nearest

#: command -> (module or module:name, help text); a module is imported when its command runs
_COMMANDS = {
    "predict": ("foretell.cli.predict", "How long a code takes on a machine, and what bounds it."),
    "why": ("foretell.cli.why", "What the time depends on, and what to change."),
    "rank": ("foretell.cli.rank", "Which machine is fastest for a code."),
    "split": ("foretell.cli.split", "How to divide work between devices."),
    "describe": ("foretell.cli.describe", "What foretell sees in a code."),
    "profile": ("foretell.cli.profile", "Counts what a program does on this machine."),
    "import": ("foretell.cli.import_profile", "A profile of a counter tool, made ready for predictions."),
    "config": ("foretell.cli.config", "Defaults: machine, compiler, flags, threads."),
    "examples": ("foretell.cli.describe:examples", "Lists the shipped examples."),
    "machines": ("foretell.cli.machines", "List, show, check and compare machines."),
    "tune": ("foretell.cli.tune", "The best variant of a code: tile sizes, unroll factors, launches."),
    "explore": ("foretell.cli.explore", "The best designs in a space of machines."),
    "validate": ("foretell.cli.validate", "Predictions against recorded measurements."),
}


_Resolved: TypeAlias = tuple[str | None, click.Command | None, list[str]]


class _LazyGroup(click.Group):
    """Command group that imports only the module of the command that runs, so that --help stays fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, _, name = _COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name or "command")
        return command

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
    if issubclass(category, RenamedWarning | CacheWarning):
        return f"note: {message}\n"
    return f"{filename}:{lineno}: {category.__name__}: {message}\n"


def main() -> NoReturn:
    """Runs the command line and exits."""
    warnings.formatwarning = _note
    if sys.stdout is None:
        _fail("stdout is closed: there is nowhere to write an answer")
    said = Watched(sys.stderr)
    if sys.stderr is not None:  # it may be closed
        sys.stderr = said
    try:
        kept = kept_answer(sys.argv[1:])
        if kept is None:
            foretell(prog_name="foretell", standalone_mode=False)
            keep(sys.argv[1:], said)
        else:
            click.echo(kept, nl=False)
            sys.stdout.flush()
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("foretell: interrupted; explore and tune continue where they were if they keep a journal", err=True)
        sys.exit(130)
    except BrokenPipeError:  # the reader (head, less) closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except ForetellError as error:
        click.echo(f"foretell: {error}", err=True)
        sys.exit(error.exit_code)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF) or os.environ.get("FORETELL_DEBUG"):
            _bug(error)
        _fail(f"the answer cannot be written: {error.strerror}")
    except Exception as error:
        _bug(error)
    sys.exit(0)


def _fail(message: str) -> NoReturn:
    """Ends where stdout cannot be written: what is still in its buffer is dropped."""
    with suppress(OSError, ValueError):
        click.echo(f"foretell: {message}", err=True)
    sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115 - the interpreter flushes it at its end
    sys.exit(1)


def _bug(error: Exception) -> NoReturn:
    """One line instead of a traceback, unless that is requested."""
    if os.environ.get("FORETELL_DEBUG"):
        raise error
    click.echo(
        f"foretell: internal error: {type(error).__name__}: {error}\n  this is a bug; FORETELL_DEBUG=1 shows where",
        err=True,
    )
    sys.exit(1)
