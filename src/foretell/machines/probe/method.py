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

#: a chunk that took so many medians was interrupted
PREEMPTED = 3.0
#: the share of all values that makes a group; how wide it may be in any case, and beside the densest one
_GROUP, _NARROW, _DENSE = 0.02, 0.02, 10.0
#: the share of visits, or of chunks, that reached a number: the fastest of them may be too fast by chance; where more
#: than a few are: threads that meet, single chunks, sets of data; and of what others use all the while
_REACHED, _OFTEN, _USUAL = 0.1, 0.25, 1 / 3
#: more than this of the least company that so many threads have, and somebody else is on a core; the share of visits
#: with less; the share of the visits of several threads that counts in any case, and how many are enough
_ALONE, _LEAST, _ANYHOW, _ENOUGH = 1.1, 0.01, 1 / 3, 5
#: more than this of what a tenth of all chunks reached, and a call was disturbed
_DISTURBED = 1.25
#: clock measurements before and after a chunk that count for it
_AROUND = 2
#: seconds that chunks of loops are averaged over: what a short parallel loop takes, and shorter than a time slice
WINDOW = 5e-4
_MIN_VALUES = 8
#: visits of each half that have to say the same, and how nearly the same, before a number counts as settled
AGREEING, AGREED = 2, 0.02


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
            return "every visit had company on its cores"
        if self.settled or self.visits < 2 * AGREEING:
            return ""
        return f"did not settle: {100 * self.spread:.0f} % apart in two halves of {self.visits} visits"


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
    around: NDArray[np.float64] = np.lib.stride_tricks.sliding_window_view(padded, 2 * _AROUND + 1).min(
        axis=1
    )
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


#: visits to one task: the values of each, at least one
Visits = Sequence[NDArray[np.float64]]


def best(visits: Visits) -> float:
    """What one visit reached, where none can be too fast by chance: data would have to be where they are not."""
    return float(min(values.min() for values in visits))


def reached(visits: Visits) -> float:
    """What one visit in ten reached."""
    return float(np.quantile([values.min() for values in visits], _REACHED))


def _with_a_tenth(visits: Visits, share: float) -> float:
    """What so large a share of the visits reached with a tenth of their values."""
    return float(np.quantile([np.quantile(values, _REACHED) for values in visits], share))


def chunks_reached(visits: Visits) -> float:
    """Of single chunks, a quarter of the visits: these vary more than means of half a millisecond, and the clock beside
    one may have seemed too slow."""
    return _with_a_tenth(visits, _OFTEN)


def mean_of_calls(visits: Visits) -> float:
    """Of calls of a library, the mean: a process finds it somewhere else every time, and one in two may be a twelfth
    slower. Chunks that are a quarter slower than a tenth of all had company that the looks did not see."""
    values = np.concatenate(visits)
    return float(values[values <= _DISTURBED * np.quantile(values, _REACHED)].mean())


def windows_reached(visits: Visits) -> float:
    """Of memory, one visit in ten. The fastest half millisecond of a loop that only writes is one in which the caches
    took what it wrote."""
    return _with_a_tenth(visits, _REACHED)


def usually_reached(visits: Visits) -> float:
    """Of memory and all threads, a third of the visits: others use it all the while, and how seldom they do not is no
    number of this machine."""
    return _with_a_tenth(visits, _USUAL)


def often(visits: Visits) -> float:
    """What a quarter of all values reached: of threads that meet, the fastest may be those of one core."""
    return float(np.quantile(np.concatenate(visits), _OFTEN))


def mean_of_middles(visits: Visits) -> float:
    """What visits found in the mean, each most of the time: of a clock that goes up and down in steps."""
    return float(np.mean([np.median(values) for values in visits]))


def typical(visits: Visits) -> float:
    """The middle one: where half of the time it is worse."""
    return float(np.median(np.concatenate(visits)))


def fastest_group(values: NDArray[np.float64], share: float = _GROUP) -> float:
    """The middle of the fastest dense group of values (costs: small is fast).

    A group is a share (a fiftieth) of all values, next to each other; it is dense when it is narrower than 2 %, or at
    most ten times as wide as the narrowest one. A few values that are too small by chance are not dense.
    """
    ordered = np.sort(values)
    size = min(len(ordered), max(_MIN_VALUES, int(share * len(ordered))))
    widths = ordered[size - 1 :] / ordered[: len(ordered) - size + 1] - 1
    dense = widths <= max(_NARROW, _DENSE * float(widths.min()))
    first = int(np.argmax(dense))
    return float(np.median(ordered[first : first + size]))


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
    def strangers(self) -> float:
        """How many others are beside a thread that is alone in its system: what they take from it, on average."""
        return float(np.mean(np.maximum(np.array(self.met) / self.alone(1) - 1, 0.0)))


@dataclass
class Task:
    """One number to find, with so many threads. `summary` is what is taken of the visits that count: those with nobody
    else on the cores, unless it is about what cores share (`whoever`). It has settled when two halves of them are
    within `agreed` of each other; every round looks at it so many `times`. `spent` are the seconds that all took."""

    name: str
    sample: Callable[[], Visit]
    summary: Callable[[Visits], float] = reached
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
            return float(np.quantile(costs, _OFTEN))
        return 1 / (self.threads * float(np.mean(1 / costs)))

    def _quiet(self, visits: Sequence[Visit]) -> dict[int, list[NDArray[np.float64]]]:
        """What CPUs found with as little company as they ever have; sets of data with as little as one thread has."""
        quiet: dict[int, list[NDArray[np.float64]]] = {}
        for number, part in ((number, part) for one in visits for number, part in one.parts.items()):
            cpu = number if self.threads > 1 else None
            if part.company <= _ALONE * self.watch.alone(self.threads, cpu):
                quiet.setdefault(number, []).append(part.values)
        return quiet

    def _most(self, measured: Sequence[Visit]) -> float:
        """Company of a visit that counts: none, if there is such a visit; of several threads, some of which always have
        company on a large machine, also that of the third of the visits with the least, as far as five."""
        anyhow = min(int(_ANYHOW * (len(measured) - 1)), _ENOUGH - 1) if self.threads > 1 else 0
        least = sorted(one.company for one in measured)[anyhow]
        return max(least, self.watch.most(self.threads))

    def _alone(self, measured: Sequence[Visit]) -> bool:
        """Whether one thread was alone on its core at least once; of several that count for themselves, any of them."""
        if measured[0].parts:
            return bool(self._quiet(measured))
        least = min(one.company for one in measured)
        return self.whoever or self.threads > 1 or least <= self.watch.most(1)

    @property
    def settled(self) -> bool:
        """Whether enough visits say the same; found out once after each, for all tasks are asked again and again."""
        if self.known[0] != len(self.visits):
            self.known = len(self.visits), (estimate := self.estimate) is not None and estimate.settled
        return self.known[1]
