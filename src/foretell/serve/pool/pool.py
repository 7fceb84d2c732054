"""The server's side of the workers: starts them, hands out questions, cancels, ends what exceeds a limit."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from foretell.files import held_folder
from foretell.serve.pool import frames, launched
from foretell.serve.pool.process import WorkerProcess
from foretell.serve.pool.turns import Turns
from foretell.serve.pool.worker import KEPT_VARIABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """What one question may take, and when a worker is replaced.

    `seconds` is the wall time of a question, `processor_seconds` that of one prediction in it, `memory_bytes` the
    address space of a worker. A worker is replaced after `questions`, or beyond `resident_bytes`.
    """

    seconds: float = 60.0
    processor_seconds: float = 20.0
    memory_bytes: int = 8 << 30
    resident_bytes: int = 2 << 30
    questions: int = 2000
    waiting: int = 200
    #: how long a cancelled question may take to end before its worker is killed: a new worker costs about two seconds
    #: of processor time, on a loaded machine several of wall time
    grace_seconds: float = 3.0
    start_seconds: float = 60.0


class AnswerError(Exception):
    """A question without an answer; `document` has kind, message, and perhaps file, line, hint."""

    def __init__(self, document: Document) -> None:
        super().__init__(document["message"])
        self.document = document

    @classmethod
    def of(cls, kind: str, message: str, hint: str | None = None) -> AnswerError:
        return cls({"kind": kind, "message": message, "hint": hint})


class Pool:
    """A fixed number of workers. `ask` waits for a free one, users in turn; questions of one stream go to the worker
    that has read their code, where it is free."""

    def __init__(
        self,
        size: int,
        limits: PoolLimits | None = None,
        folder: Path | None = None,
        warm: bool = True,
        dask: str = "",
        mpi: tuple[str, ...] = (),
    ) -> None:
        """`warm`: workers make a prediction at their start, so that the first user does not wait for libraries.
        `dask`: the scheduler of a cluster that computes explorations. `mpi`: the words of a launcher, such as
        `mpiexec -n 9`: each worker is the first of its ranks, and the others compute explorations."""
        self.size, self.limits, self._warm, self._dask, self._mpi = size, limits or PoolLimits(), warm, dask, mpi
        self._remove: Callable[[], None] | None = None
        if folder is None:
            folder, self._remove = held_folder("foretell-serve-")
        self._folder = folder
        self._turns: Turns[WorkerProcess] = Turns()
        self._every: set[WorkerProcess] = set()
        #: killed, and not yet gone
        self._ending: set[WorkerProcess] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._number = 0
        self._closed = False
        #: whether workers see nothing of the host; None before the first is ready
        self.confined: bool | None = None

    @property
    def folder(self) -> Path:
        """The private folder of the workers."""
        return self._folder

    async def start(self) -> None:
        """Starts all workers, without waiting for them to be ready."""
        for name in ("codes", "cache", "tmp"):
            (self._folder / name).mkdir(mode=0o700, parents=True, exist_ok=True)
        for _ in range(self.size):
            self._background(self._add())

    async def close(self) -> None:
        """Ends all workers, and what they started."""
        self._closed = True
        for task in [*self._tasks]:
            task.cancel()
        for worker in [*self._every, *self._ending]:
            worker.kill()
            await worker.ended()
        if self._remove is not None:
            self._remove()
            self._remove = None

    async def ask(
        self,
        question: str,
        document: Mapping[str, Any],
        *,
        stream: str = "",
        user: str = "",
        progress: Callable[[Document], None] | None = None,
        seconds: float | None = None,
    ) -> Document:
        """The answer to a question; AnswerError: why there is none. Cancelling the task cancels the question."""
        if len(self._turns) >= self.limits.waiting:
            raise AnswerError.of("busy", "too many questions wait", "ask again in a moment")
        worker = await self._turns.take(user, stream)
        try:
            return await self._answered(worker, question, document, progress, seconds or self.limits.seconds)
        finally:
            self._turns.leave(user)

    # ------------------------------------------------------------------------------------------------- one question

    async def _answered(
        self, worker: WorkerProcess, question: str, document: Mapping[str, Any], progress: Any, seconds: float
    ) -> Document:
        self._number += 1
        number = self._number
        try:
            await self._written(worker, {"id": number, "question": question, "document": document})
            reply = await asyncio.wait_for(self._reply(worker, number, progress), seconds)
        except asyncio.CancelledError:
            self._background(self._settle(worker, number))
            raise
        except TimeoutError:
            self._replace(worker)
            raise AnswerError.of(
                "limit", f"takes longer than {seconds:g} s", "smaller sizes or a shorter code"
            ) from None
        except (asyncio.IncompleteReadError, ConnectionError, ValueError):
            self._replace(worker)
            raise AnswerError.of("ended", "the worker ended: a limit of memory, or a crash", "smaller sizes") from None
        self._released(worker, reply)
        if "error" in reply:
            raise AnswerError(reply["error"])
        answer: Document = reply["answer"]
        return answer

    async def _written(self, worker: WorkerProcess, message: Document) -> None:
        assert worker.process.stdin is not None
        worker.process.stdin.write(frames.encoded(message))
        await worker.process.stdin.drain()

    async def _reply(self, worker: WorkerProcess, number: int, progress: Any) -> Document:
        assert worker.process.stdout is not None
        while True:
            message = await frames.receive(worker.process.stdout)
            if message.get("id") != number:
                continue
            if "progress" not in message:
                return message
            if progress is not None:
                progress(message["progress"])

    async def _settle(self, worker: WorkerProcess, number: int) -> None:
        """Interrupts a question that nobody waits for; a worker that does not stop is replaced, and MPI ranks, of which
        none can go on alone, are replaced all."""
        if self._mpi:
            self._replace(worker)
            return
        worker.interrupt()
        try:
            reply = await asyncio.wait_for(self._reply(worker, number, None), self.limits.grace_seconds)
        except (TimeoutError, asyncio.IncompleteReadError, ConnectionError, ValueError):
            self._replace(worker)
        else:
            self._released(worker, reply)

    # ------------------------------------------------------------------------------------------------- workers

    def _released(self, worker: WorkerProcess, reply: Document) -> None:
        worker.answered += 1
        worker.resident_bytes = reply.get("resident_bytes", 0)
        if worker.answered >= self.limits.questions or worker.resident_bytes > self.limits.resident_bytes:
            self._replace(worker)
            return
        self._turns.add(worker)

    def _replace(self, worker: WorkerProcess) -> None:
        self._end(worker)
        if not self._closed:
            self._background(self._add())

    def _end(self, worker: WorkerProcess) -> None:
        worker.kill()
        self._every.discard(worker)
        self._ending.add(worker)
        self._background(self._gone(worker))

    async def _gone(self, worker: WorkerProcess) -> None:
        await worker.ended()
        self._ending.discard(worker)

    async def _add(self) -> None:
        """Starts a worker and puts it to the free ones when it says that it is ready."""
        process = await asyncio.create_subprocess_exec(
            *self._command(),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            env=self._environment(), cwd=self._folder, start_new_session=True, limit=1 << 20,
        )  # fmt: skip
        worker = WorkerProcess(process)
        self._every.add(worker)
        assert process.stdout is not None
        try:
            ready = await asyncio.wait_for(frames.receive(process.stdout), self.limits.start_seconds)
        except (TimeoutError, asyncio.IncompleteReadError, ConnectionError, ValueError):
            self._end(worker)
            if not self._closed:
                await asyncio.sleep(1.0)  # not to start processes without end where none can live
                self._background(self._add())
            return
        worker.confined = self.confined = bool(ready["confined"])
        self._turns.add(worker)

    def _command(self) -> list[str]:
        module, folder = "foretell.serve.pool.worker", str(self._folder)
        if self._mpi:
            return launched.command(self._mpi, module, folder)
        return [sys.executable, "-m", module, folder, str(os.getpid())]

    def _environment(self) -> dict[str, str]:
        kept = launched.environment() if self._mpi else {}
        kept |= {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
        own = {"HOME": self._folder, "TMPDIR": self._folder / "tmp", "FORETELL_CACHE": self._folder / "cache"}
        return kept | {name: str(path) for name, path in own.items()} | {
            "FORETELL_LIMIT_TIME": repr(self.limits.processor_seconds),
            "FORETELL_WORKER_BYTES": str(self.limits.memory_bytes),
            "FORETELL_WORKER_WARM": str(int(self._warm)),
            "FORETELL_WORKER_DASK": self._dask,
            "FORETELL_WORKER_MPI": str(int(bool(self._mpi))),
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONWARNINGS": "ignore",
        }  # fmt: skip

    def _background(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
