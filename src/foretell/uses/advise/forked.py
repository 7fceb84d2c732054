"""Calls in forked copies of this process, several at a time.

A copy has the modules and the caches of the search already; only results go through a pipe. So it is worth while for
calls of a tenth of a second, which new processes (`uses/tuning/workers.py`) are not.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import threading
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")
R = TypeVar("R")
#: processes at most: beyond, what is done between the calls takes longest
_MOST = 8


def shared_out(call: Callable[[T], R], items: Sequence[T], processes: int = 0) -> list[R]:
    """Calls for every item, on as many processes (0: one for each processor); the results in the order of the items.
    Of a copy that dies, the items are done here."""
    count = min(len(items), processes or _processors())
    if count < 2:
        return [call(item) for item in items]
    was_frozen = gc.get_freeze_count() > 0
    gc.freeze()  # a copy that looks for garbage among what it shares with us would copy its pages
    copies = [_Copy(call, items[number::count]) for number in range(1, count)]
    try:
        parts = [[call(item) for item in items[::count]]]
        for number, copy in enumerate(copies, start=1):
            part = copy.results()
            parts.append(part if part is not None else [call(item) for item in items[number::count]])
    finally:
        if not was_frozen:
            gc.unfreeze()
        for copy in copies:
            copy.end()
    return [parts[at % count][at // count] for at in range(len(items))]


def _processors() -> int:
    """Processors of this process; 1 where it has threads, which a forked copy would lack."""
    if sys.platform != "linux" or threading.active_count() > 1:
        return 1
    return min(_MOST, len(os.sched_getaffinity(0)))


class _Copy(Generic[T, R]):
    """A forked process that calls for its items, writes the results into a pipe, and ends."""

    def __init__(self, call: Callable[[T], R], items: Sequence[T]) -> None:
        self._reading, writing = os.pipe()
        self._process = os.fork()
        if self._process == 0:
            _answer(writing, call, items)
        os.close(writing)

    def results(self) -> list[R] | None:
        """What it has written; None where it died before."""
        with os.fdopen(os.dup(self._reading), "rb") as pipe:
            data = pipe.read()
        try:
            return list(pickle.loads(data))
        except (EOFError, pickle.UnpicklingError):
            return None

    def end(self) -> None:
        os.close(self._reading)
        os.kill(self._process, signal.SIGKILL)  # it has written all, or nobody reads it
        os.waitpid(self._process, 0)


def _answer(writing: int, call: Callable[[T], R], items: Sequence[T]) -> None:
    """In the copy: whatever happens, it does not return into the code that called it."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        data = pickle.dumps([call(item) for item in items])
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(data)
    finally:
        os._exit(0)
