"""Runs a CUDA program with the stand-in library, and gathers what it would do on GPUs."""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import socket
import threading
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import IO, TYPE_CHECKING

from foretell import limits, running
from foretell.core.answers.program_run import ProgramRun
from foretell.errors import InputError, ToolError
from foretell.files import temporary_folder
from foretell.uses.program_run.closed_libraries import ESTIMATED, closed_libraries, exported
from foretell.uses.program_run.messages import Connection
from foretell.uses.program_run.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.core.machine.machine import Machine
    from foretell.uses.program_run.recording import Recorder

#: environment variable: the socket of the stand-in library
_SOCKET = "FORETELL_STANDIN"
#: warp instructions of one launch for each second of the time limit: the rate of the functional core
INSTRUCTIONS_PER_SECOND = 10_000_000
#: seconds for the last words of a program whose questions are not answered any more
_LAST_WORDS_S = 2.0
#: the exit status where the loader does not find a library
_NOT_STARTED = 127
#: seconds of a whole program, unless it is limited otherwise
DEFAULT_SECONDS = 3600.0
#: and the option that gives others
TIME_OPTION = "--timeout"


@dataclass(frozen=True, slots=True)
class Streams:
    """Where the program's input comes from and its output goes to; None: nothing, and collected."""

    input: IO[bytes] | None = None
    output: IO[bytes] | None = None
    errors: IO[bytes] | None = None


@dataclass
class _Program:
    """The program in a thread of its own; `ended` can be read when it has ended."""

    command: Sequence[str]
    environment: Mapping[str, str]
    seconds: float
    streams: Streams
    folder: str
    finished: running.Finished | None = None
    failure: Exception | None = None
    ended: socket.socket = field(init=False)

    def start(self) -> None:
        self.ended, self._end = socket.socketpair()
        self._stop, self._stopping = socket.socketpair()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        try:
            self.finished = running.run(
                self.command,
                running.Limits(self.seconds, resident_bytes=limits.memory_bytes(), time_option=TIME_OPTION),
                environment=self.environment,
                input=self.streams.input,
                output=self.streams.output,
                errors=self.streams.errors,
                whole=False,
                confinement=running.Confinement.current().beside(self.folder),
                stop=self._stopping.fileno(),
            )
        except Exception as error:
            self.failure = error
        finally:
            self._end.close()

    def wait(self, seconds: float | None) -> None:
        """Waits for the end; after this time the program is ended."""
        self.ended.settimeout(seconds)
        try:
            self.ended.recv(1)
        except TimeoutError:
            self._stop.close()
            self.ended.settimeout(None)
            self.ended.recv(1)
        for end in (self.ended, self._stop, self._stopping):
            end.close()


def run_program(
    command: Sequence[str],
    machines: Sequence[Machine],
    *,
    streams: Streams | None = None,
    seconds: float = DEFAULT_SECONDS,
    recorder: Recorder | None = None,
    explain: bool = False,
    check_races: bool = False,
    estimate_libraries: bool = False,
) -> ProgramRun:
    """Runs a program to its end. It sees the first machine as its GPU; all are predicted. InputError: it needs what is
    not here; ToolError: it cannot be run, or exceeds a limit. `explain`: also what changes would bring; `check_races`:
    races of its kernels are faults; `estimate_libraries`: closed libraries are computed here and estimated."""
    check_program(command)
    session = Session(machines, limits.steps(INSTRUCTIONS_PER_SECOND), recorder, explain, check_races)
    with temporary_folder() as folder, contextlib.closing(session.memory):
        path = str(Path(folder) / "cuda")
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
            server.bind(path)
            server.listen(4)
            environment = _environment(path, estimate_libraries)
            program = _Program(command, environment, seconds, streams or Streams(), folder)
            program.start()
            _serve(session, server, program)
            server.shutdown(socket.SHUT_RDWR)  # wakes the thread that refuses others
    return _answer(command, session, program, estimate_libraries)


def check_program(command: Sequence[str], use: str = "run") -> None:
    """Refuses a program that is not there."""
    if not command:
        raise InputError("no program is given", hint=f"foretell {use} -- ./app arguments")
    if shutil.which(command[0]) is None:
        raise InputError(f"there is no program {command[0]!r}")


def library_folder() -> Path:
    """The folder of the stand-in libraries."""
    folder = Path(str(resources.files("foretell") / "standin"))
    if not (folder / "libforetell_cuda.so").exists():
        raise ToolError("the stand-in library for CUDA is not installed with this package")
    return folder


def _environment(path: str, estimate_libraries: bool) -> dict[str, str]:
    """Variables by which the loader finds the stand-ins before CUDA's own libraries."""
    folder = library_folder()
    folders, loaded = [str(folder)], [str(folder / "libforetell_cuda.so")]
    if estimate_libraries:
        folders.append(str(folder / "closed"))
        loaded.append(str(folder / "closed" / ESTIMATED))
    before = {name: os.environ.get(name, "") for name in ("LD_LIBRARY_PATH", "LD_PRELOAD")}
    return {
        _SOCKET: path,
        "LD_LIBRARY_PATH": ":".join(filter(None, (*folders, before["LD_LIBRARY_PATH"]))),
        "LD_PRELOAD": ":".join(filter(None, (*loaded, before["LD_PRELOAD"]))),
    }


def _serve(session: Session, server: socket.socket, program: _Program) -> None:
    """Serves the first process of the program that uses CUDA, until the program has ended; others are refused."""
    with selectors.DefaultSelector() as selector:
        selector.register(server, selectors.EVENT_READ)
        selector.register(program.ended, selectors.EVENT_READ)
        ready = [key.fileobj for key, _ in selector.select()]
        if server in ready:
            end, _ = server.accept()
            threading.Thread(target=_refuse, args=(session, server), daemon=True).start()
            with end:
                _answer_messages(session, end)
    program.wait(None if session.refused is None else _LAST_WORDS_S)


def _answer_messages(session: Session, end: socket.socket) -> None:
    """Answers until the program ends; one that does not speak the protocol is ended."""
    try:
        session.serve(Connection(end))
    except InputError as error:
        session.refused = error


def _refuse(session: Session, server: socket.socket) -> None:
    """Tells further processes that they cannot have a GPU, until the server is closed."""
    with contextlib.suppress(OSError):
        while True:
            end, _ = server.accept()
            with end:
                connection = Connection(end)
                if connection.receive() is not None:
                    session.refused = InputError("a second process of the program uses CUDA; foretell run follows one")
                    connection.answer(-1)


def _answer(command: Sequence[str], session: Session, program: _Program, estimated: bool) -> ProgramRun:
    if session.refused is not None:
        raise session.refused
    if program.failure is not None:
        raise program.failure
    assert program.finished is not None
    names = tuple(session.operations)
    if program.finished.code == _NOT_STARTED:
        _check_libraries(command[0], estimated)
    return ProgramRun(
        command=tuple(command),
        exit_code=program.finished.code,
        operations=names,
        devices=tuple(device.result(names, session.host_s) for device in session.asked),
        faults=(*session.faults, *_too_small(session)),
    )


def _check_libraries(program: str, estimated: bool) -> None:
    """Refuses a program that the loader could not start, as it needs libraries that nobody has without a GPU."""
    here = exported(library_folder() / "closed" / ESTIMATED) if estimated else frozenset()
    closed = closed_libraries(program, here)
    if closed and estimated:
        raise InputError(
            f"the program needs {', '.join(closed)}, which is not among what foretell estimates of closed libraries",
            hint="docs/reference/interfaces/cuda-functions.md lists it",
        )
    if closed:
        raise InputError(
            f"the program needs {', '.join(closed)}, which foretell does not have",
            hint="--estimate-libraries computes much of cuBLAS, cuFFT and cuRAND here and estimates its time; Thrust, "
            "CUB and the program's own kernels are executed",
        )


def _too_small(session: Session) -> list[str]:
    """What did not fit the memory of the device."""
    total = session.memory.device_bytes
    return [
        f"cudaMalloc of {size / 2**20:.1f} MiB failed: {session.machines[0].name} has {total / 1e9:.4g} GB of memory"
        for size in session.memory.failed
    ]
