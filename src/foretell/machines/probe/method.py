"""How times become numbers on a machine that others use too.

Work is timed in chunks of 10–35 µs, much shorter than a time slice: a chunk was either left alone or interrupted, and
one that took more than three times the median was interrupted. Chunks of loops are averaged over half a millisecond.
Another thread on the same core lasts for longer than a visit; every visit looks for it when it begins and when it ends,
and the machine by itself is what the best of the visits without company reached. Everything is visited over the whole
time of the probe, so that every number sees the same hours.
"""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: visits to one task: the values of each, at least one
Visits = Sequence[NDArray[np.float64]]

# Where a threshold says "recorded", docs/explanation/how-the-probe-measures.md has the recordings behind it.

#: a chunk that took so many medians was preempted: a time slice is a hundred chunks long
PREEMPTED = 3.0
#: a thread is alone within a tenth of the least company: recorded, 65 % of looks are within 3 % and 32 % above 1.2
_ALONE = 1.1
#: quantile of company that counts as the least: a few of thousands of looks are too low by chance
_LEAST = 0.01
#: of several threads on a large machine some always have company: the share of visits that counts in any case, up to
#: so many visits
_ANYHOW, _ENOUGH = 1 / 3, 5
#: clock measurements before and after a chunk that count for it: with its own, five that are each too long at times
_AROUND = 2
#: seconds that chunks of loops are averaged over: what a short parallel loop takes, and shorter than a time slice
WINDOW = 5e-4
#: visits of each half that have to agree, and how closely, for a number to have converged: well within the 5 % that two
#: probes of one machine may differ by
AGREEING, AGREED = 2, 0.02


@dataclass(frozen=True, slots=True)
class Estimator:
    """A quantile of the values of each visit, and a quantile of these over the visits (0 is the minimum, 0.5 the
    median). Without `within`, a quantile of the values of all visits together."""

    within: float | None
    across: float

    def __call__(self, visits: Visits) -> float:
        """The estimate from some visits."""
        values = np.concatenate(visits) if self.within is None else [np.quantile(v, self.within) for v in visits]
        return float(np.quantile(values, self.across))


#: task -> estimator, and why; the numbers are the recorded ones that made two probes agree best
ESTIMATORS = {
    # Data outside a cache never seem to be in it, so no visit is too fast.
    "cache size": Estimator(0.0, 0.0),
    # One visit in ten: the very fastest may be too fast by chance, and depends on how many there are.
    "cache": Estimator(0.0, 0.1),
    # The fastest windows of a loop that writes are those in which the caches took what it wrote.
    "memory": Estimator(0.1, 0.1),
    # Others use memory all the while: how seldom they do not is no property of the machine.
    "memory of all": Estimator(0.1, 1 / 3),
    # Single chunks vary more than windows do, and the clock beside one may have seemed too slow.
    "instruction": Estimator(0.1, 0.25),
    # Every process maps the library elsewhere, which costs up to a twelfth: that of the best place.
    "library": Estimator(0.1, 0.0),
    # Threads that the host has put on one core meet in a third of the time: these are fewer than a quarter.
    "meeting": Estimator(None, 0.25),
    # What the machine is like half of the time: page placement, the clock of all threads, co-runners.
    "typical": Estimator(None, 0.5),
    # No chain of additions seems faster than it is, but a boost clock is seldom reached.
    "highest clock": Estimator(None, 0.001),
}
#: data sets lie at random pages: how well has a lower end and hardly an upper one
_OF_SETS = 0.25


@dataclass(frozen=True, slots=True)
class Chunks:
    """What one thread did: `amount` in each chunk, when each began and how long it took.

    `cycle` is the clock period right after each chunk (empty where it was not measured). `company` is a number that is
    the same, every time, for a thread that has its core for itself, and greater for one that has not; `cpu` is where
    the thread ran.
    """

    amount: float
    start: NDArray[np.float64]
    seconds: NDArray[np.float64]
    cycle: NDArray[np.float64]
    company: float = 1.0
    cpu: int = 0

    @property
    def costs(self) -> NDArray[np.float64]:
        """Time for one unit, by chunks: in cycles where the clock was measured along, else in seconds."""
        each = self.seconds / self.amount
        return each / period(self.cycle) if len(self.cycle) else each


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number, how far it is apart (relative) in the earlier and the later half of its visits, how many visits count,
    how near the halves should be, and whether nobody else was on the cores."""

    value: float
    spread: float = 0.0
    visits: int = 2 * AGREEING
    agreed: float = AGREED
    alone: bool = True

    @property
    def settled(self) -> bool:
        """Whether two probes, one after the other, each with half of the visits, would say the same."""
        return self.alone and self.visits >= 2 * AGREEING and self.spread <= self.agreed

    @property
    def doubt(self) -> str:
        """Why the number may be wrong: nobody knows that of one with few visits; empty where it is right."""
        if not self.alone:
            return "every sample had co-runners on its cores"
        if self.settled or self.visits < 2 * AGREEING:
            return ""
        return f"did not converge: {100 * self.spread:.0f} % apart in two halves of {self.visits} samples"


def undisturbed(seconds: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which chunks were not interrupted."""
    return np.less_equal(seconds, PREEMPTED * np.median(seconds))


def period(cycle: NDArray[np.float64]) -> NDArray[np.float64]:
    """The clock period of every chunk: the shortest that was measured just before and after it.

    Other threads on the core and interrupts only ever make it seem longer, and then an operation seems to take fewer
    cycles than it does. Where the clock changes on the way, the shortest is that of the faster clock, and a
    few operations seem to take more: those are not in the fastest group.
    """
    padded = np.pad(cycle, _AROUND, mode="edge")
    around: NDArray[np.float64] = np.lib.stride_tricks.sliding_window_view(padded, 2 * _AROUND + 1).min(axis=1)
    return around


def together(runs: Sequence[Chunks]) -> list[NDArray[np.bool_]]:
    """For every thread, the chunks during which all threads ran undisturbed."""
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
    """Whether the other thread was at work, undisturbed, all the time from start to end.

    It counts from the start of a chunk to that of the next: it may be interrupted between them, too.
    """
    kept = undisturbed(np.diff(other.start, append=other.start[-1] + other.seconds[-1]))
    first = np.maximum(np.searchsorted(other.start, start, side="right") - 1, 0)
    last = np.searchsorted(other.start, end)
    disturbed = np.concatenate([[0], np.cumsum(~kept)])
    inside = (start >= other.start[0]) & (end <= other.start[-1] + other.seconds[-1])
    whole: NDArray[np.bool_] = np.equal(disturbed[np.maximum(last, first)], disturbed[first]) & inside
    return whole


def windows(runs: Sequence[Chunks]) -> NDArray[np.float64]:
    """The mean cost of every thread (rows) in each half millisecond (columns) in which all of them ran undisturbed for
    at least half of the time. No columns where they hardly ever did."""
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
    """Costs of the threads' work together, window by window: their rates add up."""
    total: NDArray[np.float64] = 1 / np.sum(1 / windows(runs), axis=0)
    return total


def slowest_of(runs: Sequence[Chunks]) -> NDArray[np.float64]:
    """Costs in the thread that the others wait for, window by window."""
    worst: NDArray[np.float64] = np.max(windows(runs), axis=0)
    return worst


def mean_clock(periods: Visits) -> float:
    """The mean over visits of their median clock periods: a frequency that changes in steps, as a program meets it."""
    return float(np.mean([np.median(values) for values in periods]))


@dataclass(frozen=True, slots=True)
class Visit:
    """Some costs, or columns of costs that belong together; none of them means: could not be measured. `company` is the
    most that one of the threads had. `parts` are the threads, by CPU, or the set of data of several that it was about,
    where each of them counts for itself."""

    values: NDArray[np.float64]
    company: float = 1.0
    parts: Mapping[int, Visit] = field(default_factory=dict)


def visit(values: NDArray[np.float64], runs: Sequence[Chunks]) -> Visit:
    """The values that come from what these threads did."""
    return Visit(values, max((run.company for run in runs), default=1.0))


def least_company(runs: Sequence[Chunks]) -> list[Chunks]:
    """Those of some runs that had as little company as any of them."""
    least = min((run.company for run in runs), default=1.0)
    return [run for run in runs if run.company <= _ALONE * least]


def visit_each(runs: Sequence[Chunks]) -> Visit:
    """What these threads did at the same time, each for itself; a single one has no parts."""
    whole = visit(all_of(runs), runs)
    if len(runs) == 1:
        return whole
    rows = zip(runs, windows(runs), strict=True)
    return replace(whole, parts={run.cpu: Visit(row, run.company) for run, row in rows})


@dataclass
class Watch:
    """Who else is on the cores. Several threads may have each other for company: what counts is the least that so many
    of them have, or that one of them has on its CPU. `look` is at the cores of so many threads; `start` says which of
    the `cpus` is the first one's, and wraps around."""

    look: Callable[[int], float] = lambda threads: 1.0
    start: Callable[[int], None] = lambda cpu: None
    cpus: int = 1
    #: by how many threads there were, and by CPU where each thread counts for itself
    seen: dict[tuple[int, int | None], list[float]] = field(default_factory=dict)
    #: of single threads, on whatever CPU was next
    met: list[float] = field(default_factory=list)

    def seek(self) -> None:
        """Turns to the next CPU, and from there to one on which a thread is alone, if there is one."""
        turns = len(self.met)
        for skipped in range(self.cpus):
            self.start(turns + skipped)
            company = self.look(1)
            if not skipped:
                self.met.append(company)
                self.note(1, company)
            if company <= self.most(1):
                return

    def note(self, threads: int, company: float, cpu: int | None = None) -> None:
        """Keeps what was seen, in order."""
        insort(self.seen.setdefault((threads, cpu), []), company)

    def alone(self, threads: int, cpu: int | None = None) -> float:
        """The company of so many threads, or of the one on this CPU, when nobody else is there."""
        seen = self.seen[threads, cpu]
        return seen[int(_LEAST * len(seen))]

    def most(self, threads: int) -> float:
        """The most company that so many threads have when nobody else is there; anything before they were seen."""
        return _ALONE * self.alone(threads) if (threads, None) in self.seen else math.inf

    @property
    def corunners(self) -> float:
        """Mean number of co-runners of other tenants beside one thread: what they take from it."""
        return float(np.mean(np.maximum(np.array(self.met) / self.alone(1) - 1, 0.0)))


@dataclass
class Task:
    """One number to find, with so many threads. `summary` is what is taken of the visits that count: those with nobody
    else on the cores, unless it is about what cores share (`whoever`). It has settled when two halves of them are
    within `agreed` of each other; every round looks at it so many `times`. `spent` are the seconds that all took."""

    name: str
    sample: Callable[[], Visit]
    summary: Callable[[Visits], float] = ESTIMATORS["cache"]
    threads: int = 1
    watch: Watch = field(default_factory=Watch)
    whoever: bool = False
    agreed: float = AGREED
    times: int = 1
    visits: list[Visit] = field(default_factory=list)
    spent: float = 0.0
    #: after so many visits, whether they had settled
    known: tuple[int, bool] = (0, False)

    def run(self) -> None:
        """One more visit. One thread goes where nobody is; several need all CPUs anyway."""
        if self.threads == 1:
            self.watch.seek()
        found = self.sample()
        self.visits.append(found)
        if found.values.shape[-1]:
            self.watch.note(self.threads, found.company)
            for cpu, part in found.parts.items():
                self.watch.note(self.threads, part.company, cpu)

    @property
    def estimate(self) -> Estimate | None:
        """The number so far; None where there is none."""
        measured = [one for one in self.visits if one.values.shape[-1]]
        if not measured:
            return None
        most = math.inf if self.whoever else self._most(measured)
        counting = [one for one in measured if one.parts or one.company <= most]
        value, spread = self._value(counting), 0.0
        if value and (middle := len(counting) // 2):
            spread = abs(self._value(counting[:middle]) - self._value(counting[middle:])) / value
        return Estimate(value, spread, len(counting), self.agreed, self._alone(measured))

    def _value(self, visits: Sequence[Visit]) -> float:
        return self._sum(visits) if visits[0].parts else self.summary([one.values for one in visits])

    def _sum(self, visits: Sequence[Visit]) -> float:
        """The cost of threads that nothing couples: the rates add up that their CPUs reached, each while it had as
        little company as it ever has among so many threads. One that always had more counts as the mean of the others;
        where all had, the one with the least. Of several sets of data, what a quarter of them reached: how well the
        pages of a set lie has a lower end, and hardly an upper one."""
        quiet = self._quiet(visits)
        if not quiet:
            parts = [part for one in visits for part in one.parts.values()]
            quiet = {0: [min(parts, key=lambda part: part.company).values]}
        costs = np.array([self.summary(values) for values in quiet.values()])
        if self.threads == 1:
            return float(np.quantile(costs, _OF_SETS))
        return 1 / (self.threads * float(np.mean(1 / costs)))

    def _quiet(self, visits: Sequence[Visit]) -> dict[int, list[NDArray[np.float64]]]:
        """What CPUs, or sets of data, found with little company."""
        parts = [(number, part) for one in visits for number, part in one.parts.items()]
        limits = self._limits(parts)
        quiet: dict[int, list[NDArray[np.float64]]] = {}
        for number, part in parts:
            if part.company <= limits[number]:
                quiet.setdefault(number, []).append(part.values)
        return quiet

    def _limits(self, parts: Sequence[tuple[int, Visit]]) -> dict[int, float]:
        """Company with which parts count: CPUs with as little as they ever have; sets of data without any, and of the
        others those with the least, so that half of all sets count."""
        numbers = {number for number, _ in parts}
        if self.threads > 1:
            return {number: _ALONE * self.watch.alone(self.threads, number) for number in numbers}
        least = sorted(min(part.company for other, part in parts if other == number) for number in numbers)
        return dict.fromkeys(numbers, max(self.watch.most(1), least[(len(least) - 1) // 2]))

    def _most(self, measured: Sequence[Visit]) -> float:
        """Company of a visit that counts: none, if there is such a visit; of several threads, some of which always have
        company on a large machine, two, or else that of the third of the visits with the least, as far as five."""
        company, alone = sorted(one.company for one in measured), self.watch.most(self.threads)
        if self.threads == 1 or len(company) < 2:
            return max(company[0], alone)
        if company[1] <= alone:
            return alone
        return max(company[min(int(_ANYHOW * (len(company) - 1)), _ENOUGH - 1)], alone)

    def _alone(self, measured: Sequence[Visit]) -> bool:
        """Whether one thread was alone on its core at least once; of several that count for themselves, any of them."""
        if measured[0].parts and self.threads > 1:
            return bool(self._quiet(measured))
        least = min(one.company for one in measured)
        return self.whoever or self.threads > 1 or least <= self.watch.most(1)

    @property
    def settled(self) -> bool:
        """Whether enough visits say the same; found out once after each, for all tasks are asked again and again."""
        if self.known[0] != len(self.visits):
            self.known = len(self.visits), (estimate := self.estimate) is not None and estimate.settled
        return self.known[1]
