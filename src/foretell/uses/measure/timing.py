"""Estimates one time from the chunks of several runs of a program.

Which chunks count is fixed beforehand, the same for every case (validation/cpu/protocol.md): those whose interference
checks before and after show every thread alone on its core, as far as the machine file says that cores are unshared, or
as far as this many threads ever were. The checks also give the clock: a time is a number of cycles, at the clock of the
machine file. Chunks of data in no cache count if no co-runner used memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from foretell.machines.probe.method import undisturbed
from foretell.uses.measure import interference
from foretell.uses.measure.program_text import CHAIN_PASSES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from foretell.core.machine.machine import Machine

#: a longer chunk cannot be told from an interrupted one by its duration
_LONG = 1e-3
_FEW = 32
#: how much slower clock and memory, or more crowded the core, may be than on the undisturbed machine
_TOLERANCE = 0.1
#: chunks that must count in a sample for it to be used; one of long calls
_LEAST = 3
#: samples that must agree with the overall estimate, and how closely, before a time has converged
_AGREEING, _AGREED = 2, 0.03
#: share, and least number, of the times that form a group; its width that is always accepted, and relative to the
#: densest one
_GROUP, _MIN_VALUES, _NARROW, _DENSE = 0.02, 8, 0.02, 10.0
#: columns of a chunk's row: chain and wide spin of the checks before and after it, and memory of both
_SPUN, _MEMORY = ((3, 4), (6, 7)), [5, 8]


@dataclass(frozen=True, slots=True)
class Sample:
    """Output of one run. Rows of `chunks`: elapsed and processor seconds of one call, whether a thread was preempted;
    chain, wide spin and memory of the interference check before, and of the one after. `first_checks`: checks of one
    thread."""

    threads: int
    chunks: NDArray[np.float64]
    first_checks: NDArray[np.float64]

    @property
    def single_thread_checks(self) -> NDArray[np.float64]:
        """Chain and wide spin of all checks made with one thread."""
        return np.concatenate([self.first_checks, self.chunks[:, 6:8]]) if self.threads == 1 else self.first_checks

    @property
    def times(self) -> NDArray[np.float64]:
        """The time of every chunk; processor time where a thread was preempted, since it excludes other programs."""
        elapsed, processor, pushed = self.chunks[:, :3].T
        times: NDArray[np.float64] = np.where(pushed > 0, np.minimum(elapsed, processor), elapsed)
        return times

    def usable(self, usual: float) -> NDArray[np.bool_]:
        """Selects the chunks that may count: no thread was preempted. Of long ones, all may have been."""
        kept: NDArray[np.bool_] = (self.chunks[:, 2] == 0) | (usual >= _LONG)
        return kept

    def counting(self, usual: float, best: Best, machine: Machine, share: float) -> NDArray[np.float64]:
        """The times of the chunks that count, at the clock of the machine file, or the `share` of it that wide vectors
        leave; memory does not scale with it. `usual` is the typical length of the chunks."""
        kept, times = self.usable(usual), self.times
        if self.threads in best.memory and self.chunks[:, _MEMORY].all():
            kept &= (self.chunks[:, _MEMORY] <= (1 + _TOLERANCE) * best.memory[self.threads]).all(axis=1)
            return times[kept]
        both = [
            interference.beside(
                self.chunks[:, chain],
                self.chunks[:, wide],
                best.alone,
                machine,
                self.threads,
                CHAIN_PASSES,
                share,
                best.crowd.get(self.threads, 1.0),
            )
            for chain, wide in _SPUN
        ]
        for check in both:
            kept &= (check.clock <= 1 + _TOLERANCE) & (check.crowd <= 1 + _TOLERANCE)
        times /= np.mean([check.clock for check in both], axis=0)
        return times[kept]


@dataclass(frozen=True, slots=True)
class Best:
    """Interference checks of the undisturbed machine: of one thread on its core; by number of threads, of memory, and
    the threads on a core at the least interference."""

    alone: interference.Alone
    memory: Mapping[int, float]
    crowd: Mapping[int, float]

    @classmethod
    def of(cls, samples: Sequence[Sample]) -> Best:
        """Computes them from all samples of programs of one compiler and its flags."""
        spins = np.concatenate([sample.single_thread_checks for sample in samples])
        read: dict[int, list[NDArray[np.float64]]] = {}
        for sample in samples:
            memory = sample.chunks[:, _MEMORY[1]]
            if memory.all():
                read.setdefault(sample.threads, []).append(memory)
        alone = interference.alone(spins[:, 0], spins[:, 1])
        return cls(
            alone,
            {threads: interference.least(np.concatenate(seen)) for threads, seen in read.items()},
            {threads: _least_crowd(samples, threads, alone) for threads in {sample.threads for sample in samples}},
        )


def _least_crowd(samples: Sequence[Sample], threads: int, alone: interference.Alone) -> float:
    """Threads on a core, for this many threads, at the least interference of all samples."""
    rows = np.concatenate([sample.chunks for sample in samples if sample.threads == threads])
    chain, wide = _SPUN[1]
    return interference.alone(rows[:, chain], rows[:, wide]).quotient / alone.quotient


@dataclass(frozen=True, slots=True)
class Timing:
    """The time of one call, the number of its chunks, and whether it is that of the undisturbed machine: two samples
    agreed without co-runners."""

    seconds: float
    chunks: int
    converged: bool


def call_time(samples: Sequence[Sample], best: Best, machine: Machine) -> Timing:
    """Estimates the time of one call from the chunks that count in several samples.

    Without any, it uses all chunks: samples are separated in time; interference that slows a whole one forms a separate
    group, and the fastest group is used.
    """
    usual = float(np.median(np.concatenate([sample.chunks[:, 0] for sample in samples])))
    enough = _LEAST if usual < _LONG else 1
    chains = np.concatenate([sample.chunks[:, _SPUN[1][0]] for sample in samples])
    share = interference.clock_share(chains, best.alone, machine)
    each = (sample.counting(usual, best, machine, share) for sample in samples)
    counting = [times for times in each if len(times) >= enough]
    if counting:
        together = np.concatenate(counting)
        value = _fastest(together)
        agreeing = sum(abs(_fastest(times) - value) <= _AGREED * value for times in counting)
        return Timing(value, len(together), converged=agreeing >= _AGREEING)
    times = np.concatenate([sample.times[sample.usable(usual)] for sample in samples])
    if len(times) < _LEAST:
        times = np.concatenate([sample.times for sample in samples])
    return Timing(_fastest(times), len(times), converged=False)


def _fastest(times: NDArray[np.float64]) -> float:
    """The fastest dense group of uninterrupted times, or the lower decile of a few."""
    times = times[undisturbed(times)]
    return fastest_group(times) if len(times) >= _FEW else float(np.quantile(times, 0.1))


def fastest_group(values: NDArray[np.float64]) -> float:
    """The median of the fastest dense group of values (costs: small is fast).

    A group is a share (a fiftieth) of all values, adjacent in order; it is dense when it is narrower than 2 %, or at
    most ten times as wide as the narrowest one. A few values that are too small by noise are not dense.
    """
    ordered = np.sort(values)
    size = min(len(ordered), max(_MIN_VALUES, int(_GROUP * len(ordered))))
    widths = ordered[size - 1 :] / ordered[: len(ordered) - size + 1] - 1
    dense = widths <= max(_NARROW, _DENSE * float(widths.min()))
    first = int(np.argmax(dense))
    return float(np.median(ordered[first : first + size]))
