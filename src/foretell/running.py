"""Runs programs of others: compilers, tools, programs of the user. All callers do it here.

A program runs under a supervisor (cpp/guard) with limits on time, memory, output, file size and number of processes.
When it ends, exceeds a limit, when we are interrupted, or die of whatever, all that it started is ended with it, also
daemons. There are no core dumps. A program of the user is also confined, where the kernel allows it: it writes only
into given folders and has no network.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import signal
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from foretell import limits as of_user
from foretell.errors import InputError, ToolError
from foretell.files import temporary_folder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: environment variable: what programs of the user may do although they are confined
ALLOW = "FORETELL_ALLOW"
NETWORK, EVERYTHING = "network", "all"
#: environment variable: `off` leaves addresses unlimited, for sanitizers, whose shadow memory takes terabytes of them
ADDRESSES = "FORETELL_LIMIT_ADDRESSES"
#: files that every program may write to
_DEVICES = ("/dev", "/proc/self")
#: environment variables of packages that keep compiled code in the home of the user, and stop where they cannot
_CACHES = (
    "XDG_CACHE_HOME", "CUPY_CACHE_DIR", "WARP_CACHE_PATH", "TRITON_CACHE_DIR", "NUMBA_CACHE_DIR",
    "TORCHINDUCTOR_CACHE_DIR", "TORCH_EXTENSIONS_DIR", "CUDA_CACHE_PATH", "MPLCONFIGDIR",
)  # fmt: skip
_ENDED, _NOT_STARTED, _STOPPED, _TOO_MANY = range(4)
_LACKING = {2: "its writes cannot be limited here (no Landlock)", 4: "its network cannot be cut off here"}
#: what the kernel could not do for programs of this process
_lacked: dict[str, None] = {}
#: bytes of an output that messages quote
_QUOTED = 2000
_BLOCK = 1 << 16
_FORKED_ONLY = 0x40  # PF_FORKNOEXEC of linux/sched.h
_PAGE = os.sysconf("SC_PAGE_SIZE")
#: seconds between two looks at the memory of a program, and for what is still in its pipes after the end of all
_LOOK, _LAST_WORDS = 0.05, 5.0


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a run; None: unlimited. `memory_bytes` is the address space of each process, `resident_bytes` what
    the program itself may occupy, `output_bytes` that of stdout and of stderr. `time_option` is the option that gave
    the seconds; without one they are those of the default time limit, in proportion to which they grow."""

    seconds: float = 600.0
    memory_bytes: int | None = None
    resident_bytes: int | None = None
    output_bytes: int = 64 << 20
    file_bytes: int | None = 16 << 30
    stack_bytes: int | None = None
    processes: int = 512
    time_option: str = ""

    @property
    def time_s(self) -> float:
        """The seconds of this run."""
        return self.seconds if self.time_option else of_user.for_program(self.seconds)


@dataclass(frozen=True, slots=True)
class Confinement:
    """What a program of the user may do: write below these folders, use the network; `free`: anything."""

    writable: tuple[str, ...] = ()
    network: bool = False
    free: bool = False

    @classmethod
    def current(cls) -> Confinement:
        """From --allow, which sets FORETELL_ALLOW: folders, `network`, or `all`, separated by colons."""
        given = [word for word in os.environ.get(ALLOW, "").split(":") if word]
        folders = tuple(os.path.realpath(word) for word in given if word not in (NETWORK, EVERYTHING))
        return cls(folders, NETWORK in given, EVERYTHING in given)

    def beside(self, *folders: str | Path) -> Confinement:
        """The same with more folders to write to."""
        return replace(self, writable=(*self.writable, *map(str, folders)))


#: for compilers and tools, which need their own folders
FREE = Confinement(free=True)


class StoppedError(ToolError):
    """A program that was ended; `limit` names why: time, memory, output or processes, or stop."""

    def __init__(self, message: str, limit: str) -> None:
        super().__init__(message)
        self.limit = limit


class NotStartedError(ToolError):
    """A program that cannot be run."""

    def __init__(self, command: str, reason: str) -> None:
        super().__init__(f"{command}: cannot be run: {reason}")
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Finished:
    """A run that came to its end: exit code (negative: the signal), times, and what it wrote."""

    code: int
    elapsed_s: float
    processor_s: float
    output: bytes = b""
    errors: bytes = b""
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Standard output."""
        return self.output.decode(errors="replace")

    @property
    def messages(self) -> str:
        """Standard error."""
        return self.errors.decode(errors="replace")

    @property
    def failure(self) -> str:
        """How it failed; empty for success."""
        if self.code > 0:
            return f"failed with exit code {self.code}"
        return f"crashed ({signal_name(-self.code)})" if self.code else ""


def signal_name(number: int) -> str:
    """SIGSEGV for 11."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


@dataclass(slots=True)
class _Stream:
    """An output of the program: kept whole, up to the limit, or only its end."""

    pipe: int
    limit: int
    whole: bool
    data: bytearray = field(default_factory=bytearray)
    count: int = 0

    def read(self) -> bool:
        """Reads what is there; False at the end."""
        block = os.read(self.pipe, _BLOCK)
        self.count += len(block)
        self.data += block
        if not self.whole and len(self.data) > 2 * _QUOTED:
            del self.data[:-_QUOTED]
        return bool(block)


@dataclass(slots=True)
class _Streams:
    """The program's ends of its streams (`given`), and what we read."""

    given: tuple[int, int, int]
    outputs: tuple[_Stream, ...]


def run(
    command: Sequence[str | Path],
    limits: Limits | None = None,
    *,
    environment: Mapping[str, str | None] | None = None,
    folder: str | Path | None = None,
    input: IO[bytes] | None = None,
    output: IO[bytes] | None = None,
    errors: IO[bytes] | None = None,
    merged: bool = False,
    whole: bool = True,
    confinement: Confinement = FREE,
    stop: int | None = None,
) -> Finished:
    """Runs a command to its end. Its stdout and stderr are collected, or go to the files `output` and `errors`; with
    `merged` stderr goes where stdout does; without `whole` only the end of what it writes is kept. Variables of
    `environment` that are None are removed. It has a folder of its own for temporary files: in a namespace its process
    has the same number as others (nvcc names files by that, and took those of another run). The program is ended when
    something can be read from the descriptor `stop`. StoppedError: that, or it exceeded a limit."""
    chosen, words = limits or Limits(), [str(word) for word in command]
    shown = " ".join(words[:3])[:200]
    variables, inside = _variables(environment or {}), confinement
    program = shutil.which(words[0], path=variables.get("PATH")) if words else None
    if program is None:
        raise NotStartedError(shown, "there is no such program")
    if any("\0" in word for word in words):
        raise NotStartedError(shown, "a word of the command has a null character")
    with contextlib.ExitStack() as opened:
        streams = _streams(opened, chosen, input, (output, errors), merged, whole)
        if not confinement.free:
            private = opened.enter_context(temporary_folder())
            variables |= _caches(private, variables) | {"TMPDIR": private}
            inside = confinement.beside(private, *_DEVICES)
        elif "TMPDIR" not in (environment or {}):
            variables |= _temporary_files(opened)
        try:
            started = _Process((str(Path(program).absolute()), *words), chosen, variables, folder, streams, inside)
            process = opened.enter_context(started)
        except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: the system has no more processes
            raise NotStartedError(shown, getattr(error, "strerror", None) or str(error)) from None
        process.watch(shown, stop)
        return process.finished(shown)


def _caches(private: str, variables: Mapping[str, str]) -> dict[str, str]:
    """Where a confined program may keep what it compiles, unless its user says where: not in his home."""
    folder = f"{private}/cache"
    return {name: folder for name in _CACHES if name not in variables}


def _temporary_files(opened: contextlib.ExitStack) -> dict[str, str]:
    """A folder for the temporary files of a program. None where none can be made, as in a confined process: a program
    that needs one says so."""
    try:
        return {"TMPDIR": opened.enter_context(temporary_folder())}
    except InputError:
        return {}


def _variables(given: Mapping[str, str | None]) -> dict[str, str]:
    """The environment of a program: ours, with what is given; None removes a variable."""
    return {name: value for name, value in {**os.environ, **given}.items() if value is not None}


def _streams(
    opened: contextlib.ExitStack, limits: Limits, input: IO[bytes] | None,
    files: tuple[IO[bytes] | None, IO[bytes] | None], merged: bool, whole: bool,
) -> _Streams:  # fmt: skip
    """Opens pipes for what is collected; our ends are closed with `opened`."""
    nothing = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    opened.callback(os.close, nothing)
    outputs: list[_Stream] = []

    def collected() -> int:
        ours, theirs = os.pipe()
        opened.callback(os.close, ours)
        outputs.append(_Stream(ours, limits.output_bytes, whole))
        return theirs

    def connected(file: IO[bytes] | None) -> int:
        return collected() if file is None else os.dup(file.fileno())

    first = connected(files[0])
    second = os.dup(first) if merged else connected(files[1])
    return _Streams((nothing if input is None else input.fileno(), first, second), tuple(outputs))


class _Process:
    """A program under its supervisor; leaving the block ends it with all that it started."""

    def __init__(
        self,
        words: Sequence[str],
        limits: Limits,
        variables: Mapping[str, str],
        folder: str | Path | None,
        streams: _Streams,
        confinement: Confinement,
    ) -> None:
        """`words`: the file to execute, then the words of the command."""
        self._limits, self._streams = limits, streams
        self._begun = time.monotonic()
        from foretell import _core  # not to be loaded for a page of help

        try:
            self._supervisor, self._life, self._report = _core.guard_start(
                os.fsencode(words[0]),
                [os.fsencode(word) for word in words[1:]],
                [os.fsencode(f"{name}={value}") for name, value in variables.items()],
                folder=os.fsencode(str(folder or "")),
                streams=streams.given,
                cpu_seconds=-1,
                memory_bytes=_or_unlimited(None if os.environ.get(ADDRESSES) == "off" else limits.memory_bytes),
                file_bytes=_or_unlimited(limits.file_bytes),
                stack_bytes=_or_unlimited(limits.stack_bytes),
                processes=limits.processes,
                confined=not confinement.free,
                network=confinement.network,
                writable=[os.fsencode(name) for name in confinement.writable],
            )
        finally:
            for end in streams.given[1:]:
                os.close(end)
        self._answer = b""
        self._looks_above = 0
        self._executed = False

    def __enter__(self) -> _Process:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
        os.close(self._report)
        with contextlib.suppress(ChildProcessError):  # who started us has it that ends are not waited for
            os.waitpid(self._supervisor, 0)

    def end(self) -> None:
        """Tells the supervisor to end everything; it has seconds for that, and is waited for."""
        if self._life >= 0:
            os.close(self._life)
            self._life = -1

    def watch(self, shown: str, stop: int | None = None) -> None:
        """Reads until the supervisor reports; StoppedError for a limit."""
        with selectors.DefaultSelector() as selector:
            for stream in self._streams.outputs:
                selector.register(stream.pipe, selectors.EVENT_READ, stream)
            selector.register(self._report, selectors.EVENT_READ)
            others = 0 if stop is None else 1
            if stop is not None:
                selector.register(stop, selectors.EVENT_READ)
            while len(selector.get_map()) > others:
                for key, _ in selector.select(self._pause()):
                    if key.fd == stop:
                        raise StoppedError(f"{shown}: was ended", "stop")
                    if not self._read(key.data, shown):
                        selector.unregister(key.fd)
                self._check(shown)

    def _read(self, stream: _Stream | None, shown: str) -> bool:
        """Reads an output or the report; False when it has ended."""
        if stream is None:
            self._answer = os.read(self._report, _BLOCK)
            return False
        more = stream.read()
        if stream.count > stream.limit:
            raise StoppedError(f"{shown}: wrote more than {stream.limit / 2**20:g} MiB and was ended", "output")
        return more

    def _pause(self) -> float:
        """How long to wait for something to read: to the end of the time, or to the next look at the memory."""
        left = max(0.0, self._limits.time_s - (time.monotonic() - self._begun)) if not self._answer else _LAST_WORDS
        return left if self._limits.resident_bytes is None else min(left, _LOOK)

    def _check(self, shown: str) -> None:
        if self._answer:
            return
        if time.monotonic() - self._begun > self._limits.time_s:
            limit = f"{self._limits.time_s:g} s ({self._limits.time_option or '--limit-time'} raises this limit)"
            raise StoppedError(f"{shown}: took longer than {limit} and was ended", "time")
        most = self._limits.resident_bytes
        if most is None:
            return
        self._looks_above = self._looks_above + 1 if self._resident() > most else 0
        if self._looks_above > 1:  # who was just forked still has the pages of its parent
            limit = f"{most / 2**30:g} GiB of memory (--limit-memory raises this limit)"
            raise StoppedError(f"{shown}: used more than {limit} and was ended", "memory")

    def _resident(self) -> int:
        """Bytes in memory of the program and what it started; none until it is executed, since a copy of this process
        has its pages. (What the program leaves to the supervisor's first process may never execute anything.)"""
        processes = _below(self._supervisor)
        self._executed = self._executed or any(map(_has_executed, processes))
        return sum(map(_resident, processes)) if self._executed else 0

    def finished(self, shown: str) -> Finished:
        """The result, once all pipes are read."""
        from foretell import _core

        cause, status, lacking, seconds, elapsed = _core.guard_report(self._answer)
        if cause == _TOO_MANY:
            raise StoppedError(f"{shown}: had more than {self._limits.processes} processes and was ended", "processes")
        if cause == _NOT_STARTED:
            raise NotStartedError(shown, os.strerror(status))
        outputs = [bytes(stream.data) for stream in self._streams.outputs]
        notes = tuple(note for bit, note in _LACKING.items() if lacking & bit)
        _lacked.update(dict.fromkeys(notes))
        return Finished(
            os.waitstatus_to_exitcode(status) if cause == _ENDED else -signal.SIGKILL,
            elapsed,
            seconds,
            output=b"" if not outputs else outputs[0],
            errors=b"" if len(outputs) < 2 else outputs[1],
            notes=notes,
        )


def notes() -> tuple[str, ...]:
    """How programs of the user that ran so far were less confined than promised; the command line says it."""
    return tuple(_lacked)


def die_with_parent(parent: int) -> None:
    """For worker processes: the end of process `parent`, which made this one, is also that of this one."""
    from foretell import _core

    _core.guard_die_with_parent(parent)


def confine(readable: Sequence[str | Path], writable: Sequence[str | Path]) -> bool:
    """For worker processes, before they start threads: from now on this process, and what it starts, reads and executes
    only below `readable`, writes only below `writable`, and makes no connection. False: the kernel cannot do this."""
    from foretell import _core

    return _core.guard_confine(list(map(str, readable)), list(map(str, writable)))


def _or_unlimited(limit: int | None) -> int:
    return -1 if limit is None else limit


def _below(supervisor: int) -> list[int]:
    """The program and what it started: all below the supervisor's first process."""
    found, waiting = [], [(supervisor, 0)]
    while waiting:
        process, depth = waiting.pop()
        if depth > 1:
            found.append(process)
        with contextlib.suppress(OSError, ValueError):
            for task in Path(f"/proc/{process}/task").iterdir():
                waiting += ((int(child), depth + 1) for child in (task / "children").read_text().split())
    return found


def _has_executed(process: int) -> bool:
    """Whether it has executed a file since it was forked: the ninth field of its state (proc(5)) says."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        state = Path(f"/proc/{process}/stat").read_bytes()
        return not int(state[state.rindex(b")") + 1 :].split()[6]) & _FORKED_ONLY
    return False


def _resident(process: int) -> int:
    """Its bytes in memory; 0 where it is gone."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * _PAGE
    return 0
