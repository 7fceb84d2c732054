"""Worker processes that call one function: a thread each, with pickled arguments and results through pipes.

Unlike those of `multiprocessing` they need nothing of the main program: it may be a script that cannot be imported, and
it may have threads, with which a forked process may hang.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import IO, TYPE_CHECKING, Any, Self

from foretell import interruption
from foretell.errors import ForetellError
from foretell.running import die_with_parent

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

_LENGTH_BYTES = 8


class DeadWorkerError(Exception):
    """The process died before it answered."""


class Workers:
    """Threads, each with a process that calls `function` (module:name). A process that died is started anew."""

    def __init__(self, count: int, function: str) -> None:
        self._function = function
        self._threads = ThreadPoolExecutor(count)
        self._local = threading.local()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._ended = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ended = True  # a task with further calls starts no process for them
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in self._processes:  # ends calls that are under way
            process.kill()
        self._threads.shutdown(wait=True)
        for process in self._processes:
            process.communicate()

    def submit(self, task: Callable[..., Any], *arguments: object) -> Future[Any]:
        """Runs a task in one of the threads; it may use `call`."""
        return self._threads.submit(task, *arguments)

    def call(self, argument: object) -> Any:
        """Calls the function in the process of this thread."""
        if self._ended:
            raise DeadWorkerError
        process = getattr(self._local, "process", None)
        if process is None:
            process = self._local.process = self._start()
        try:
            _write(process.stdin, pickle.dumps(argument))
            raised, result = pickle.loads(_read(process.stdout))
        except (OSError, EOFError):
            self._local.process = None
            raise DeadWorkerError from None
        if raised:
            raise result
        return result

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", __name__, self._function, str(os.getpid())]
        with interruption.withheld():
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._processes.append(process)
        if self._ended:  # while it started
            process.kill()
        return process


def serve(function: str, source: IO[bytes], target: IO[bytes]) -> None:
    """Answers calls until the pipe is closed."""
    module, _, name = function.partition(":")
    called = getattr(import_module(module), name)
    while True:
        try:
            argument = pickle.loads(_read(source))
        except EOFError:
            return
        try:
            answer = False, called(argument)
        except ForetellError as error:
            answer = True, error
        _write(target, pickle.dumps(answer))


def _write(stream: IO[bytes] | None, data: bytes) -> None:
    assert stream is not None
    stream.write(len(data).to_bytes(_LENGTH_BYTES, "little") + data)
    stream.flush()


def _read(stream: IO[bytes] | None) -> bytes:
    assert stream is not None
    length = stream.read(_LENGTH_BYTES)
    data = stream.read(int.from_bytes(length, "little")) if len(length) == _LENGTH_BYTES else b""
    if len(length) < _LENGTH_BYTES or len(data) < int.from_bytes(length, "little"):
        raise EOFError
    return data


if __name__ == "__main__":
    die_with_parent(int(sys.argv[2]))
    serve(sys.argv[1], sys.stdin.buffer, sys.stdout.buffer)
