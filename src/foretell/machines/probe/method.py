"""Robust estimators that turn raw times into machine parameters on a shared host.

Work is timed in chunks of 10–35 µs, much shorter than a time slice: a chunk ran either uninterrupted or preempted, and
one that took more than three times the median was preempted. Chunks of loops are averaged over half a millisecond. An
SMT co-runner stays longer than one sample; every sample checks for interference at its start and end, and the estimate
for the undisturbed machine is the best of the samples without co-runners. All tasks are sampled over the whole duration
of the probe, so that every number is measured under the same conditions.
"""

from __future__ import annotations

import math
import time
from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: samples of one task: the values of each, at least one
Samples = Sequence[NDArray[np.float64]]

# Where a threshold says "recorded", docs/explanation/how-the-probe-measures.md has the recordings behind it.

#: a chunk that took this many medians was preempted: a time slice is a hundred chunks long
PREEMPTED = 3.0
#: a thread counts as alone within a tenth of the least interference: recorded, 65 % of checks are within 3 % and 32 %
#: above 1.2
_ALONE = 1.1
#: quantile of the interference checks used as their minimum: a few of thousands are too low by noise
_LEAST = 0.01
#: on a large machine some of several threads always have a co-runner: the share of samples that counts regardless, up
#: to this many samples
_ANYHOW, _ENOUGH = 1 / 3, 5
#: clock measurements before and after a chunk that are used for it: five with its own, each of which is too long at
#: times
_AROUND = 2
#: seconds over which chunks of loops are averaged: duration of a short parallel loop, and shorter than a time slice
WINDOW = 5e-4
#: samples per half that must agree, and how closely, for a number to have converged: well within the 5 % by which two
#: probes of one machine may differ
AGREEING, AGREED = 2, 0.02


@dataclass(frozen=True, slots=True)
class Estimator:
    """Quantile over the samples of a quantile of each sample's values (0 is the minimum, 0.5 the median). Without
    `within`, a quantile of the pooled values of all samples."""

    within: float | None
    across: float

    def __call__(self, samples: Samples) -> float:
        """Computes the estimate from the given samples."""
        values = np.concatenate(samples) if self.within is None else [np.quantile(v, self.within) for v in samples]
        return float(np.quantile(values, self.across))


#: task -> estimator, with the reason; the quantiles are those for which two recorded probes agreed best
ESTIMATORS = {
    # Data outside a cache never appear to be inside it, so no sample is too fast.
    "cache size": Estimator(0.0, 0.0),
    # First decile: the minimum may be too fast by noise, and depends on the number of samples.
    "cache": Estimator(0.0, 0.1),
    # The fastest windows of a loop with stores are those in which the caches buffered the stores.
    "memory": Estimator(0.1, 0.1),
    # Co-runners use memory all the time: how rarely they do not is no property of the machine.
    "memory of all": Estimator(0.1, 1 / 3),
    # Single chunks vary more than windows, and the clock measured beside one may have been too slow.
    "instruction": Estimator(0.1, 0.25),
    # The address of the library differs by process and costs up to a twelfth: use that of the best address.
    "library": Estimator(0.1, 0.0),
    # Threads that the hypervisor has placed on one core synchronise in a third of the time: fewer than a quarter do.
    "meeting": Estimator(None, 0.25),
    # Median state of the machine: page placement, the clock with all threads active, co-runners.
    "typical": Estimator(None, 0.5),
    # No chain of additions appears faster than it is, but a boost clock is rarely reached.
    "highest clock": Estimator(None, 0.001),
}
#: data sets have random page placement: its effect has a lower limit and hardly an upper one
_OF_SETS = 0.25


@dataclass(frozen=True, slots=True)
class Chunks:
    """Chunks of one thread: the `amount` of work in each, its start and its duration.

    `cycle` is the clock period right after each chunk (empty where it was not measured). `interference` is the result
    of the check: constant for a thread that is alone on its core, and greater for one with a co-runner; `cpu` is the
    CPU of the thread.
    """

    amount: float
    start: NDArray[np.float64]
    seconds: NDArray[np.float64]
    cycle: NDArray[np.float64]
    interference: float = 1.0
    cpu: int = 0

    @property
    def costs(self) -> NDArray[np.float64]:
        """Computes the time of one unit of work by chunk: in cycles where the clock was measured too, else in
        seconds."""
        each = self.seconds / self.amount
        return each / period(self.cycle) if len(self.cycle) else each


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number, the relative difference between the earlier and the later half of its samples, the number of samples
    that count, the tolerance for the halves, and whether there were no co-runners."""

    value: float
    spread: float = 0.0
    samples: int = 2 * AGREEING
    agreed: float = AGREED
    alone: bool = True

    @property
    def converged(self) -> bool:
        """Whether the number has converged: two probes in succession, each with half of the samples, would agree."""
        return self.alone and self.samples >= 2 * AGREEING and self.spread <= self.agreed

    @property
    def doubt(self) -> str:
        """Why the number may be wrong; empty where it has converged, or has too few samples to tell."""
        if not self.alone:
            return "every sample had co-runners on its cores"
        if self.converged or self.samples < 2 * AGREEING:
            return ""
        return f"did not converge: {100 * self.spread:.0f} % apart in two halves of {self.samples} samples"


def undisturbed(seconds: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Selects the chunks that were not preempted."""
    return np.less_equal(seconds, PREEMPTED * np.median(seconds))


def period(cycle: NDArray[np.float64]) -> NDArray[np.float64]:
    """Computes the clock period of every chunk: the shortest that was measured just before and after it.

    SMT co-runners and interrupts can only lengthen the measured period, which makes an operation appear to take fewer
    cycles than it does. Where the clock changes meanwhile, the shortest period is that of the faster clock, and a few
    operations appear to take more cycles: those are not in the fastest group.
    """
    padded = np.pad(cycle, _AROUND, mode="edge")
    around: NDArray[np.float64] = np.lib.stride_tricks.sliding_window_view(padded, 2 * _AROUND + 1).min(axis=1)
    return around


def together(runs: Sequence[Chunks]) -> list[NDArray[np.bool_]]:
    """Selects, for every thread, the chunks during which all threads ran undisturbed."""
    own = [undisturbed(run.seconds) for run in runs]
    result = []
    for number, run in enumerate(runs):
        keep = own[number].copy()
        for other in runs:
            if other is not run:
                keep &= _ran(other, run.start, run.start + run.seconds)
        result.append(keep)
    return result


def _ran(other: Chunks, start: NDArray[np.float64], end: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether the other thread ran undisturbed during the whole interval from start to end.

    Its time counts from the start of a chunk to the start of the next, since it may also be preempted between chunks.
    """
    kept = undisturbed(np.diff(other.start, append=other.start[-1] + other.seconds[-1]))
    first = np.maximum(np.searchsorted(other.start, start, side="right") - 1, 0)
    last = np.searchsorted(other.start, end)
    disturbed = np.concatenate([[0], np.cumsum(~kept)])
    inside = (start >= other.start[0]) & (end <= other.start[-1] + other.seconds[-1])
    whole: NDArray[np.bool_] = np.equal(disturbed[np.maximum(last, first)], disturbed[first]) & inside
    return whole


def windows(runs: Sequence[Chunks]) -> NDArray[np.float64]:
    """Computes the mean cost of every thread (rows) in each half millisecond (columns) in which all of them ran
    undisturbed for at least half of the time. No columns where they hardly ever did."""
    if any(len(run.seconds) == 0 for run in runs):
        return np.empty((len(runs), 0))
    begin = max(run.start[0] for run in runs)
    end = min(run.start[-1] + run.seconds[-1] for run in runs)
    count = max(0, int((end - begin) / WINDOW))
    means = np.empty((len(runs), count))
    whole = np.ones(count, dtype=np.bool_)
    for row, (run, keep) in enumerate(zip(runs, together(runs), strict=True)):
        at = np.floor((run.start - begin) / WINDOW).astype(np.int64)
        keep &= (at >= 0) & (at < count)
        usual = WINDOW / np.median(np.diff(run.start, append=end)) if len(run.start) > 1 else 1.0
        kept = np.bincount(at[keep], minlength=count)
        whole &= kept >= max(1.0, usual / 2)
        means[row] = np.bincount(at[keep], run.costs[keep], minlength=count) / np.maximum(kept, 1)
    return means[:, whole]


def all_of(runs: Sequence[Chunks]) -> NDArray[np.float64]:
    """Computes the cost of the combined work of all threads by window: the sum of their rates."""
    total: NDArray[np.float64] = 1 / np.sum(1 / windows(runs), axis=0)
    return total


def slowest_of(runs: Sequence[Chunks]) -> NDArray[np.float64]:
    """Selects the cost of the slowest thread, for which the others wait, by window."""
    worst: NDArray[np.float64] = np.max(windows(runs), axis=0)
    return worst


def mean_clock(periods: Samples) -> float:
    """Computes the mean over samples of their median clock periods: the average for a program while the clock changes
    in steps."""
    return float(np.mean([np.median(values) for values in periods]))


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample: costs, or columns of costs that belong together; empty where the measurement failed. `interference`
    is the maximum over the threads. `parts` are the CPUs of the threads, or the number of the data set, where each of
    them is evaluated separately."""

    values: NDArray[np.float64]
    interference: float = 1.0
    parts: Mapping[int, Sample] = field(default_factory=dict)


def sample_of(values: NDArray[np.float64], runs: Sequence[Chunks]) -> Sample:
    """Makes a sample of values derived from the runs of these threads."""
    return Sample(values, max((run.interference for run in runs), default=1.0))


def least_disturbed(runs: Sequence[Chunks]) -> list[Chunks]:
    """Selects the runs with the least interference."""
    least = min((run.interference for run in runs), default=1.0)
    return [run for run in runs if run.interference <= _ALONE * least]


def sample_each(runs: Sequence[Chunks]) -> Sample:
    """Makes a sample of concurrent threads that are evaluated separately; a single thread has no parts."""
    whole = sample_of(all_of(runs), runs)
    if len(runs) == 1:
        return whole
    rows = zip(runs, windows(runs), strict=True)
    return replace(whole, parts={run.cpu: Sample(row, run.interference) for run, row in rows})


@dataclass
class CoRunners:
    """Tracks co-runners on the cores. Threads of the probe may share cores with each other: the reference is the
    minimum interference of this number of threads, or of one of them on its CPU. `check` samples the cores of this many
    threads; `start` selects which of the `cpus` is that of the first thread, and wraps around."""

    check: Callable[[int], float] = lambda threads: 1.0
    start: Callable[[int], None] = lambda cpu: None
    cpus: int = 1
    #: by number of threads, and by CPU where each thread is evaluated separately
    seen: dict[tuple[int, int | None], list[float]] = field(default_factory=dict)
    #: checks of single threads, on whichever CPU was next
    single_checks: list[float] = field(default_factory=list)

    def seek(self) -> None:
        """Moves to the next CPU, and from there to one without a co-runner, if there is one."""
        turns = len(self.single_checks)
        for skipped in range(self.cpus):
            self.start(turns + skipped)
            interference = self.check(1)
            if not skipped:
                self.single_checks.append(interference)
                self.note(1, interference)
            if interference <= self.most(1):
                return

    def note(self, threads: int, interference: float, cpu: int | None = None) -> None:
        """Records an interference check, in sorted order."""
        insort(self.seen.setdefault((threads, cpu), []), interference)

    def alone(self, threads: int, cpu: int | None = None) -> float:
        """The interference check of this many threads, or of the one on this CPU, without co-runners."""
        seen = self.seen[threads, cpu]
        return seen[int(_LEAST * len(seen))]

    def most(self, threads: int) -> float:
        """The largest check of this many threads that counts as without co-runners; infinite before the first one."""
        return _ALONE * self.alone(threads) if (threads, None) in self.seen else math.inf

    @property
    def corunners(self) -> float:
        """Mean number of co-runners of other tenants beside one thread, from the slowdown of its checks."""
        return float(np.mean(np.maximum(np.array(self.single_checks) / self.alone(1) - 1, 0.0)))


@dataclass
class Task:
    """The measurement of one number with this many threads. `summary` reduces the samples that count: those without
    co-runners, unless the number concerns shared resources (`shared`). It has converged when two halves of them are
    within `agreed` of each other; every round samples it `times` times. `spent` is the total of the seconds used."""

    name: str
    measure: Callable[[], Sample]
    summary: Callable[[Samples], float] = ESTIMATORS["cache"]
    threads: int = 1
    watch: CoRunners = field(default_factory=CoRunners)
    shared: bool = False
    agreed: float = AGREED
    times: int = 1
    samples: list[Sample] = field(default_factory=list)
    spent: float = 0.0
    #: number of samples -> whether they had converged
    known: tuple[int, bool] = (0, False)

    def run(self) -> None:
        """Takes one more sample. A single thread moves to a CPU without co-runners; several need all CPUs anyway."""
        if self.threads == 1:
            self.watch.seek()
        found = self.measure()
        self.samples.append(found)
        if found.values.shape[-1]:
            self.watch.note(self.threads, found.interference)
            for cpu, part in found.parts.items():
                self.watch.note(self.threads, part.interference, cpu)

    @property
    def estimate(self) -> Estimate | None:
        """Computes the estimate so far; None without samples."""
        measured = [one for one in self.samples if one.values.shape[-1]]
        if not measured:
            return None
        most = math.inf if self.shared else self._most(measured)
        counting = [one for one in measured if one.parts or one.interference <= most]
        value, spread = self._value(counting), 0.0
        if value and (middle := len(counting) // 2):
            spread = abs(self._value(counting[:middle]) - self._value(counting[middle:])) / value
        return Estimate(value, spread, len(counting), self.agreed, self._alone(measured))

    def _value(self, samples: Sequence[Sample]) -> float:
        return self._sum(samples) if samples[0].parts else self.summary([one.values for one in samples])

    def _sum(self, samples: Sequence[Sample]) -> float:
        """Computes the cost of independent threads: the sum of the rates that their CPUs reached, each at the least
        interference it ever has among this many threads. A CPU that always had more counts as the mean of the others;
        where all had, the one with the least is used. Of several data sets, the first quartile: the effect of a set's
        page placement has a lower limit, and hardly an upper one."""
        quiet = self._quiet(samples)
        if not quiet:
            parts = [part for one in samples for part in one.parts.values()]
            quiet = {0: [min(parts, key=lambda part: part.interference).values]}
        costs = np.array([self.summary(values) for values in quiet.values()])
        if self.threads == 1:
            return float(np.quantile(costs, _OF_SETS))
        return 1 / (self.threads * float(np.mean(1 / costs)))

    def _quiet(self, samples: Sequence[Sample]) -> dict[int, list[NDArray[np.float64]]]:
        """Collects the values of CPUs, or data sets, that were measured with little interference."""
        parts = [(number, part) for one in samples for number, part in one.parts.items()]
        limits = self._limits(parts)
        quiet: dict[int, list[NDArray[np.float64]]] = {}
        for number, part in parts:
            if part.interference <= limits[number]:
                quiet.setdefault(number, []).append(part.values)
        return quiet

    def _limits(self, parts: Sequence[tuple[int, Sample]]) -> dict[int, float]:
        """Interference up to which parts count: for CPUs their own minimum; data sets without any, and of the others
        those with the least, so that half of all sets count."""
        numbers = {number for number, _ in parts}
        if self.threads > 1:
            return {number: _ALONE * self.watch.alone(self.threads, number) for number in numbers}
        least = sorted(min(part.interference for other, part in parts if other == number) for number in numbers)
        return dict.fromkeys(numbers, max(self.watch.most(1), least[(len(least) - 1) // 2]))

    def _most(self, measured: Sequence[Sample]) -> float:
        """Interference up to which a sample counts: none, if there is such a sample, or two of several threads. Else,
        since some of several threads always have a co-runner on a large machine, that of the third of the samples with
        the least, up to five."""
        interference, alone = sorted(each.interference for each in measured), self.watch.most(self.threads)
        if self.threads == 1 or len(interference) < 2:
            return max(interference[0], alone)
        if interference[1] <= alone:
            return alone
        return max(interference[min(int(_ANYHOW * (len(interference) - 1)), _ENOUGH - 1)], alone)

    def _alone(self, measured: Sequence[Sample]) -> bool:
        """Whether one thread was alone on its core at least once; of several that are evaluated separately, any of
        them."""
        if measured[0].parts and self.threads > 1:
            return bool(self._quiet(measured))
        least = min(one.interference for one in measured)
        return self.shared or self.threads > 1 or least <= self.watch.most(1)

    @property
    def converged(self) -> bool:
        """Whether enough samples agree; cached after each sample, since all tasks are asked repeatedly."""
        if self.known[0] != len(self.samples):
            self.known = len(self.samples), (estimate := self.estimate) is not None and estimate.converged
        return self.known[1]


def run_rounds(
    tasks: Sequence[Task],
    seconds: float,
    *,
    clock: Callable[[], float] = time.monotonic,
    tick: Callable[[Task], None] = lambda task: None,
) -> None:
    """Samples the tasks in turn, round by round, until the time is over.

    Every task is sampled once regardless of the time, so that each has a number. All of the time is used: each round of
    all tasks is followed by an equal time for those that have not converged. Converged tasks are still sampled, because
    a number may be stable while a co-runner is busy throughout.
    """
    started, end = clock(), clock() + seconds
    whole = one_round(tasks)
    _sample(tasks, clock, tick, math.inf)
    while clock() < end:
        until = min(end, 2 * clock() - started)
        while clock() < until and (chosen := neediest(tasks)):
            _sample(chosen, clock, tick, until)
        started = clock()
        _sample(whole, clock, tick, end)


def one_round(tasks: Sequence[Task]) -> list[Task]:
    """The tasks in order; one with several samples a round is repeated at equal distances."""
    places = [
        ((number / len(tasks) + time_ / task.times) % 1, number)
        for number, task in enumerate(tasks)
        for time_ in range(task.times)
    ]
    return [tasks[number] for _, number in sorted(places)]


def _sample(tasks: Sequence[Task], clock: Callable[[], float], tick: Callable[[Task], None], end: float) -> None:
    """Samples some tasks once, or fewer of them when the time is over."""
    for task in tasks:
        started = clock()
        if started >= end:
            return
        task.run()
        task.spent += clock() - started
        tick(task)


class Sampled(Protocol):
    """Something that is sampled repeatedly: whether its samples agree, and the seconds that they took."""

    @property
    def converged(self) -> bool: ...
    @property
    def spent(self) -> float: ...


_Needy = TypeVar("_Needy", bound=Sampled)


def neediest(tasks: Sequence[_Needy]) -> list[_Needy]:
    """Selects those of the unconverged tasks that used no more than their mean time: quick tasks are sampled more
    often."""
    found = [task for task in tasks if not task.converged]
    return [task for task in found if task.spent * len(found) <= sum(task.spent for task in found)]
