"""How times become numbers on a machine that others use too.

Work is timed in chunks of 10–35 µs, much shorter than a time slice: a chunk was either left alone or interrupted, and
one that took more than three times the median was interrupted. What slows many chunks a little (another thread on
the same core, a clock that changed) makes two or more groups of times; the fastest group that is dense is the machine
by itself. Everything is measured in several rounds, some time apart, until the numbers stand still.
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
#: the share of all chunks that makes a group, and how wide it may be
_GROUP, _DENSE = 0.05, 0.01
#: two clock measurements agree when they are this close
_STEADY = 0.005
#: a number stands still when a round changes it by less than this
STILL = 0.01
_MIN_ROUNDS, _MIN_CHUNKS = 3, 8


@dataclass(frozen=True, slots=True)
class Chunks:
    """What one thread did: `amount` in each chunk, when each began and how long it took.

    `addition` is the clock period right after each chunk (empty where it was not measured).
    """

    amount: float
    start: NDArray[np.float64]
    seconds: NDArray[np.float64]
    addition: NDArray[np.float64]

    def cost(self, keep: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Time for one unit in the chunks kept: in cycles where the clock was measured along, else in seconds."""
        each = self.seconds[keep] / self.amount
        return each / self.addition[keep] if len(self.addition) else each


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number, how far its rounds are apart (relative), and from how many chunks it comes."""

    value: float
    spread: float
    chunks: int


def undisturbed(seconds: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which chunks were not interrupted."""
    return np.less_equal(seconds, PREEMPTED * np.median(seconds))


def steady(period: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which chunks lie between two clock measurements that agree: a clock that changed on the way, or a disturbed
    measurement of it, would make an operation look fast. All of them where there are few such."""
    before = np.concatenate([period[:1], period[:-1]])
    keep: NDArray[np.bool_] = np.abs(period / before - 1) <= _STEADY
    keep[:1] = False
    return keep if keep.sum() >= _MIN_CHUNKS else np.ones(len(period), dtype=np.bool_)


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


def typical(values: NDArray[np.float64]) -> float:
    """The middle one: where half of the time it is worse."""
    return float(np.median(values))


def fastest_group(values: NDArray[np.float64], share: float = _GROUP) -> float:
    """The middle of the fastest dense group of values (costs: small is fast).

    A group is a share (a twentieth) of all values, next to each other; it is dense when it is narrower than 1 %,
    or at most twice as wide as the narrowest one where there is none so narrow. A few values that are too small by
    chance are not dense.
    """
    ordered = np.sort(values)
    size = min(len(ordered), max(_MIN_CHUNKS, int(share * len(ordered))))
    widths = ordered[size - 1 :] / ordered[: len(ordered) - size + 1] - 1
    dense = widths <= max(_DENSE, 2 * float(widths.min()))
    first = int(np.argmax(dense))
    return float(np.median(ordered[first : first + size]))


@dataclass
class Task:
    """One number to find. `sample` gives costs of some chunks; an empty array means: could not be measured. `summary`
    is what is taken of all of them: the machine by itself, unless what others make of it is asked for."""

    name: str
    sample: Callable[[], NDArray[np.float64]]
    summary: Callable[[NDArray[np.float64]], float] = fastest_group
    rounds: list[NDArray[np.float64]] = field(default_factory=list)
    history: list[float] = field(default_factory=list)

    def run(self) -> None:
        """One more round."""
        values = self.sample()
        self.rounds.append(values)
        pooled = np.concatenate(self.rounds)
        if len(pooled):
            self.history.append(self.summary(pooled))

    @property
    def still(self) -> bool:
        """Whether the last two rounds changed nothing."""
        if len(self.history) < _MIN_ROUNDS:
            return False
        recent = self.history[-_MIN_ROUNDS:]
        return max(recent) / min(recent) - 1 <= STILL

    @property
    def estimate(self) -> Estimate | None:
        """The number so far; None where there is none."""
        if not self.history:
            return None
        single = [self.summary(values) for values in self.rounds if len(values) >= _MIN_CHUNKS]
        spread = float(np.median(single)) / min(single) - 1 if single else 0.0
        return Estimate(self.history[-1], spread, sum(map(len, self.rounds)))


def settle(
    tasks: Sequence[Task],
    seconds: float,
    *,
    clock: Callable[[], float] = time.monotonic,
    tick: Callable[[Task], None] = lambda task: None,
) -> None:
    """Runs the tasks in turn, round by round, until all stand still or the time is over.

    Every task is run once whatever the time says, so that each has a number. None is left out of later rounds: a number
    that stands still may do so because something else was busy all the while.
    """
    end = clock() + seconds
    first = True
    while first or not all(task.still for task in tasks):
        for task in tasks:
            if not first and clock() >= end:
                return
            task.run()
            tick(task)
        first = False
