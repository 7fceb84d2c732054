"""In which order the tasks are visited, and for how long."""

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
    """Runs the tasks in turn, round by round, until the time is over.

    Every task is run once whatever the time says, so that each has a number. All of the time is used: after a round of
    all tasks as much time goes to those that have not settled. Those that have are still looked at, because a number
    may stand still while something else is busy all the while.
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
    """The tasks in their order; one that is looked at several times comes again at equal distances."""
    places = [
        ((number / len(tasks) + time_ / task.times) % 1, number)
        for number, task in enumerate(tasks)
        for time_ in range(task.times)
    ]
    return [tasks[number] for _, number in sorted(places)]


def _visit(tasks: Sequence[Task], clock: Callable[[], float], tick: Callable[[Task], None], end: float) -> None:
    """One round of some tasks, or a part of it when the time is over."""
    for task in tasks:
        started = clock()
        if started >= end:
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
