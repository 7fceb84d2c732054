"""How much work one input may cause: time and memory, counted in the code that does the work.

A limit in seconds becomes a number of steps (instructions, calls, warps) by the rate of each engine, so the same input
is accepted or refused on every machine, whatever its load. The command line also watches the processor time of each
file and each prediction, for what is not counted. Programs that are run (compilers, the user's) have their own limits.

`FORETELL_LIMIT_TIME` (seconds) and `FORETELL_LIMIT_MEMORY` (GiB) hold for this process and those that it starts; the
options `--limit-time` and `--limit-memory` set them.
"""

from __future__ import annotations

import os
import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import FrameType

TIME, MEMORY = "FORETELL_LIMIT_TIME", "FORETELL_LIMIT_MEMORY"
#: what helps where the limit of memory was met, and where a program was ended for its time
MORE_MEMORY = f"--limit-memory GIB (or {MEMORY}) raises it"
MORE_TIME = f"--limit-time SECONDS (or {TIME}) raises it in proportion"
#: defaults: seconds of processor time for one file or one prediction, and GiB
DEFAULT_SECONDS, DEFAULT_GIB = 60.0, 8.0
_MOST = 1e9
#: whether `watched` uses a timer; only the command line does, a library leaves the signals of its process alone
_watching = False


class LimitError(InputError):
    """An input would take more time or memory than the limit."""


def seconds() -> float:
    """The time limit of one file or one prediction."""
    return _number(TIME, DEFAULT_SECONDS)


def memory_bytes() -> int:
    """The memory limit."""
    return int(_number(MEMORY, DEFAULT_GIB) * 2**30)


def steps(per_second: float) -> int:
    """The steps that an engine of this rate makes in the time limit."""
    return max(1, int(seconds() * per_second))


def share(of_default: int) -> int:
    """A count that is `of_default` at the default time limit, and proportional to the limit."""
    return max(1, int(of_default * seconds() / DEFAULT_SECONDS))


def memory_share(of_default: int) -> int:
    """Bytes of a file that are `of_default` at the default memory limit, and proportional to the limit; never below
    1 MiB, which any limit that lets the package itself start can hold."""
    return max(1 << 20, int(of_default * memory_bytes() / (DEFAULT_GIB * 2**30)))


def for_program(of_default: float) -> float:
    """Seconds that a program may run (a compiler, a tool, one of the user) whose limit is `of_default` at the default
    time limit: more in proportion with a longer one, but never less, since a run takes as long as the load of the
    machine wants."""
    return of_default * max(1.0, seconds() / DEFAULT_SECONDS)


class Budget:
    """Steps that are counted down; one too many is an error that names the work."""

    __slots__ = ("_left", "_most", "_what")

    def __init__(self, what: str, per_second: float) -> None:
        self._what = what
        self._most = self._left = steps(per_second)

    def spend(self, count: int = 1) -> None:
        """Counts steps that are about to be made."""
        self._left -= count
        if self._left < 0:
            raise too_long(f"{self._what} takes more than {self._most} steps")


def require_bytes(needed: float, what: str) -> None:
    """Refuses what needs more memory than the limit, before it is allocated."""
    if needed > memory_bytes():
        raise too_much(f"{what} needs {needed / 2**30:.3g} GiB,")


def too_much(message: str) -> LimitError:
    """The error of work beyond the memory limit."""
    return LimitError(f"{message} more than the limit of {memory_bytes() / 2**30:g} GiB", hint=MORE_MEMORY)


def too_long(message: str, file: Path | None = None) -> LimitError:
    """The error of work beyond the time limit."""
    hint = f"smaller sizes, or --limit-time SECONDS (or {TIME})"
    return LimitError(f"{message}, the limit for {seconds():g} s", file=file, hint=hint)


@contextmanager
def watched(what: str, times: int = 1) -> Iterator[None]:
    """Ends work that takes longer than `times` the limit, by processor time; of nested blocks the outermost counts.
    Nothing is watched outside of the command line and outside of the main thread."""
    if not _watching or threading.current_thread() is not threading.main_thread() or _is_running():
        yield
        return
    limit = seconds() * times

    def stop(_: int, __: FrameType | None) -> None:
        raise too_long(f"{what} takes longer than {limit:g} s of processor time")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def watch() -> None:
    """Makes `watched` work in this process."""
    global _watching
    _watching = True


def _is_running() -> bool:
    return signal.getitimer(signal.ITIMER_VIRTUAL)[0] > 0


def _number(name: str, default: float) -> float:
    text = os.environ.get(name, "")
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= _MOST:
        raise InputError(f"{name}={text[:40]!r} is not a positive number")
    return value
