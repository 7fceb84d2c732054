"""The probe's chunks, windows and tasks: which count, and when a number has converged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from foretell.machines.probe import method
from foretell.machines.probe.method import (
    Chunks,
    Sample,
    Task,
    all_of,
    one_round,
    period,
    run_rounds,
    slowest_of,
    together,
    windows,
)

if TYPE_CHECKING:
    from collections.abc import Callable


def chunks(starts: list[float], seconds: list[float], addition: list[float] | None = None) -> Chunks:
    return Chunks(10.0, np.array(starts), np.array(seconds), np.array(addition or []))


def test_the_clock_of_a_chunk_is_the_fastest_around_it() -> None:
    """An addition that was disturbed does not count; where the clock falls, the last fast one counts on."""
    disturbed = np.array([1.0, 1.0, 1.3, 1.0, 5.0, 1.0, 1.0])
    assert period(disturbed).tolist() == [1.0] * 7
    slower = np.array([1.0] * 4 + [1.08] * 5)
    assert period(slower).tolist() == [1.0] * 6 + [1.08] * 3
    assert period(np.array([2.0])).tolist() == [2.0]


def test_only_chunks_in_which_all_threads_ran_are_kept() -> None:
    """The second thread is away during its third chunk, from 2 to 7."""
    first = chunks([float(k) for k in range(10)], [1.0] * 10)
    second = chunks([0.0, 1.0, 2.0, 7.0, 8.0, 9.0], [1.0, 1.0, 5.0, 1.0, 1.0, 1.0])
    keep = together([first, second])
    assert keep[0].tolist() == [True, True] + [False] * 5 + [True] * 3
    assert keep[1].tolist() == [True, True, False, True, True, True]


def test_a_thread_that_is_away_between_chunks_does_not_run() -> None:
    first = chunks([float(k) for k in range(10)], [1.0] * 10)
    second = chunks([0.0, 1.0, 2.0, 7.0, 8.0, 9.0], [0.9] * 6)
    assert together([first, second])[0].tolist() == [True, True] + [False] * 5 + [True, True, False]


def test_threads_that_never_meet_keep_nothing() -> None:
    early, late = chunks([0.0, 1.0], [1.0, 1.0]), chunks([5.0, 6.0], [1.0, 1.0])
    assert not any(keep.any() for keep in together([early, late]))
    assert windows([early, late]).shape == (2, 0)
    assert len(all_of([early, late])) == len(slowest_of([early, late])) == 0


def test_costs_are_cycles_where_the_clock_was_measured() -> None:
    assert chunks([0.0, 1.0], [20.0, 20.0]).costs.tolist() == [2.0, 2.0]
    assert chunks([0.0, 1.0], [20.0, 20.0], [0.5, 0.5]).costs.tolist() == [4.0, 4.0]


def run_of(costs: list[float], step: float = 1e-5) -> Chunks:
    """Chunks one behind the other, each of ten units at a cost of so many steps."""
    seconds = 10 * step * np.array(costs)
    return Chunks(10.0, np.concatenate([[0.0], np.cumsum(seconds)[:-1]]), seconds, np.empty(0))


def test_threads_add_up_window_by_window() -> None:
    """Chunks of 100 and 200 us, in half milliseconds: one thread costs 10 us a unit, the other twice as much."""
    fast, slow = run_of([1.0] * 100), run_of([2.0] * 50)
    for found, expected in (
        (all_of([fast, slow]), 1e-5 / 1.5),
        (slowest_of([fast, slow]), 2e-5),
        (all_of([fast]), 1e-5),
    ):
        assert 18 <= len(found) <= 20
        assert found == pytest.approx(np.full(len(found), expected))


def test_windows_in_which_a_thread_was_away_do_not_count() -> None:
    costs = [1.0] * 100
    costs[12] = 7.0  # away for 700 us, from 1.2 ms on: windows 2 and 3
    found = all_of([run_of([1.0] * 106), run_of(costs)])
    assert found == pytest.approx(np.full(len(found), 5e-6))
    assert 17 <= len(found) <= 19


def test_chunks_that_are_longer_than_a_window_make_one_each() -> None:
    assert all_of([run_of([10.0] * 8)]) == pytest.approx(np.full(8, 1e-4))


class FakeClock:
    """Every look takes a second."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def sampler(values: list[float]) -> Callable[[], Any]:
    """A task that gives the next value each time, the last one for ever."""
    left = list(values)
    return lambda: Sample(np.full(20, left.pop(0) if len(left) > 1 else left[0]))


def test_all_tasks_run_in_turn_until_the_time_is_over() -> None:
    tasks = [Task(str(k), sampler([5.0])) for k in range(3)]
    clock = FakeClock()
    run_rounds(tasks, 50, clock=clock)
    counts = [len(task.samples) for task in tasks]
    assert max(counts) - min(counts) <= 1
    assert counts[0] > 5
    assert clock.now <= 55


def test_numbers_that_have_not_settled_get_the_time() -> None:
    """As much again as a round of all takes: those that have converged are still looked at."""
    still = Task("still", sampler([5.0]))
    moving = Task("moving", sampler([5.0 * 0.97**k for k in range(100)]))
    run_rounds([still, moving], 400, clock=FakeClock())
    assert still.estimate
    assert moving.estimate
    assert still.estimate.converged
    assert not moving.estimate.converged
    assert moving.estimate.doubt
    assert 0.3 < len(still.samples) / len(moving.samples) < 0.6


def test_of_numbers_that_have_not_settled_the_cheap_ones_are_looked_at_more_often() -> None:
    clock = FakeClock()

    def dear() -> Any:
        clock.now += 20
        return Sample(np.full(20, clock.now))

    tasks = [Task("dear", dear), Task("cheap", sampler([5.0 * 0.97**k for k in range(200)]))]
    run_rounds(tasks, 600, clock=clock)
    assert len(tasks[1].samples) > 3 * len(tasks[0].samples)
    assert sum(task.spent for task in tasks) < clock.now


def test_a_number_is_settled_when_two_halves_of_its_visits_say_the_same() -> None:
    still, moving = [5.0, 5.05, 5.0, 5.02, 5.0, 5.01], [5.0, 5.0, 5.0, 5.6, 5.6, 5.6]
    found = [Task("a", sampler(values)) for values in (still, moving, still)]
    for task, times in zip(found, (6, 6, 3), strict=True):
        for _ in range(times):
            task.run()
    said = [(one.converged, bool(one.doubt)) for task in found if (one := task.estimate)]
    assert said == [(True, False), (False, True), (False, False)]
    assert found[1].estimate
    assert found[1].estimate.spread == pytest.approx(0.12)
    assert found[1].estimate.samples == 6
    rough = Task("a", sampler(moving), agreed=0.2)
    for _ in range(6):
        rough.run()
    assert rough.estimate
    assert rough.estimate.converged


def test_a_quiet_moment_late_is_not_missed() -> None:
    """The core is busy in all rounds but the last ones."""
    busy = Task("a", sampler([6.0] * 20 + [3.0]))
    run_rounds([busy], 200, clock=FakeClock())
    assert busy.estimate
    assert busy.estimate.value == pytest.approx(3.0)


def test_estimates_know_their_spread() -> None:
    moving = Task("b", sampler([5.0, 4.0, 3.0, 2.9, 2.9]))
    run_rounds([moving], 28, clock=FakeClock())
    assert moving.estimate
    assert moving.estimate.value == pytest.approx(2.9)
    assert moving.estimate.spread > 0
    assert moving.estimate.samples == len(moving.samples)


def test_what_is_looked_at_several_times_a_round_comes_at_equal_distances() -> None:
    tasks = [Task(str(k), sampler([5.0]), times=3 if k == 1 else 1) for k in range(5)]
    assert "".join(task.name for task in one_round(tasks)) == "0121341"
    assert one_round(tasks[2:]) == tasks[2:]
    run_rounds(tasks, 400, clock=FakeClock())
    assert len(tasks[1].samples) > 2 * len(tasks[0].samples)


def test_every_task_runs_once_even_without_time() -> None:
    tasks = [Task(str(k), sampler([1.0])) for k in range(5)]
    run_rounds(tasks, 0, clock=FakeClock())
    assert [len(task.samples) for task in tasks] == [1] * 5


def test_a_task_without_samples_has_no_estimate() -> None:
    task = Task("a", lambda: Sample(np.empty(0)))
    run_rounds([task], 5, clock=FakeClock())
    assert task.estimate is None


def test_method_constants_are_those_of_the_documentation() -> None:
    text = (Path(__file__).parents[4] / "docs/explanation/how-the-probe-measures.md").read_text()
    assert f"more than {method.PREEMPTED:g} times the median" in text
    assert f"averaged over {1e3 * method.WINDOW:g} ms" in text
    rows = [[cell.strip() for cell in line.split("|")[1:4]] for line in text.splitlines() if line[:2] == "| "]
    for name, estimator in method.ESTIMATORS.items():
        within = "all" if estimator.within is None else f"{estimator.within:g}"
        across = "1/3" if estimator.across == 1 / 3 else f"{estimator.across:g}"
        assert [name, within, across] in rows
