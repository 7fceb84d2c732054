"""Scheduling of the tasks: order and duration of their samples."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from foretell.machines.probe.method import Task


def settle(
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
    _visit(tasks, clock, tick, math.inf)
    while clock() < end:
        until = min(end, 2 * clock() - started)
        while clock() < until and (chosen := neediest(tasks)):
            _visit(chosen, clock, tick, until)
        started = clock()
        _visit(whole, clock, tick, end)


def one_round(tasks: Sequence[Task]) -> list[Task]:
    """The tasks in order; one with several samples a round is repeated at equal distances."""
    places = [
        ((number / len(tasks) + time_ / task.times) % 1, number)
        for number, task in enumerate(tasks)
        for time_ in range(task.times)
    ]
    return [tasks[number] for _, number in sorted(places)]


def _visit(tasks: Sequence[Task], clock: Callable[[], float], tick: Callable[[Task], None], end: float) -> None:
    """Samples some tasks once, or fewer of them when the time is over."""
    for task in tasks:
        started = clock()
        if started >= end:
            return
        task.run()
        task.spent += clock() - started
        tick(task)


class Visited(Protocol):
    """Something that is sampled repeatedly: whether its samples agree, and the seconds that they took."""

    @property
    def settled(self) -> bool: ...
    @property
    def spent(self) -> float: ...


_Needy = TypeVar("_Needy", bound=Visited)


def neediest(tasks: Sequence[_Needy]) -> list[_Needy]:
    """Selects those of the unconverged tasks that used no more than their mean time: quick tasks are sampled more
    often."""
    found = [task for task in tasks if not task.settled]
    return [task for task in found if task.spent * len(found) <= sum(one.spent for one in found)]
