"""Where levels end, and which sets lie in them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest

from foretell.machines.probe import caches, kernels, plan, whole_probe
from foretell.machines.probe.caches import Level
from foretell.machines.probe.method import Chunks, Sample, Task
from foretell.machines.probe.system import Cache

if TYPE_CHECKING:
    from numpy.typing import NDArray


def curve(*levels: tuple[int, float]) -> tuple[list[int], list[float]]:
    """Latencies with a plateau up to each size; between two, half an octave of rise."""
    sizes = caches.chase_sizes((), 1 << 28)
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
    sizes = caches.chase_sizes((), 1 << 26)
    assert caches.knees(sizes, [4.0] * len(sizes)) == []
    assert caches.knees(sizes, [1.3**k for k in range(len(sizes))]) == []
    assert caches.knees([], []) == []


REPORTED = (Cache(1, 48 << 10, 64, 12, 1), Cache(2, 2 << 20, 64, 16, 1), Cache(3, 300 << 20, 64, 20, 16))


def walks(*levels: tuple[float, float]) -> dict[int, float]:
    """The latency of every set on a machine whose levels end at these MiB."""
    return {
        size: next(latency for end, latency in levels if size <= end * 2**20)
        for size in caches.chase_sizes(REPORTED, 600 << 20)
    }


QUIET = ((1 / 32, 1.7), (1.3, 5.5), (999.0, 38.0))


def reads(part: float, threads: int = 1, inside: float = 1.0, outside: float = 2.0) -> dict[int, float]:
    """The cost of every set where so many MiB of the last level are ours, and nothing that is larger stays."""
    return {size: inside if size <= part * 2**20 else outside for size in caches.read_sizes(REPORTED, threads)}


def last_level(reading: dict[int, float], together: dict[int, float] | None = None) -> Level:
    ends = (caches.read_end(known) for known in (reading, together or {}))
    return caches.levels(REPORTED, walks(*QUIET), *ends)[-1]


def test_walks_are_on_both_sides_of_private_levels() -> None:
    sizes = caches.chase_sizes(REPORTED, 600 << 20)
    assert sizes == sorted(set(sizes))
    assert sizes[0] < 16 << 10
    assert sizes[-1] == 3 << 20  # in the last level, and not far: others push out what is used seldom
    for cache in REPORTED[:-1]:
        below = max(size for size in sizes if size <= cache.size)
        above = min(size for size in sizes if size >= cache.size)
        assert below == pytest.approx(cache.size / 2**0.5, rel=0.02)
        assert above == pytest.approx(cache.size * 2**0.5, rel=0.07)
    assert caches.chase_sizes(REPORTED, 1 << 20)[-1] == 1 << 20
    assert caches.chase_sizes(REPORTED[:1], 64 << 20)[-1] == 64 << 20


def test_reads_are_of_sets_that_lie_in_the_last_level_and_of_one_that_does_not() -> None:
    one = caches.read_sizes(REPORTED, 1)
    assert one[:2] == [600 << 20, 300 << 20]  # the largest first: what is kept for it serves all
    assert 4 << 20 <= one[-1] < 6 << 20
    assert [size >> 20 for size in caches.read_sizes(REPORTED, 16)] == [600, 300, 212, 150, 106, 75]
    assert caches.read_sizes(REPORTED, 128) == []  # a thread's share is hardly more than the level inside it
    assert caches.read_sizes(REPORTED[:1], 1) == []


def test_reports_keep_their_size_and_the_end_is_recorded() -> None:
    levels = caches.levels(REPORTED, walks(*QUIET), caches.read_end(reads(999)), None)
    assert [level.size for level in levels] == [48 << 10, 2 << 20, 300 << 20]
    assert all(level.reported for level in levels)
    ends = [level.detected or 0 for level in levels[:2]]
    assert [end / want for end, want in zip(ends, (32 << 10, 1.3 * 2**20), strict=True)] == [
        pytest.approx(1, rel=0.45)
    ] * 2
    assert levels[2].detected is None  # it holds even the largest set: nothing is seen of its end


@pytest.mark.parametrize("part", [6.0, 9.7, 25.0, 90.0, 200.0])
def test_a_last_level_of_which_only_a_part_is_ours(part: float) -> None:
    """A step lies somewhere between two sets, half an octave apart."""
    found = last_level(reads(part))
    assert found.size == 300 << 20
    assert (found.detected or 0) / 2**20 == pytest.approx(part, rel=0.2)
    assert found.available == pytest.approx((found.detected or 0) / found.size)


@pytest.mark.parametrize("part", np.geomspace(10, 120, 13))
def test_where_a_level_ends_is_no_step_of_a_ladder(part: float) -> None:
    """A rise over two octaves, as far below the part that is ours as beyond it: its middle is found, within 2 %,
    wherever the sets lie."""
    known = {
        size: 2.0 ** float(np.clip(np.log2(size / (part * 2**20)) / 2 + 0.5, 0, 1))
        for size in caches.read_sizes(REPORTED, 1)
    }
    assert (last_level(known).detected or 0) / 2**20 == pytest.approx(part, rel=0.02)


def test_no_single_set_decides_where_a_level_ends() -> None:
    """Between the ends of the way: of one that was read a tenth too slowly, or too fast, a tenth shows in the size."""
    rise = {size: 2.0 ** float(np.clip(np.log2(size / 2**25) / 2 + 0.5, 0, 1)) for size in reads(1)}
    for size in sorted(rise)[1:-1]:
        for error in (0.95, 1.1):
            off = (last_level(rise | {size: error * rise[size]}).available or 0) / (last_level(rise).available or 0)
            assert off == pytest.approx(1, rel=0.12), size


def test_levels_that_cannot_be_told_apart_have_no_end() -> None:
    """A last level that is as slow as memory, sets for which there is no room, and a walk that stops before them."""
    for known in (reads(30, outside=1.2), {}):
        found = last_level(known)
        assert (found.size, found.detected, found.available, found.available_all) == (300 << 20, None, None, None)
    short = {size: latency for size, latency in walks((1 / 32, 1.7), (999, 5.5)).items() if size <= 1 << 20}
    levels = caches.levels(REPORTED, short, None, None)
    assert 16 << 10 < (levels[0].detected or 0) < 48 << 10
    assert [level.detected for level in levels[1:]] == [None, None]
    assert [level.detected for level in caches.levels(REPORTED, {}, None, None)] == [None, None, None]


def test_a_level_that_is_the_only_one_ends_where_walks_become_slower() -> None:
    only = REPORTED[1:2]
    known = {size: 5.5 if size <= 1.5 * 2**20 else 90.0 for size in caches.chase_sizes(only, 64 << 20)}
    (found,) = caches.levels(only, known, None, None)
    assert found.size == 2 << 20
    assert (found.detected or 0) / 2**20 == pytest.approx(1.5, rel=0.45)
    assert found.available is None


def test_without_reports_the_knees_are_the_levels() -> None:
    sizes, latencies = curve((32 << 10, 4.0), (1 << 20, 14.0), (1 << 40, 300.0))
    found = caches.levels((), dict(zip(sizes, latencies, strict=True)), None, None)
    assert [level.name for level in found] == ["L1", "L2"]
    assert [level.size for level in found] == caches.knees(sizes, latencies)
    assert caches.levels((), {}, None, None) == ()


def test_all_cores_may_get_more_of_a_level_than_one() -> None:
    """One core ends at 16 of 300 MiB; sixteen of them at 160, or at no less than there is."""
    found = last_level(reads(16), reads(160, 16))
    assert found.available == pytest.approx(16 / 300, rel=0.2)
    assert found.available_all == pytest.approx(160 / 300, rel=0.2)
    assert last_level(reads(16), reads(400, 16)).available_all == 1
    assert last_level(reads(999), reads(160, 16)).available_all is None  # one has all of it
    assert last_level(reads(160), reads(90, 16)).available_all is None  # or more than all of them
    wide = Level("L3", 300 << 20, True, 16 << 20, 64, 20, 16, by_reads=True, together=150 << 20)
    inner = (Level("L1", 32 << 10, shared_by=1), Level("L2", 1 << 20, shared_by=1))
    assert plan.tiers((*inner, wide), 16, None)[2].each == 5 << 19  # what one core's part allows


def nothing() -> Sample:
    return Sample(np.empty(0))


def visited(task: Task, values: NDArray[np.float64]) -> Task:
    """The task after a visit that found these."""
    task.measure = lambda: Sample(values)
    task.run()
    return task


def test_reads_that_there_is_no_room_for_are_left_out() -> None:
    bench = plan.Bench(kernels.variants()[0])
    assert plan.read_task(bench, REPORTED, 8, 64 << 30)
    assert plan.read_task(bench, REPORTED, 8, 1 << 30) is None
    assert plan.read_task(bench, REPORTED[:1], 8, 64 << 30) is None


def sweep(known: dict[int, float], slower: float = 1.0, lacking: int = 0) -> NDArray[np.float64]:
    """Costs of sets, the largest first; of the smallest ones there may be none."""
    costs = [slower * known[size] for size in sorted(known, reverse=True)]
    return np.array([[cost if k < len(costs) - lacking else np.nan] for k, cost in enumerate(costs)])


def reading(threads: int, *sweeps: NDArray[np.float64]) -> Task:
    """The task of reads after these sweeps."""
    task = plan.read_task(plan.Bench(kernels.variants()[0]), REPORTED, threads, 64 << 30)
    assert task
    for values in sweeps:
        visited(task, values)
    return task


def test_sizes_come_from_walks_and_reads() -> None:
    """As found by the tasks, not all of which need have been visited."""
    latencies = {size: visited(Task("a", nothing), np.full(9, cost)) for size, cost in walks(*QUIET).items()}
    latencies[9 << 10] = Task("never", nothing)
    one, all_ = reading(1, sweep(reads(16))), reading(16, sweep(reads(160, 16)))
    sizes = whole_probe._Sizes(REPORTED, latencies, one, all_)
    assert sizes.levels[-1] == last_level(reads(16), reads(160, 16))
    assert len(sizes.tasks) == len(latencies) + 2
    for unknown in (None, reading(1)):
        assert whole_probe._Sizes(REPORTED, latencies, unknown, None).levels[-1].detected is None


def test_of_sweeps_one_in_ten_counts_set_by_set() -> None:
    """Some have fewer sets, because the threads never met there; others find less of the level."""
    less, more = sweep(reads(30)), sweep(reads(100))
    found = reading(1, *[less] * 9, *[more] * 3).estimate
    assert found
    assert found.value == caches.read_end(reads(100))
    assert not found.converged  # the first half of them saw less
    lacking = reading(1, *[sweep(reads(30), lacking=2)] * 4).estimate
    assert lacking
    assert lacking.value == pytest.approx(float(caches.read_end(reads(30)) or 0))
    none = reading(1, *[sweep(reads(30, outside=1.1))] * 4).estimate
    assert none
    assert none.value == 0


def test_a_sweep_reads_the_largest_set_first_and_gives_a_row_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets on which the threads did not meet are not a number, and get more time the next time."""
    asked: list[tuple[int, float, bool]] = []

    def stream(variant: str, kind: str, size: int, threads: int, seconds: float, **how: bool) -> list[Chunks]:
        asked.append((size, seconds, how["through"]))
        assert how["from_kept"]
        count = 0 if size == 2 << 20 else 200
        runs = 1e-5 * np.arange(count)
        return [Chunks(1.0, runs, np.full(count, 1e-5), np.empty(0), 1.0 + k) for k in range(threads)]

    monkeypatch.setattr(kernels, "stream", stream)
    bench = plan.Bench(kernels.variants()[0])
    found = [bench.sweep([16 << 20, 4 << 20, 8 << 20], 2) for _ in range(2)]
    assert [size for size, _, _ in asked] == [8 << 20, 2 << 20, 4 << 20] * 2
    assert [through for _, _, through in asked] == [True, False, False] * 2
    assert asked[4][1] == 2 * asked[1][1]
    assert found[0].values.shape == (3, 1)
    assert found[0].values[[0, 2], 0] == pytest.approx([5e-6, 5e-6])
    assert np.isnan(found[0].values[1, 0])
    assert found[0].interference == 2.0


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
    assert plan.hidden_share(np.array([core]), transfer, np.array([both])) == pytest.approx(expected)


def test_overlap_is_that_of_work_as_long_as_the_transfer() -> None:
    """Work of 2 shows half, work of 8 nothing; a copy of 4 lies in the middle, one of 16 beyond."""
    core, both = np.array([2.0, 8.0]), np.array([[5.0, 17.0], [8.0, 16.0]])
    assert plan.hidden_share(core, 4.0, both[:, 0]) == pytest.approx(0.75)
    assert plan.hidden_share(core, 16.0, both[:, 1]) == pytest.approx(1.0)


def test_overlap_waits_until_some_work_is_known() -> None:
    """And goes on without the work that never was measured."""
    bench = plan.Bench(kernels.variants()[-1])
    tier = plan.Tier("L2", 1 << 20, 1 << 20, True)
    bench.work = {terms: Task(str(terms), nothing) for terms in plan.TERMS}
    assert bench.turns(tier).values.shape == (1 + len(plan.TERMS), 0)
    visited(bench.work[4], np.full(9, 4.0))
    columns = np.full((1 + len(plan.TERMS), 20), 6.0)
    columns[0] = 4.0
    assert bench.overlap([columns, columns]) == pytest.approx(0.5)
