"""Runs an instrumented program with limits, and reports a failure in one sentence."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from foretell import running
from foretell.errors import InputError
from foretell.frontends.trace.options import sampling

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.frontends.trace.options import TraceOptions

#: the runtime's own exit code; its message is the last line of stderr
_RUNTIME_FAILED = 97
#: stack size of the program in bytes, if the system permits it: for large arrays on the stack, like `ulimit -s`;
#: instrumented frames are larger, too
_STACK = 256 << 20
_EXCEEDED = {
    "time": "the traced program ran for more than {0.seconds:g} s (an endless loop, or sizes too large to trace)",
    "memory": "the traced program used more than the {0.memory} bytes of memory that it may, analysis included",
    "output": "the traced program wrote more than {0.output} bytes of output",
    "processes": "the traced program started too many processes",
}


def run(program: Path, options: TraceOptions, folder: Path) -> Path:
    """Runs a program and returns the runtime's output; InputError if it did not finish."""
    result = folder / "trace"
    limits = running.Limits(
        options.seconds,
        resident_bytes=options.memory,
        output_bytes=options.output,
        stack_bytes=_STACK,
        time_option="--limit",
    )
    with contextlib.ExitStack() as opened:
        given = opened.enter_context(options.input.open("rb")) if options.input else None
        try:
            done = running.run(
                [program.resolve(), *options.arguments],
                limits,
                environment=_environment(options, result),
                folder=options.folder,
                input=given,
                confinement=running.Confinement.current().beside(folder),
            )
        except running.StoppedError as error:
            hint = "smaller sizes, or --limit and --memory"
            raise InputError(_EXCEEDED[error.limit].format(options), hint=hint) from None
    _judge(done, result)
    return result


def _environment(options: TraceOptions, result: Path) -> dict[str, str]:
    own = {"FORETELL_TRACE": str(result)}
    if options.locality:
        own["FORETELL_LINES"] = ",".join(str(line.bit_length() - 1) for line in options.lines)
    if options.locality and options.sample < 1:
        shift, limit = sampling(options)
        own["FORETELL_SAMPLE"] = f"{shift} {limit}"
    if options.locality and options.helper and len(os.sched_getaffinity(0)) > 1:
        own["FORETELL_HELPER"] = "1"
    if options.all_dependences:
        own["FORETELL_ALL_DEPENDENCES"] = "1"
    return {**own, "OMP_NUM_THREADS": "1"}


def _judge(done: running.Finished, result: Path) -> None:
    said = done.messages.strip().splitlines()
    last = said[-1] if said else ""
    if done.code == _RUNTIME_FAILED and last.startswith("foretell: "):
        raise InputError(f"the trace stopped: {last.removeprefix('foretell: ')}")
    if done.code < 0:
        name = running.signal_name(-done.code)
        raise InputError(f"the traced program was ended by {name}" + (f": {last[:200]}" if last else ""))
    if not result.is_file():
        raise InputError(
            f"the kernel was never called (the program ended with exit code {done.code})"
            + (f": {last[:200]}" if last else ""),
            hint="is --kernel right, and do the arguments after -- lead to it?",
        )
