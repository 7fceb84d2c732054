"""Ctrl-C and SIGTERM end a command in order: by one exception, from its first moment on, with a message that says what
was kept, and 128 and the number of the signal as exit code."""

from __future__ import annotations

import os
import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

_HEEDED = (signal.SIGINT, signal.SIGTERM)


class Interruption(KeyboardInterrupt):
    """A signal asks us to end. The class is our own, since after a plain KeyboardInterrupt in code that was compiled
    from a string (as a dataclass is made) the interpreter ends by SIGINT, whatever its exit code."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextmanager
def heeded() -> Iterator[None]:
    """Has the signals raise Interruption, but for those that whoever started us had ignored (`&` in a script)."""
    if threading.current_thread() is not threading.main_thread():  # only that one gets signals
        yield
        return
    own = os.getpid()

    def stop(number: int, frame: FrameType | None) -> None:
        if os.getpid() != own:  # a forked worker: its parent sees to the rest
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            return
        raise Interruption(number)

    before = {number: signal.getsignal(number) for number in _HEEDED}
    changed = [number for number, handler in before.items() if handler is not signal.SIG_IGN]
    for number in changed:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in changed:
            signal.signal(number, before[number] or signal.SIG_DFL)


@contextmanager
def keeping(what: str) -> Iterator[None]:
    """Around work of which something is kept when it is interrupted: the message says what."""
    try:
        yield
    except KeyboardInterrupt as error:
        error.add_note(what)
        raise


@contextmanager
def withheld() -> Iterator[None]:
    """Processes that begin here do not get the Ctrl-C of our terminal: we end them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def message(error: BaseException | None) -> str:
    """What is said of an interruption."""
    return "; ".join(["foretell: interrupted", *getattr(error, "__notes__", ())])


def code(error: BaseException | None) -> int:
    """Its exit code."""
    return 128 + getattr(error, "number", signal.SIGINT)
