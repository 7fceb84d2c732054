"""Where levels end, and which sets lie in them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest

from foretell.machines.probe import caches, find, kernels, plan
from foretell.machines.probe.caches import Level
from foretell.machines.probe.method import Task, Visit
from foretell.machines.probe.system import Cache

if TYPE_CHECKING:
    from numpy.typing import NDArray


def curve(*levels: tuple[int, float]) -> tuple[list[int], list[float]]:
    """Latencies with a plateau up to each size; between two, half an octave of rise."""
    sizes = caches.walk_sizes((), 1 << 28)
    found = []
    for size in sizes:
        value = levels[-1][1]
        for (limit, latency), (_, outer) in pairwise(levels):
            if size <= limit:
                value = latency
                break
            if size < 1.5 * limit:
                value = (latency + outer) / 2
                break
        found.append(value)
    return sizes, found


def test_knees_of_three_levels() -> None:
    sizes, latencies = curve((32 << 10, 4.0), (1 << 20, 14.0), (32 << 20, 50.0), (1 << 40, 300.0))
    found = caches.knees(sizes, latencies)
    assert [size / want for size, want in zip(found, (32 << 10, 1 << 20, 32 << 20), strict=True)] == [
        pytest.approx(1, rel=0.2)
    ] * 3


def test_spikes_make_no_knees() -> None:
    sizes, latencies = curve((32 << 10, 4.0), (1 << 40, 14.0))
    for k in (1, 5, 20, 30):
        latencies[k] *= 5
    assert len(caches.knees(sizes, latencies)) == 1


def test_a_flat_or_steadily_rising_curve_has_no_knees() -> None:
    sizes = caches.walk_sizes((), 1 << 26)
    assert caches.knees(sizes, [4.0] * len(sizes)) == []
    assert caches.knees(sizes, [1.3**k for k in range(len(sizes))]) == []
    assert caches.knees([], []) == []


REPORTED = (Cache(1, 48 << 10, 64, 12, 1), Cache(2, 2 << 20, 64, 16, 1), Cache(3, 300 << 20, 64, 20, 16))


def walks(*levels: tuple[float, float]) -> dict[int, float]:
    """The latency of every set on a machine whose levels end at these MiB."""
    return {
        size: next(latency for end, latency in levels if size <= end * 2**20)
        for size in caches.walk_sizes(REPORTED, 600 << 20)
    }


def test_sizes_lie_between_the_steps() -> None:
    sizes = caches.walk_sizes(REPORTED, 600 << 20)
    assert sizes == sorted(set(sizes))
    assert sizes[0] < 12 << 10
    assert sizes[-1] == 600 << 20
    for cache in REPORTED:
        below = max(size for size in sizes if size <= cache.size)
        assert below == pytest.approx(cache.size / 2**0.5, rel=0.02)
    for cache in REPORTED[:-1]:
        above = min(size for size in sizes if size >= cache.size)
        assert above == pytest.approx(cache.size * 2**0.5, rel=0.02)
    assert caches.walk_sizes(REPORTED, 1 << 20)[-1] == 1 << 20


def test_reports_keep_their_size_and_the_end_is_recorded() -> None:
    levels = caches.levels(REPORTED, walks((1 / 32, 1.7), (1.3, 5.5), (280, 38.0), (999, 115.0)))
    assert [level.size for level in levels] == [48 << 10, 2 << 20, 300 << 20]
    assert [level.reported for level in levels] == [level.size for level in levels]
    assert [level.detected for level in levels] == [24 << 10, 1 << 20, 300 << 20]


@pytest.mark.parametrize(("part", "expected"), [(25.0, 19200), (14.0, 19200), (13.0, 9600), (5.0, 4800)])
def test_a_last_level_of_which_only_a_part_is_ours(part: float, expected: int) -> None:
    levels = caches.levels(REPORTED, walks((1 / 32, 1.7), (1.3, 5.5), (part, 38.0), (999, 115.0)))
    assert levels[-1].size == levels[-1].detected == expected << 10
    assert levels[-1].reported == 300 << 20


def test_levels_that_cannot_be_told_apart_have_no_end() -> None:
    """A last level that is as slow as memory, and a walk that stops before it."""
    found = caches.levels(REPORTED, walks((1 / 32, 1.7), (1.3, 5.5), (999, 115.0)))
    assert (found[-1].size, found[-1].detected) == (300 << 20, None)
    short = {size: latency for size, latency in walks((1 / 32, 1.7), (999, 5.5)).items() if size <= 1 << 20}
    assert [level.detected for level in caches.levels(REPORTED, short)] == [24 << 10, None, None]
    assert [level.detected for level in caches.levels(REPORTED, {})] == [None, None, None]


def test_without_reports_the_knees_are_the_levels() -> None:
    sizes, latencies = curve((32 << 10, 4.0), (1 << 20, 14.0), (1 << 40, 300.0))
    found = caches.levels((), dict(zip(sizes, latencies, strict=True)))
    assert [level.name for level in found] == ["L1", "L2"]
    assert [level.size for level in found] == caches.knees(sizes, latencies)
    assert caches.levels((), {}) == ()


def test_all_cores_may_get_more_of_a_level_than_one() -> None:
    """One core ends at 16 of 300 MiB; sixteen of them are as fast with 150 MiB as with 75, and not with 300."""
    sizes = caches.together_sizes(300 << 20, 16, 2 << 20)
    assert sizes == [75 << 20, 150 << 20, 300 << 20]
    assert caches.together_sizes(300 << 20, 64, 2 << 20) == [300 << 20]
    assert caches.together_size(dict(zip(sizes, (1.0, 1.1, 1.9), strict=True)), 2.0) == 150 << 20
    assert caches.together_size(dict(zip(sizes, (1.0, 1.1, 1.2), strict=True)), 1.25) is None
    wide = Level("L3", 16 << 20, 300 << 20, 16 << 20, 64, 20, 16, together=150 << 20)
    inner = (Level("L1", 32 << 10, shared_by=1), Level("L2", 1 << 20, shared_by=1))
    assert plan.places((*inner, wide), 16, None)[2].each == 5 << 19  # what one core's part allows


def nothing() -> Visit:
    return Visit(np.empty(0))


def visited(task: Task, values: NDArray[np.float64]) -> Task:
    """The task after a visit that found these."""
    task.sample = lambda: Visit(values)
    task.run()
    return task


def found_sizes(capacity: int, part: float, threads: int, memory: int) -> tuple[Level, ...]:
    """Reads of all threads fall to the rate of memory beyond so many bytes, a walk of one beyond its part (MiB)."""
    bench = plan.Bench(kernels.variants()[0])
    known = walks((1 / 32, 1.7), (1.3, 5.5), (part, 38.0), (999, 115.0))
    curve = {size: visited(Task("curve", nothing), np.full(9, time)) for size, time in known.items()}
    together = plan.together_tasks(bench, REPORTED, threads, memory)
    for size, task in together.items():
        visited(task, np.full(20, 1.0 if size <= capacity else 3.0))
    return find._Sizes(REPORTED, curve, together).levels


def test_what_all_threads_can_use_of_a_level_is_looked_for_where_one_gets_less() -> None:
    assert found_sizes(160 << 20, 17.0, 8, 64 << 30)[-1].together == 150 << 20
    assert found_sizes(160 << 20, 280.0, 8, 64 << 30)[-1].together is None  # one has all of it
    assert found_sizes(160 << 20, 17.0, 1, 64 << 30)[-1].together is None
    assert found_sizes(160 << 20, 17.0, 8, 1 << 30)[-1].together is None  # no room for a set beyond it
    bench = plan.Bench(kernels.variants()[0])
    assert plan.together_tasks(bench, REPORTED[:2], 8, 64 << 30) == {}  # private


@pytest.mark.parametrize(
    ("core", "transfer", "both", "expected"),
    [
        (1.0, 1.0, 1.0, 1.0),
        (1.0, 1.0, 2.0, 0.0),
        (2.0, 1.0, 2.5, 0.5),
        (1.0, 2.0, 2.5, 0.5),
        (1.0, 1.0, 5.0, 0.0),
        (1.0, 1.0, 0.5, 1.0),
    ],
)
def test_overlap_is_what_does_not_show(core: float, transfer: float, both: float, expected: float) -> None:
    assert plan.hidden(*(np.array([value]) for value in (core, transfer, both))) == pytest.approx([expected])


def test_overlap_is_that_of_work_as_long_as_the_transfer() -> None:
    """Work of 2 shows half, work of 8 nothing; a copy of 4 lies in the middle, one of 16 beyond."""
    core, both = np.array([2.0, 8.0]), np.array([[5.0, 17.0], [8.0, 16.0]])
    assert plan.balanced(core, np.array([4.0, 16.0]), both) == pytest.approx([0.75, 1.0])


def test_overlap_waits_until_some_work_is_known() -> None:
    """And goes on without the work that never was measured."""
    bench = plan.Bench(kernels.variants()[-1])
    place = plan.Place("L2", 1 << 20, 1 << 20, True)
    bench.work = {terms: Task(str(terms), nothing) for terms in plan.TERMS}
    assert bench.turns(place).values.shape == (1 + len(plan.TERMS), 0)
    visited(bench.work[4], np.full(9, 4.0))
    columns = np.full((1 + len(plan.TERMS), 20), 6.0)
    columns[0] = 4.0
    assert bench.overlap([columns, columns]) == pytest.approx(0.5)
