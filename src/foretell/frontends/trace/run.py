"""Runs an instrumented program with limits, and reports a failure in one sentence."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

from foretell.errors import InputError
from foretell.frontends.trace.options import sampling

if TYPE_CHECKING:
    from foretell.frontends.trace.options import TraceOptions

_PAGE = os.sysconf("SC_PAGE_SIZE")
#: the runtime's own exit code; its message is the last line of stderr
_RUNTIME_FAILED = 97
#: stack size of the program in bytes, if the system permits it
_STACK = 256 << 20


def run(program: Path, options: TraceOptions, folder: Path) -> Path:
    """Runs a program and returns the runtime's output; InputError if it did not finish."""
    result = folder / "trace"
    with (folder / "stdout").open("wb") as out, (folder / "stderr").open("wb") as err:
        given = options.input.open("rb") if options.input else None
        try:
            process = subprocess.Popen(
                [str(program), *options.arguments],
                stdin=given or subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                cwd=options.folder,
                env=_environment(options, result),
                start_new_session=True,
                preexec_fn=_large_stack,
            )
        finally:
            if given:
                given.close()
        stopped = _watch(process, options, folder)
    _judge(process.returncode, stopped, folder, result)
    return result


def _large_stack() -> None:
    """Raises the stack limit for large arrays on the stack, like `ulimit -s`; instrumented frames are larger, too."""
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    if soft != resource.RLIM_INFINITY:
        wanted = _STACK if hard == resource.RLIM_INFINITY else min(_STACK, hard)
        resource.setrlimit(resource.RLIMIT_STACK, (max(soft, wanted), hard))


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
    return {**os.environ, **own, "OMP_NUM_THREADS": "1"}


def _watch(process: subprocess.Popen[bytes], options: TraceOptions, folder: Path) -> str:
    """Waits for the end; terminates a program that exceeds a limit, and names the limit."""
    started = time.monotonic()
    pause = 0.002
    while process.poll() is None:
        reason = _excess(process.pid, options, folder, time.monotonic() - started)
        if reason:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return reason
        time.sleep(pause)
        pause = min(2 * pause, 0.05)
    return ""


def _excess(pid: int, options: TraceOptions, folder: Path, elapsed: float) -> str:
    if elapsed > options.seconds:
        return f"ran for more than {options.seconds:g} s (an endless loop, or sizes that are too large to trace)"
    if _resident(pid) > options.memory:
        return f"used more than {options.memory / 2**30:g} GiB of memory, analysis included"
    if sum((folder / name).stat().st_size for name in ("stdout", "stderr")) > options.output:
        return f"wrote more than {options.output} bytes of output"
    return ""


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def _judge(code: int, stopped: str, folder: Path, result: Path) -> None:
    if stopped:
        raise InputError(f"the traced program {stopped}", hint="smaller sizes, or --limit and --memory")
    said = (folder / "stderr").read_text(errors="replace").strip().splitlines()
    last = said[-1] if said else ""
    if code == _RUNTIME_FAILED and last.startswith("foretell: "):
        raise InputError(f"the trace stopped: {last.removeprefix('foretell: ')}")
    if code < 0:
        name = signal.Signals(-code).name
        raise InputError(f"the traced program was ended by {name}" + (f": {last[:200]}" if last else ""))
    if not result.is_file():
        raise InputError(
            f"the kernel was never called (the program ended with exit code {code})"
            + (f": {last[:200]}" if last else ""),
            hint="is --kernel right, and do the arguments after -- lead to it?",
        )
