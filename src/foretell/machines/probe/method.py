"""How times become numbers on a machine that others use too.

Work is timed in chunks of 10–35 µs, much shorter than a time slice: a chunk was either left alone or interrupted, and
one that took more than three times the median was interrupted. Chunks of loops are averaged over half a millisecond;
what slows many of these a little (another thread on the same core, a neighbour's traffic) makes two or more groups of
them; the fastest group that is dense is the machine by itself. Everything is measured in rounds over the whole time of
the probe, so that every number sees the same hours.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

#: a chunk that took so many medians was interrupted
PREEMPTED = 3.0
#: the share of all values that makes a group; how wide it may be in any case, and beside the densest one
_GROUP, _NARROW, _DENSE = 0.02, 0.02, 10.0
#: of many threads, the share of the time in which they are at least as fast together
_REACHED = 0.25
#: clock measurements before and after a chunk that count for it
_AROUND = 2
#: seconds that chunks of loops are averaged over: what a short parallel loop takes, and shorter than a time slice
WINDOW = 5e-4
_MIN_VALUES = 8
#: visits that have to say the same, and how nearly the same, before a number counts as settled
AGREEING, AGREED = 3, 0.02
#: settled numbers are looked at again in every so manieth round
_SELDOM = 2


@dataclass(frozen=True, slots=True)
class Chunks:
    """What one thread did: `amount` in each chunk, when each began and how long it took.

    `cycle` is the clock period right after each chunk (empty where it was not measured).
    """

    amount: float
    start: NDArray[np.float64]
    seconds: NDArray[np.float64]
    cycle: NDArray[np.float64]

    @property
    def costs(self) -> NDArray[np.float64]:
        """Time for one unit, by chunks: in cycles where the clock was measured along, else in seconds."""
        each = self.seconds / self.amount
        return each / period(self.cycle) if len(self.cycle) else each


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number, how far its visits are apart (relative), from how many values it comes, how many visits there were and
    how many of them say the same."""

    value: float
    spread: float
    values: int
    visits: int = AGREEING
    agreeing: int = AGREEING

    @property
    def settled(self) -> bool:
        """Whether enough visits say the same."""
        return self.agreeing >= AGREEING

    @property
    def doubtful(self) -> bool:
        """Whether there were visits enough, and they do not say the same."""
        return not self.settled and self.visits >= AGREEING


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


def typical(values: NDArray[np.float64]) -> float:
    """The middle one: where half of the time it is worse."""
    return float(np.median(values))


def reached(values: NDArray[np.float64]) -> float:
    """What is reached a quarter of the time. Of many threads some are always slowed by others; how few at the best
    moment is chance."""
    return float(np.quantile(values, _REACHED))


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


@dataclass
class Task:
    """One number to find. `sample` gives some costs, or columns of costs that belong together; none of them means:
    could not be measured. `summary` is what is taken of those of all rounds: the machine by itself, unless what others
    make of it is asked for."""

    name: str
    sample: Callable[[], NDArray[np.float64]]
    summary: Callable[[NDArray[np.float64]], float] = fastest_group
    rounds: list[NDArray[np.float64]] = field(default_factory=list)

    def run(self) -> None:
        """One more round."""
        self.rounds.append(self.sample())

    @property
    def estimate(self) -> Estimate | None:
        """The number so far; None where there is none."""
        measured = [values for values in self.rounds if values.shape[-1]]
        if not measured:
            return None
        single = np.array([self.summary(values) for values in measured])
        pooled = np.concatenate(measured, axis=-1)
        value = self.summary(pooled)
        spread = float(np.median(single) / single.min()) - 1 if single.min() > 0 else 0.0
        agreeing = np.count_nonzero(np.abs(single - value) <= AGREED * value)
        return Estimate(value, spread, pooled.shape[-1], len(self.rounds), int(agreeing))


def settle(
    tasks: Sequence[Task],
    seconds: float,
    *,
    clock: Callable[[], float] = time.monotonic,
    tick: Callable[[Task], None] = lambda task: None,
    begin: Callable[[int], None] = lambda number: None,
) -> None:
    """Runs the tasks in turn, round by round, until the time is over; `begin` is told the number of every round.

    Every task is run once whatever the time says, so that each has a number. All of the time is used: numbers that have
    not settled are looked at in every round, the others now and then, because a number may stand still while
    something else is busy all the while.
    """
    end = clock() + seconds
    number = 0
    while number == 0 or clock() < end:
        begin(number)
        for task in tasks if number % _SELDOM == 0 else unsettled(tasks) or tasks:
            if number and clock() >= end:
                return
            task.run()
            tick(task)
        number += 1


def unsettled(tasks: Sequence[Task]) -> list[Task]:
    """Those whose visits do not say the same yet."""
    return [task for task in tasks if (found := task.estimate) is None or not found.settled]
