"""Selects CPUs without co-runners for the threads of a measurement.

On a shared host some CPUs have an SMT co-runner for seconds while others have none, and a program with fewer threads
than there are cores can avoid them.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from foretell.machines.probe import kernels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

#: interference checks of a CPU, of which the median is used: co-runners change
_LOOKS = 5
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
        os.sched_setaffinity(0, freest(cpus, threads, turn, _company(sorted(allowed))))
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def freest(cpus: Sequence[int], threads: int, turn: int, company: Callable[[int], float]) -> list[int]:
    """The `threads` least-contended CPUs; of those as good as the best, the next ones in turn."""
    start = turn % len(cpus)
    seen = {cpu: company(cpu) for cpu in (*cpus[start:], *cpus[:start])}
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


def _company(allowed: Sequence[int]) -> Callable[[int], float]:
    def company(cpu: int) -> float:
        kernels.start_at(allowed.index(cpu), len(allowed))
        return sorted(kernels.interference(1) for _ in range(_LOOKS))[_LOOKS // 2]

    return company
