"""CPUs for the threads of a measurement: where nobody else is at the moment.

On a shared host some CPUs have a neighbour on their core for seconds while others have none, and a program with fewer
threads than there are cores need not run beside them.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from foretell.machines.probe import kernels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

#: looks at a CPU, of which the middle one counts: a neighbour comes and goes
_LOOKS = 5
#: how much more company counts as the same
_SAME = 1.1


@contextmanager
def on_free_cpus(threads: int, turn: int) -> Iterator[None]:
    """What is started inside runs on CPUs with the least company, one of each core; `turn` says with which CPU the
    choice among equals begins. Nothing is chosen where all are needed, or the system does not let us."""
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
    """So many CPUs with the least company; of those that have as little as the best, the next ones in turn."""
    start = turn % len(cpus)
    seen = {cpu: company(cpu) for cpu in (*cpus[start:], *cpus[:start])}
    least = min(seen.values())
    return sorted(seen, key=lambda cpu: max(seen[cpu], _SAME * least))[:threads]


def one_of_each_core(cpus: Sequence[int], root: Path = Path("/sys/devices/system/cpu")) -> list[int]:
    """The first CPU of every core that the system tells of."""
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
        return sorted(kernels.company(1) for _ in range(_LOOKS))[_LOOKS // 2]

    return company
