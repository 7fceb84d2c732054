"""Selects CPUs without co-runners for the threads of a measurement.

On a shared host some CPUs have an SMT co-runner for seconds while others have none, and a program with fewer threads
than there are cores can avoid them.
"""

from __future__ import annotations

import os
import queue
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from foretell.machines.probe import kernels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Item = TypeVar("Item")

#: interference checks of a CPU, of which the median is used: co-runners change
_CHECKS = 5
#: factor up to which interference counts as equal
_SAME = 1.1


@contextmanager
def on_free_cpus(threads: int, turn: int) -> Iterator[None]:
    """Runs processes started inside on the least-contended CPUs, one of each core; `turn` selects the CPU with which
    the choice among equals begins. No choice is made where all CPUs are needed, or the system does not permit it."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    cpus = one_of_each_core(sorted(allowed))
    if threads >= len(cpus):
        yield
        return
    try:
        os.sched_setaffinity(0, freest(cpus, threads, turn, _contention(sorted(allowed))))
        yield
    finally:
        os.sched_setaffinity(0, allowed)


@contextmanager
def on_cpu(cpu: int) -> Iterator[None]:
    """Runs this thread, and processes that it starts inside, on one CPU."""
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {cpu})
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def at_once(
    items: Sequence[Item], workers: int, work: Callable[[Item, int | None], None], chosen: Sequence[int] = ()
) -> Iterator[Item]:
    """Works on several items at once, each with a CPU of a core of its own, and yields them as they end. A single
    worker takes them in turn and gets no CPU. `chosen`: the CPUs to take, where the system does not know its cores."""
    if workers < 2 or not hasattr(os, "sched_setaffinity"):
        for item in items:
            work(item, None)
            yield item
        return
    free: queue.SimpleQueue[int] = queue.SimpleQueue()
    cpus = chosen or one_of_each_core(sorted(os.sched_getaffinity(0)))
    apart = max(1, len(cpus) // workers)
    for cpu in cpus[::apart][:workers]:
        free.put(cpu)

    def worked(item: Item) -> Item:
        cpu = free.get()
        try:
            work(item, cpu)
        finally:
            free.put(cpu)
        return item

    with ThreadPoolExecutor(min(workers, len(cpus))) as pool:
        try:
            for future in as_completed([pool.submit(worked, item) for item in items]):
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def freest(cpus: Sequence[int], threads: int, turn: int, contention: Callable[[int], float]) -> list[int]:
    """The `threads` least-contended CPUs; of those as good as the best, the next ones in turn."""
    start = turn % len(cpus)
    seen = {cpu: contention(cpu) for cpu in (*cpus[start:], *cpus[:start])}
    least = min(seen.values())
    return sorted(seen, key=lambda cpu: max(seen[cpu], _SAME * least))[:threads]


def one_of_each_core(cpus: Sequence[int], root: Path = Path("/sys/devices/system/cpu")) -> list[int]:
    """The first CPU of every core that the system reports."""
    first: dict[str, int] = {}
    for cpu in cpus:
        try:
            core = (root / f"cpu{cpu}/topology/thread_siblings_list").read_text()
        except OSError:
            core = str(cpu)
        first.setdefault(core, cpu)
    return list(first.values())


def _contention(allowed: Sequence[int]) -> Callable[[int], float]:
    def contention(cpu: int) -> float:
        kernels.start_at(allowed.index(cpu), len(allowed))
        return sorted(kernels.interference(1) for _ in range(_CHECKS))[_CHECKS // 2]

    return contention
