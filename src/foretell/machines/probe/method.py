"""How times become numbers on a machine that others use too.

Work is timed in chunks of 10–35 µs, much shorter than a time slice: a chunk was either left alone or interrupted, and
one that took more than three times the median was interrupted. Chunks of loops are averaged over half a millisecond.
What slows these (another thread on the same core, a neighbour's traffic) lasts for longer than a visit and only ever
adds: the machine by itself is what the fastest visits reached, more than one of them, for one may be too fast by
chance. Everything is visited over the whole time of the probe, so that every number sees the same hours.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Callable

#: a chunk that took so many medians was interrupted
PREEMPTED = 3.0
#: the share of all values that makes a group; how wide it may be in any case, and beside the densest one
_GROUP, _NARROW, _DENSE = 0.02, 0.02, 10.0
#: visits that reached a number, of means over half a millisecond; of single chunks, which vary more; and where a visit
#: cannot be too fast by chance, because data would have to be where they are not
_TWO, _THREE, _ONE = 2, 3, 1
#: the share of visits that reached what it takes threads to meet
_REACHED = 0.25
#: clock measurements before and after a chunk that count for it
_AROUND = 2
#: seconds that chunks of loops are averaged over: what a short parallel loop takes, and shorter than a time slice
WINDOW = 5e-4
_MIN_VALUES = 8
#: visits that have to say the same, and how nearly the same, before a number counts as settled
AGREEING, AGREED = 3, 0.02


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


#: visits to one task: the values of each, at least one
Visits = Sequence[NDArray[np.float64]]


def least(visits: Visits) -> float:
    """What two visits reached."""
    return _rank(visits, _TWO)


def least_of_chunks(visits: Visits) -> float:
    """What three visits reached with single chunks."""
    return _rank(visits, _THREE)


def best(visits: Visits) -> float:
    """What one visit reached."""
    return _rank(visits, _ONE)


def _rank(visits: Visits, number: int) -> float:
    return float(sorted(values.min() for values in visits)[min(number, len(visits)) - 1])


def reached(visits: Visits) -> float:
    """What a quarter of the visits reached. Threads that meet are faster when the host has put two of them on one core,
    which it does now and then: so not the fastest visits."""
    return float(np.quantile([values.min() for values in visits], _REACHED))


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


@dataclass
class Task:
    """One number to find. `sample` gives some costs, or columns of costs that belong together; none of them means:
    could not be measured. `summary` is what is taken of those of all visits: the machine by itself, unless what others
    make of it is asked for. Visits within `agreed` of it say the same; `spent` are the seconds that they took."""

    name: str
    sample: Callable[[], NDArray[np.float64]]
    summary: Callable[[Visits], float] = least
    rounds: list[NDArray[np.float64]] = field(default_factory=list)
    agreed: float = AGREED
    spent: float = 0.0

    def run(self) -> None:
        """One more visit."""
        self.rounds.append(self.sample())

    @property
    def estimate(self) -> Estimate | None:
        """The number so far; None where there is none."""
        measured = [values for values in self.rounds if values.shape[-1]]
        if not measured:
            return None
        single = np.array([self.summary([values]) for values in measured])
        value = self.summary(measured)
        spread = float(np.median(single) / single.min()) - 1 if single.min() > 0 else 0.0
        agreeing = np.count_nonzero(np.abs(single - value) <= self.agreed * value)
        count = sum(values.shape[-1] for values in measured)
        return Estimate(value, spread, count, len(self.rounds), int(agreeing))

    @property
    def settled(self) -> bool:
        """Whether enough visits say the same."""
        return (estimate := self.estimate) is not None and estimate.settled


def settle(
    tasks: Sequence[Task],
    seconds: float,
    *,
    clock: Callable[[], float] = time.monotonic,
    tick: Callable[[Task], None] = lambda task: None,
    begin: Callable[[int], None] = lambda number: None,
) -> None:
    """Runs the tasks in turn, round by round, until the time is over; `begin` is told the number of every round.

    Every task is run once whatever the time says, so that each has a number. All of the time is used: after a round of
    all tasks as much time goes to those that have not settled. Those that have are still looked at, because a number
    may stand still while something else is busy all the while.
    """
    end = clock() + seconds
    number = 0
    while number == 0 or clock() < end:
        started = clock()
        _visit(tasks, clock, tick, begin, number, end)
        number += 1
        until = min(end, 2 * clock() - started)
        while clock() < until and (chosen := neediest(tasks)):
            _visit(chosen, clock, tick, begin, number, until)
            number += 1


def _visit(
    tasks: Sequence[Task],
    clock: Callable[[], float],
    tick: Callable[[Task], None],
    begin: Callable[[int], None],
    number: int,
    end: float,
) -> None:
    """One round of some tasks, or a part of it when the time is over; the first round is always whole."""
    begin(number)
    for task in tasks:
        started = clock()
        if number and started >= end:
            return
        task.run()
        task.spent += clock() - started
        tick(task)


class Visited(Protocol):
    """What is looked at again and again: whether its visits say the same, and the seconds that they took."""

    @property
    def settled(self) -> bool: ...
    @property
    def spent(self) -> float: ...


_Needy = TypeVar("_Needy", bound=Visited)


def neediest(tasks: Sequence[_Needy]) -> list[_Needy]:
    """Of the tasks whose visits do not say the same yet, those that had no more than the mean of their time: what is
    looked at quickly is looked at more often."""
    found = [task for task in tasks if not task.settled]
    return [task for task in found if task.spent * len(found) <= sum(one.spent for one in found)]
