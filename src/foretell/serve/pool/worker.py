"""A worker process: confines itself, then answers questions one after another. Started as

    python -m foretell.serve.pool.worker FOLDER [PARENT]

Messages come on stdin and go to what was stdout. {"id", "question", "document"} is answered by {"id", "answer"} or
{"id", "error"}, after any number of {"id", "progress"}. SIGINT cancels the question that runs.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from foretell import limits, running
from foretell.errors import ForetellError, InputError
from foretell.serve.pool import frames

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from foretell.serve.pool.answering import Answers
    from foretell.serve.pool.codes import Codes
    from foretell.uses.explore.engine import Engine

#: what compilers, their headers and Python need to be read
_READABLE = ("/usr", "/lib", "/lib64", "/bin", "/opt", "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf",
             "/etc/localtime", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/sys/devices/system/cpu",
             "/dev/urandom")  # fmt: skip
_DEVICES = ("/dev/null", "/dev/zero")
#: environment variables that a worker gets, beside those of its folder
KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "PYTHONPATH", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "CUDA_HOME")


#: predicted once at the start: libraries are loaded and compilers are known when the first user asks
_FIRST = {"code": {"name": "first.c", "text": "void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] *= 2; }\n"},
          "on": "zen4", "parameters": {"n": 1000}}  # fmt: skip


class _CancelledError(BaseException):
    """The server does not want the answer any more."""


def confine(folder: Path) -> bool:
    """From now on this process sees nothing of the host but programs, libraries and its folder."""
    packages = [path for path in sys.path if path]
    package = Path(__file__).resolve().parents[2]
    readable: list[str | Path] = [*_READABLE, sys.prefix, sys.base_prefix, *packages, package]
    return running.confine(readable, [folder, *_DEVICES])


class Worker:
    """Reads questions and writes answers."""

    def __init__(
        self,
        folder: Path,
        incoming: BinaryIO,
        outgoing: BinaryIO,
        confined: bool,
        engine: Callable[[], Engine] | None = None,
    ) -> None:
        self._folder, self._in, self._out, self._confined = folder, incoming, outgoing, confined
        self._engine = engine
        self._busy = False
        self._codes: Codes | None = None
        self._answers: Answers | None = None

    def run(self) -> None:
        """Answers until the server closes the pipe."""
        self._send({"ready": True, "confined": self._confined})
        self._load()
        while (message := frames.read(self._in)) is not None:
            self._send(self._reply(message))

    def interrupt(self, *_: object) -> None:
        """Ends the question that runs, if one does."""
        if self._busy:
            self._busy = False
            raise _CancelledError

    def _load(self) -> Answers:
        """Imports what every prediction needs, so that the first one is warm."""
        if self._answers is None:
            from foretell.serve.pool.answering import Answers
            from foretell.serve.pool.codes import Codes

            self._codes = Codes(self._folder / "codes")
            self._answers = Answers(self._codes, self._engine)
            if os.environ.get("FORETELL_WORKER_WARM") == "1":
                with contextlib.suppress(ForetellError):
                    self._answers.answer("annotate", _FIRST, lambda _: None)
        return self._answers

    def _reply(self, message: Mapping[str, Any]) -> dict[str, Any]:
        number = message["id"]
        try:
            self._busy = True
            answer = self._load().answer(message["question"], message["document"], self._progress(number))
            self._busy = False
            reply: dict[str, Any] = {"id": number, "answer": answer}
        except _CancelledError:
            reply = {"id": number, "error": {"kind": "cancelled", "message": "cancelled"}}
        except Exception as error:
            self._busy = False
            reply = {"id": number, "error": error_document(error)}
        return {**reply, "resident_bytes": _resident()}

    def _progress(self, number: int) -> Any:
        return lambda document: self._send({"id": number, "progress": document})

    def _send(self, document: dict[str, Any]) -> None:
        try:
            data = frames.encoded(document)
        except ForetellError as error:
            data = frames.encoded({"id": document.get("id"), "error": error_document(error)})
        size, text = data[:4], data[4:].decode()
        if self._codes is not None and str(self._codes.folder) in text:
            text = self._codes.without_folder(text)
            size = len(text.encode()).to_bytes(4, "little")
        self._out.write(size + text.encode())
        self._out.flush()


def error_document(error: Exception) -> dict[str, Any]:
    """An error in the words of the Python interface; a bug without its traceback."""
    from foretell.interface.wording import in_python

    if isinstance(error, InputError):
        kind = "limit" if isinstance(error, limits.LimitError) else "input"
        file = None if error.file is None else Path(error.file).name
        hint = error.hint and in_python(error.hint)
        return {"kind": kind, "message": in_python(error.message), "file": file, "line": error.line, "hint": hint}
    if isinstance(error, ForetellError):
        return {"kind": "tool", "message": in_python(str(error))}
    if isinstance(error, MemoryError | RecursionError):
        return {"kind": "limit", "message": "not enough memory for this input", "hint": "smaller sizes"}
    sys.stderr.write(f"{type(error).__name__}: {error}\n")
    return {"kind": "internal", "message": f"internal error: {type(error).__name__}"}


def _resident() -> int:
    """Most bytes in memory so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def _engine() -> Callable[[], Engine] | None:
    """The cluster that computes explorations. The threads of its connection are begun before this process confines
    itself and keep it; the thread that reads what clients send can open no other."""
    address, ranks = os.environ.get("FORETELL_WORKER_DASK"), os.environ.get("FORETELL_WORKER_MPI") == "1"
    if not address and not ranks:
        return None
    from foretell.serve.pool import engines

    return engines.prepared(engines.mpi_ranks if ranks else lambda: engines.dask_cluster(address or ""))


def main(folder: Path, parent: int) -> None:
    """Becomes a worker until stdin ends."""
    running.die_with_parent(parent)
    engine = _engine()
    confined = confine(folder)
    outgoing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no message
    most = int(os.environ.get("FORETELL_WORKER_BYTES", 0))
    if most:
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore")
    limits.watch()
    worker = Worker(folder, sys.stdin.buffer, outgoing, confined, engine)
    signal.signal(signal.SIGINT, worker.interrupt)
    worker.run()


if __name__ == "__main__":  # pragma: no cover
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else os.getppid())  # of MPI ranks: their launcher
