"""Runs a program of the user, or a tool on it, in a separate process with limits on time, memory and output."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import IO

#: bytes of the output that are kept, for the message if the program fails
_KEPT = 2000


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a run; memory None: unlimited."""

    seconds: float = 600.0
    memory_bytes: int | None = None
    output_bytes: int = 64 << 20


@dataclass(frozen=True, slots=True)
class Finished:
    """A run that succeeded: elapsed and processor seconds, and the end of its output."""

    elapsed_s: float
    processor_s: float
    tail: str


def run(command: Sequence[str], limits: Limits, environment: Mapping[str, str] | None = None) -> Finished:
    """Runs a command to completion. A crash, a failure or an exceeded limit is a `ToolError` that says which."""
    shown = " ".join(command[:3])[:200]
    before = _processor_seconds()
    start = time.monotonic()
    try:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(environment or {})},
            start_new_session=True,  # so that a limit also ends its children
        )
    except (OSError, ValueError) as error:
        raise ToolError(f"{shown}: cannot be run: {getattr(error, 'strerror', None) or error}") from None
    assert process.stdout is not None
    output = _Output(process.stdout, limits.output_bytes, process)
    try:
        if limits.memory_bytes is not None:
            with contextlib.suppress(OSError):  # it may have ended already
                resource.prlimit(process.pid, resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))
        code = process.wait(timeout=limits.seconds)
        elapsed = time.monotonic() - start
    except subprocess.TimeoutExpired:
        raise ToolError(f"{shown}: took longer than {limits.seconds:g} s and was ended") from None
    finally:
        _end(process)
        output.join()
    if output.too_long:
        raise ToolError(f"{shown}: wrote more than {limits.output_bytes >> 20} MiB and was ended")
    if code:
        raise ToolError(f"{shown}: {_failure(code)}{output.quoted}")
    return Finished(elapsed, _processor_seconds() - before, output.tail)


class _Output:
    """Reads the output of a process, keeps its end, and ends the process if it is too long."""

    def __init__(self, stream: IO[bytes], limit: int, process: subprocess.Popen[bytes]) -> None:
        self.too_long = False
        self._end = b""
        self._arguments = (stream, limit, process)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        stream, limit, process = self._arguments
        count = 0
        while data := stream.read1(1 << 16):  # type: ignore[attr-defined]
            self._end = (self._end + data)[-_KEPT:]
            count += len(data)
            if count > limit and not self.too_long:
                self.too_long = True
                _end(process)
        stream.close()

    def join(self) -> None:
        self._thread.join(timeout=5)

    @property
    def tail(self) -> str:
        return self._end.decode(errors="replace").strip()

    @property
    def quoted(self) -> str:
        lines = self.tail.splitlines()[-3:]
        return "".join(f"\n  {line[:200]}" for line in lines)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends the process's own session, which contains nothing else."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _failure(code: int) -> str:
    if code > 0:
        return f"failed with exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    if name == "SIGILL":
        return (
            "crashed (SIGILL: an instruction that is not known here). valgrind knows no AVX-512: compile with "
            "-march=haswell (or x86-64-v3) instead of -march=native, or count with --with perf"
        )
    return f"crashed ({name})"


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
