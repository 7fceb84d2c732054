"""One worker process as the server sees it: signalled and waited for without a race for its exit status."""

from __future__ import annotations

import contextlib
import os
import signal
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio


@dataclass(slots=True, eq=False)
class WorkerProcess:
    """A started worker, and what is known of it.

    `subprocess.Popen` looks for the exit status before it sends a signal. asyncio waits for the same status in a thread
    of its own; where it comes second, it says "unknown child process" and reports 255. So signals go by a handle of the
    kernel (pidfd), which means this process also when its number has been given to another.
    """

    process: asyncio.subprocess.Process
    confined: bool = False
    answered: int = 0
    resident_bytes: int = 0
    stream: str = ""
    _handle: int = field(init=False, default=-1)

    def __post_init__(self) -> None:
        with contextlib.suppress(OSError):  # it has ended already, or the kernel has no such handles
            self._handle = os.pidfd_open(self.process.pid)

    def interrupt(self) -> None:
        """Cancels the question that it answers."""
        self._signal(signal.SIGINT)

    def kill(self) -> None:
        self._signal(signal.SIGKILL)

    async def ended(self) -> None:
        """Waits until it is gone."""
        await self.process.wait()
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            if self._handle >= 0:
                signal.pidfd_send_signal(self._handle, number)
            elif self.process.returncode is None:
                self.process.send_signal(number)
