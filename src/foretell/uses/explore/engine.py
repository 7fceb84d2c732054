"""Executors of the blocks: this process, a pool of processes, MPI ranks, or a Dask cluster.

Everything uses `concurrent.futures.Executor`. Workers get a packed study and a block number and return a summary; a
block whose worker is lost is resubmitted. In a pool on this machine this process is one of the workers: it computes
while the others start, and does not compete with them for a processor afterwards.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import sys
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from concurrent.futures.process import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

from foretell import interruption
from foretell.errors import InputError, MissingExtraError, ToolError
from foretell.records import record
from foretell.running import die_with_parent
from foretell.uses.explore import evaluate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from foretell.uses.explore.store import PointFiles
    from foretell.uses.explore.study import Study
    from foretell.uses.explore.summary import Summary

EngineName = Literal["auto", "serial", "processes", "mpi", "dask"]

#: below this a pool costs more than it saves
_POOL_POINTS = 2_000_000
#: a block that has killed this many workers is not tried again
_MAX_LOSSES = 3
#: address of a Dask scheduler
_ADDRESS = re.compile(r"(\w+://)?[^\s/:]+:\d+|(\w+://)?\[[0-9a-fA-F:]+\]:\d+|inproc://\S+")


@record
class Engine:
    """A factory of executors, and the number of other workers. `lost` are the errors that mean a lost worker; `helps`:
    this process computes, too."""

    name: str
    workers: int
    open: Callable[[], Any]
    helps: bool = False
    lost: tuple[type[BaseException], ...] = (BrokenExecutor, CancelledError)

    @property
    def in_flight(self) -> int:
        """Blocks submitted at a time: for each other worker the one that it computes and one queued; two queued where
        this process computes in between and does not notice at once that a block is done."""
        return 3 * (self.workers - 1) if self.helps else 2 * self.workers


@dataclass
class _Run:
    """Blocks that are queued, and blocks in flight."""

    packed: bytes
    points: PointFiles | None
    waiting: list[int]
    flying: dict[Future[Summary], int] = field(default_factory=dict)
    losses: dict[int, int] = field(default_factory=dict)

    def fill(self, executor: Executor, most: int) -> None:
        while self.waiting and len(self.flying) < most:
            block = self.waiting.pop()
            try:
                self.flying[executor.submit(evaluate.work, self.packed, block, self.points)] = block
            except BrokenExecutor:
                self.waiting.append(block)
                raise

    def take_back(self) -> bool:
        """Queues again one block in flight that no worker has started; returns whether there was one."""
        for future, block in reversed(self.flying.items()):
            if future.cancel():
                del self.flying[future]
                self.waiting.append(block)
                return True
        return False

    def abandon(self, executor: Executor) -> None:
        """Nobody waits for what is in flight: other processes of ours end at once."""
        if isinstance(executor, _Pool):
            return executor.end()
        for future in self.flying:
            future.cancel()
        return None

    def recall(self) -> None:
        """Queues everything in flight again: its executor is gone."""
        for block in sorted(self.flying.values(), reverse=True):
            self.losses[block] = self.losses.get(block, 0) + 1
            if self.losses[block] >= _MAX_LOSSES:
                raise ToolError(f"block {block} lost its worker {_MAX_LOSSES} times (out of memory, or a crash)")
            self.waiting.append(block)
        self.flying.clear()


def compute(
    study: Study, blocks: Iterable[int], engine: Engine, points: PointFiles | None = None
) -> Iterator[tuple[int, Summary]]:
    """Yields summaries of blocks as they complete, in any order."""
    run = _Run(evaluate.pack(study), points, sorted(blocks, reverse=True))
    while run.waiting or run.flying:
        with engine.open() as executor:
            try:
                yield from _drain(run, executor, engine)
            except engine.lost:
                run.recall()
            except BaseException:  # an error, Ctrl-C, or a closed generator: start nothing else
                run.abandon(executor)
                raise


def _drain(run: _Run, executor: Executor, engine: Engine) -> Iterator[tuple[int, Summary]]:
    run.fill(executor, engine.in_flight)
    while run.flying:
        if engine.helps and (run.waiting or run.take_back()):
            block = run.waiting.pop()
            yield block, evaluate.work(run.packed, block, run.points)
        else:
            wait(run.flying, return_when=FIRST_COMPLETED)
        for future in [future for future in run.flying if future.done()]:
            summary = future.result()
            block = run.flying.pop(future)
            yield block, summary
        run.fill(executor, engine.in_flight)


# -------------------------------------------------------------------------------------- executors


class _Here(Executor):
    """Runs everything immediately, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class _Pool(ProcessPoolExecutor):
    """Processes that do not load the caller's script: a worker does not need it, and a script that explores outside of
    `if __name__ == "__main__"` would do so again in each of them."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")  # a new process is told the main module of this one
        try:
            with interruption.withheld():
                return super().submit(fn, *args, **kwargs)
        finally:
            sys.modules["__main__"] = script

    def end(self) -> None:
        """Ends the processes, whatever they do: `shutdown` would wait for their blocks. No future is told: until Python
        3.12 the pool's thread fails at one that was taken back."""
        for item in list(self._pending_work_items.values()):
            vars(item.future)["set_exception"] = lambda _: None
        for process in list((self._processes or {}).values()):
            process.kill()


def serial() -> Engine:
    """This process alone."""
    return Engine("serial", 1, _Here)


def processes(workers: int) -> Engine:
    """This process and others on this machine. They are spawned, not forked, so that threads of the caller do no harm,
    and without waiting for them: this process begins at once."""
    if workers == 1:
        return serial()
    context = multiprocessing.get_context("spawn")

    def open_() -> Executor:
        return _Pool(workers - 1, context, die_with_parent, (os.getpid(),))

    return Engine("processes", workers, open_, helps=True)


def mpi() -> Engine:
    """The other ranks of `mpiexec -n N python -m mpi4py.futures -m foretell explore …`."""
    try:
        from mpi4py import MPI
        from mpi4py.futures import MPIPoolExecutor
    except ImportError:
        raise MissingExtraError("mpi4py", "mpi") from None
    except RuntimeError as error:  # mpi4py is installed, the library is not
        raise ToolError(f"MPI: {str(error).partition(chr(10))[0]}") from None
    workers = MPI.COMM_WORLD.Get_size() - 1
    if workers < 1:  # it would spawn processes, which many systems refuse after a long wait
        raise InputError(
            "there is no other MPI rank to compute",
            hint="mpiexec -n 3 python -m mpi4py.futures -m foretell explore SPACE: one rank leads, the others compute",
        )
    return Engine("mpi", workers, MPIPoolExecutor)


def dask(address: str) -> Engine:
    """The workers of a Dask cluster."""
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise MissingExtraError("distributed", "dask") from None
    try:
        client = Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ToolError(f"no Dask scheduler answers at {address}: {error}") from None
    workers = max(1, sum(client.nthreads().values()))

    @contextmanager
    def open_() -> Iterator[Executor]:
        yield client.get_executor(pure=False)

    return Engine("dask", workers, open_, lost=(KilledWorker, CancelledError))


def choose(name: EngineName, study: Study, workers: int | None, address: str | None) -> Engine:
    """The engine the user asked for, or the one that fits."""
    if address is not None:
        if name not in ("auto", "dask"):
            raise InputError(f"--dask goes with engine dask, not {name}")
        if not _ADDRESS.fullmatch(address):  # the client would wait, and fail only at exit
            raise InputError(f"--dask {address}: no address of a scheduler", hint="--dask tcp://HOST:PORT")
        return dask(address)
    if name == "dask":
        raise InputError("engine dask needs the address of a scheduler", hint="--dask tcp://HOST:PORT")
    if name == "auto" and "mpi4py.futures" in sys.modules:
        name = "mpi"
    if name == "mpi":
        return mpi()
    count = workers or len(os.sched_getaffinity(0))
    if name == "auto":
        large = study.emulated or study.space.size >= _POOL_POINTS or workers is not None
        name = "processes" if count > 1 and large else "serial"
    return serial() if name == "serial" else processes(count)
