"""What `run` and `record` have in common: options, streams and exit status of a CUDA program."""

from __future__ import annotations

import contextlib
import io
import sys
from typing import IO, TYPE_CHECKING, TypeVar

import click

from foretell import units
from foretell.cli.input.number import Number
from foretell.errors import InputError
from foretell.uses.program_run.recording import CONTENTS
from foretell.uses.program_run.run import DEFAULT_SECONDS, Streams

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., object]")

limit_option = click.option(
    "--record-limit", default="1GiB", show_default=True, metavar="SIZE", help="Largest capture."
)
timeout_option = click.option(
    "--timeout", type=Number(min=0.001), default=DEFAULT_SECONDS, show_default=True, help="Seconds of the run."
)


def contents_option(default: str) -> Callable[[F], F]:
    """The option of what goes into a capture."""
    return click.option(
        "--contents",
        type=click.Choice(CONTENTS),
        default=default,
        show_default=True,
        help="Of the memory, what goes into the capture: nothing, arrays of integers that look like indices, or all.",
    )


def most_bytes(record_limit: str) -> int:
    """The bytes of --record-limit, also where nothing is recorded: a wrong word is not passed over."""
    try:
        most = units.parse_as(record_limit, "B")
    except InputError as error:
        raise InputError(f"--record-limit: {error.message}") from None
    if most < 1:
        raise InputError(f"--record-limit {record_limit}: must be positive")
    return int(most)


def own_streams(passed_on: bool) -> Streams:
    """The program's streams are ours, where ours are files."""
    errors = _file(sys.stderr)
    return Streams(_file(sys.stdin), _file(sys.stdout) if passed_on else errors, errors)


def exit_as(code: int) -> None:
    """Ends with the status of the program, as a shell has it: 128 and the number of the signal that ended it."""
    if code:
        sys.stdout.flush()
        sys.exit(code if code > 0 else 128 - code)


def _file(stream: IO[str]) -> IO[bytes] | None:
    with contextlib.suppress(AttributeError, OSError, io.UnsupportedOperation, ValueError):
        stream.flush()
        stream.fileno()
        return stream.buffer  # type: ignore[attr-defined, no-any-return]
    return None
