"""The probe: its method with invented times, its rules, and one short real run that asks for no speed."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from foretell.errors import InputError
from foretell.machines import load, resolve
from foretell.machines.probe import caches, find, kernels, method, plan, probe
from foretell.machines.probe.caches import Level
from foretell.machines.probe.fill import fill, kept_pages
from foretell.machines.probe.find import Results
from foretell.machines.probe.method import (
    Chunks,
    Estimate,
    Task,
    fastest_group,
    settle,
    steady,
    together,
    undisturbed,
)
from foretell.machines.probe.system import Cache, System, look
from foretell.machines.probe.write import Draft
from tests.support.cli import run

if TYPE_CHECKING:
    from collections.abc import Callable

RNG = np.random.default_rng(5)


def noisy(value: float, count: int, noise: float = 0.003) -> Any:
    return value * (1 + noise * np.abs(RNG.standard_normal(count)))


# The method


def test_interrupted_chunks_are_dropped() -> None:
    seconds = np.concatenate([noisy(20e-6, 90), [4e-3] * 10])
    assert undisturbed(seconds).sum() == 90


def test_the_fastest_group_of_undisturbed_times_is_their_value() -> None:
    assert fastest_group(noisy(3.0, 500)) == pytest.approx(3.0, rel=0.005)


@pytest.mark.parametrize("quiet", [0.15, 0.5, 0.85])
def test_of_two_groups_the_faster_one_counts(quiet: float) -> None:
    """Another thread on the core for most of the time, or for a little of it: the same answer."""
    fast = int(1000 * quiet)
    values = np.concatenate([noisy(3.0, fast), noisy(4.2, 1000 - fast)])
    assert fastest_group(values) == pytest.approx(3.0, rel=0.01)


def test_a_few_values_that_are_too_small_do_not_count() -> None:
    values = np.concatenate([np.linspace(1.0, 2.8, 30), noisy(3.0, 970)])
    assert fastest_group(values) == pytest.approx(3.0, rel=0.01)


def test_few_and_wide_values_give_something_in_between() -> None:
    values = np.linspace(1.0, 2.0, 12)
    assert 1.0 <= fastest_group(values) <= 2.0
    assert fastest_group(np.array([7.0])) == 7.0


def chunks(starts: list[float], seconds: list[float], addition: list[float] | None = None) -> Chunks:
    return Chunks(10.0, np.array(starts), np.array(seconds), np.array(addition or []))


def test_a_clock_that_changes_between_two_chunks_is_noticed() -> None:
    period = np.array([1.0, 1.0, 1.0, 0.9, 0.9, *[0.9] * 10])
    assert steady(period).tolist() == [False, True, True, False, *[True] * 11]
    assert steady(np.array([1.0, 2.0])).all()


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


def test_costs_are_cycles_where_the_clock_was_measured() -> None:
    keep = np.array([True, False])
    assert chunks([0.0, 1.0], [20.0, 20.0]).cost(keep).tolist() == [2.0]
    assert chunks([0.0, 1.0], [20.0, 20.0], [0.5, 0.5]).cost(keep).tolist() == [4.0]


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
    return lambda: np.full(20, left.pop(0) if len(left) > 1 else left[0])


def test_tasks_run_until_they_stand_still() -> None:
    calm, moving = Task("a", sampler([5.0])), Task("b", sampler([5.0, 4.0, 3.0, 2.9, 2.9]))
    settle([calm, moving], 1000, clock=FakeClock())
    assert len(calm.rounds) == len(moving.rounds) > 4
    settle([again := Task("c", sampler([5.0]))], 1000, clock=FakeClock())
    assert len(again.rounds) == 3


def test_a_quiet_moment_late_is_not_missed() -> None:
    """One task stands still on a busy core; while another one goes on, the core falls quiet."""
    busy, moving = Task("a", sampler([6.0] * 4 + [3.0])), Task("b", sampler([float(9 - k) for k in range(8)]))
    settle([busy, moving], 1000, clock=FakeClock())
    assert busy.estimate
    assert busy.estimate.value == pytest.approx(3.0)


def test_estimates_know_their_spread() -> None:
    moving = Task("b", sampler([5.0, 4.0, 3.0, 2.9, 2.9]))
    settle([moving], 1000, clock=FakeClock())
    assert moving.estimate
    assert moving.estimate.value == pytest.approx(2.9)
    assert moving.estimate.spread > 0
    assert moving.estimate.chunks == 20 * len(moving.rounds)


def test_the_budget_ends_a_task_that_never_stands_still() -> None:
    endless = Task("a", lambda: np.full(20, 1.0 / (1 + len(endless.rounds))))
    clock = FakeClock()
    settle([endless], 50, clock=clock)
    assert clock.now <= 60


def test_every_task_runs_once_even_without_time() -> None:
    tasks = [Task(str(k), sampler([1.0])) for k in range(5)]
    settle(tasks, 0, clock=FakeClock())
    assert [len(task.rounds) for task in tasks] == [1] * 5


def test_a_task_without_samples_has_no_estimate() -> None:
    task = Task("a", lambda: np.empty(0))
    settle([task], 5, clock=FakeClock())
    assert task.estimate is None


# Caches


def curve(*levels: tuple[int, float]) -> tuple[list[int], list[float]]:
    """Latencies with a plateau up to each size; between two, half an octave of rise."""
    sizes = caches.walk_sizes(1 << 28, 4)
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
    sizes = caches.walk_sizes(1 << 26, 4)
    assert caches.knees(sizes, [4.0] * len(sizes)) == []
    assert caches.knees(sizes, [1.3**k for k in range(len(sizes))]) == []
    assert caches.knees([], []) == []


def test_reports_keep_their_size_and_the_knee_is_recorded() -> None:
    reported = (Cache(1, 48 << 10, 64, 12, 1), Cache(2, 2 << 20, 64, 16, 1))
    first, second = caches.levels(reported, [36 << 10, 1 << 20])
    assert (first.size, first.reported, first.detected) == (48 << 10, 48 << 10, 36 << 10)
    assert (second.size, second.detected) == (2 << 20, 1 << 20)


def test_a_last_level_of_which_only_a_part_is_ours() -> None:
    reported = (Cache(1, 48 << 10), Cache(2, 2 << 20), Cache(3, 300 << 20, shared_by=2))
    last = caches.levels(reported, [36 << 10, 1 << 20, 5 << 20])[-1]
    assert (last.size, last.reported, last.detected) == (5 << 20, 300 << 20, 5 << 20)
    assert caches.levels(reported, [36 << 10])[-1].size == 300 << 20


def test_without_reports_the_knees_are_the_levels() -> None:
    found = caches.levels((), [32 << 10, 1 << 20])
    assert [(level.name, level.size) for level in found] == [("L1", 32 << 10), ("L2", 1 << 20)]
    assert caches.levels((), []) == ()


# What the system says


def test_a_machine_that_says_nothing(tmp_path: Path) -> None:
    about = look(tmp_path)
    assert about.caches == ()
    assert (about.memory, about.available, about.numa_domains, about.threads_per_core) == (None,) * 4
    assert about.cpu


def write_tree(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def test_sysfs_is_read_and_nonsense_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: {3, 4}, raising=False)
    cache = "sys/devices/system/cpu/cpu3/cache"
    write_tree(
        tmp_path,
        {
            f"{cache}/index0/level": "1",
            f"{cache}/index0/type": "Data",
            f"{cache}/index0/size": "48K",
            f"{cache}/index0/ways_of_associativity": "12",
            f"{cache}/index0/coherency_line_size": "64",
            f"{cache}/index0/shared_cpu_list": "3,7-9",
            "sys/devices/system/cpu/cpu3/topology/thread_siblings_list": "3,7",
            f"{cache}/index1/level": "1",
            f"{cache}/index1/type": "Instruction",
            f"{cache}/index1/size": "32K",
            f"{cache}/index2/level": "2",
            f"{cache}/index2/type": "Unified",
            f"{cache}/index2/size": "0K",
            f"{cache}/index3/level": "3",
            f"{cache}/index3/type": "Unified",
            f"{cache}/index3/size": "1M",
            f"{cache}/index3/shared_cpu_list": "all",
            "proc/meminfo": "MemTotal: 1000 kB\nMemAvailable: 800 kB\n",
            "sys/fs/cgroup/memory.max": "512000",
            "sys/fs/cgroup/memory.current": "112000",
            "proc/cpuinfo": "CPU implementer\t: 0x41\nCPU part\t: 0xd0c\n",
            "sys/devices/system/node/node0/x": "",
            "sys/devices/system/node/node1/x": "",
        },
    )
    about = look(tmp_path)
    assert about.caches == (Cache(1, 48 << 10, 64, 12, 2), Cache(3, 1 << 20))
    assert (about.memory, about.available, about.numa_domains) == (1024000, 400000, 2)
    assert "0xd0c" in about.cpu


# From results to a file

SYSTEM = System('A "quoted" CPU\\', "x86-64", "generic", (), 8 << 30, 4 << 30, 1, 1)
LEVELS = (
    Level("L1", 32 << 10, 32 << 10, 30 << 10, 64, 8, 1),
    Level("L2", 1 << 20, 1 << 20, None, 64, 16, 1),
    Level("L3", 16 << 20, 64 << 20, 16 << 20, 64, 16, 4),
)


EXPECTED = (
    *("clock.frequency", "cores.count", "cores.processors", "cores.issue_width", "cores.simd_width"),
    *(
        "peak.processor",
        "peak.double",
        "level.L1.latency",
        "level.L2.bandwidth",
        "level.L3.core_read_bandwidth",
    ),
    *("level.L2.overlap", "memory.overlap", "memory.latency", "memory.bandwidth", "memory.copy_bandwidth"),
    *("memory.stream_bandwidth", "memory.saturating_cores", "sync.global", "pipeline.add_f64.latency"),
    *("pipeline.divide_f64.gap", "pipeline.branch_miss.latency"),
)


def _terms(place: str) -> int:
    return {"L2": 2, "L3": 4}.get(place, 8)


def results(threads: int = 4, levels: tuple[Level, ...] = LEVELS, memory: int | None = 4 << 30) -> Results:
    """Invented numbers, plausible ones."""
    places = plan.places(levels, threads, memory)
    variants = kernels.variants()
    bench = plan.Bench(variants[-1])
    tasks = plan.operation_tasks(bench, variants) + plan.memory_tasks(bench, places, threads)
    tasks += plan.machine_tasks(bench, find._peak(variants), threads)
    tasks += plan.core_work_tasks(bench, places[0], threads) if places else []
    numbers = {task.name: Estimate(1.0, 0.0, 100) for task in tasks}
    numbers |= {name: Estimate(1.0, 0.05, 100) for name in numbers if name.startswith("operation add")}
    numbers |= {name: Estimate(30.0, 0.0, 100) for name in numbers if "sqrt" in name}
    numbers["operation branch.miss"] = Estimate(9.0, 0.0, 100)
    numbers["operation mixture.width"] = Estimate(0.172, 0.0, 100)
    for position, place in enumerate(places):
        numbers[f"walk {place.name}"] = Estimate(4.0 + position if place.private else 1e-7 * position, 0, 9)
        for name in [name for name in numbers if f" {place.name} " in name]:
            one = 1e-3 * (position + 1) * (1 if place.private else 1e-8)
            numbers[name] = Estimate(one / int(name.rsplit(" ", 1)[1]), 0, 9)
    for count in (1, threads):
        numbers[f"peak {count}"] = Estimate(1e-11 / count, 0, 9)
    if threads > 1:
        numbers["barrier"] = Estimate(2e-7, 0.0, 9)
        numbers |= {"region 2": Estimate(1e-6, 0.0, 9), "llvm region 2": Estimate(1.5e-6, 0.0, 9)}
    for place in places[1:]:  # the copy is longer than the work, half of which shows
        copy = numbers[f"copy {place.name} 1"].value
        core = copy / 2 * (1 if place.private else 3e9)
        numbers |= {f"work_{k} core": Estimate(core, 0.0, 3) for k in plan.TERMS if k == _terms(place.name)}
        numbers[f"beside {place.name}"] = Estimate(1.25 * copy, 0.0, 3)
    for count in plan.PAGES:
        numbers |= {f"pages {count}": Estimate(2.0 if count <= 1536 else 22.0, 0.0, 9)}
        numbers |= {f"lines {count}": Estimate(1.0, 0.0, 9)}
    terms = {place.name: _terms(place.name) for place in places[1:]}
    return Results(SYSTEM, levels, places, variants, threads, threads, 3e9, numbers, terms, 2.5e9)


@pytest.mark.parametrize(
    ("costs", "expected"),
    [
        ({256: 0.4, 512: 0.4, 1024: 7.0, 2048: 19.0, 4096: 20.0, 8192: 21.0}, (1024, 20.0)),
        ({256: 0.4, 512: 0.4, 1024: 0.5, 2048: 0.4}, None),  # large pages: nothing to see
        ({256: 0.4, 512: 0.4, 1024: 0.5, 2048: 9.0}, (1024, 9.0)),
        ({256: 0.4, 512: 0.4, 1024: 0.5, 1536: 9.0}, None),  # still rising
        ({4096: 20.0, 8192: 21.0}, None),
    ],
)
def test_the_end_of_the_tlb(costs: dict[int, float], expected: tuple[int, float] | None) -> None:
    assert kept_pages(costs) == (None if expected is None else pytest.approx(expected))


def test_the_work_beside_a_copy_takes_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    costs = {"copy": 1.0, "work_2": 0.1, "work_8": 1.0, "work_64": 9.0}
    place = plan.Place("L2", 1 << 20, 1 << 20, True)

    def measured(self: plan.Bench, kind: str, size: int, threads: int, paired: bool) -> np.ndarray:
        return np.full(9, costs[kind] + (0.5 if kind.startswith("work") and size == place.alone else 0.0))

    monkeypatch.setattr(plan.Bench, "stream", measured)
    bench = plan.Bench(kernels.variants()[-1])
    assert not len(bench.beside(place))  # nothing is known of the work yet
    for terms in (2, 8, 64):
        bench.core_work(terms, 1 << 14)
    assert bench.beside(place).tolist() == [1.5] * 9
    assert bench.terms == {"L2": 8}


def written(found: Results, tmp_path: Path) -> Path:
    draft = find._draft(found, None, quick=False)
    fill(draft, found)
    path = tmp_path / "machine.toml"
    path.write_text(draft.toml())
    return path


def test_the_file_loads_passes_its_checks_and_has_what_models_ask_for(tmp_path: Path) -> None:
    machine, problems = resolve(written(results(), tmp_path))
    assert problems == ()
    assert machine.warnings == ()
    assert machine.kind == "cpu"
    assert machine.levels == ("L1", "L2", "L3")
    assert 'A "quoted" CPU\\' in machine.title
    for path in EXPECTED:
        assert path in machine, path
    assert {quantity.source.kind for quantity in machine.quantities.values()} == {"measured"}
    assert machine.value("level.L2.overlap") == pytest.approx(0.5)
    assert machine.value("pipeline.branch_miss.latency") == pytest.approx(16.0)
    assert machine.value("pipeline.sqrt_f64.latency") == pytest.approx(29.0)
    assert machine.value("cores.issue_width") == 6
    assert machine.value("pages.entries") == 1536
    assert machine.value("pages.walk") == pytest.approx(21.0)
    assert machine.value("level.L3.size") == 16 << 20
    assert machine["sync.global"].unit == "s"
    assert machine.value("sync.pair_launch") == pytest.approx(1e-6)
    assert machine.value("sync.pair_launch_llvm") == pytest.approx(1.5e-6)


def test_bandwidths_count_as_stream_does(tmp_path: Path) -> None:
    machine = load(written(results(), tmp_path))
    cost = 1e-3 / 3e9  # seconds for a byte of one array in L1
    assert machine.value("level.L1.core_read_bandwidth") == pytest.approx(1 / cost, rel=1e-3)
    assert machine.value("level.L1.core_copy_bandwidth") == pytest.approx(2 / cost, rel=1e-3)
    assert machine.value("level.L1.core_bandwidth") == pytest.approx(3 / cost, rel=1e-3)
    assert machine.value("level.L1.bandwidth") == pytest.approx(4 * 3 / cost, rel=1e-3)


@pytest.mark.parametrize(("write", "expected"), [(1.0, "yes"), (0.85, "yes"), (0.5, "no"), (0.7, None)])
def test_write_allocate_comes_from_stores_beside_updates(
    write: float, expected: str | None, tmp_path: Path
) -> None:
    found = results()
    update = found.numbers["update memory 1"].value
    found.numbers["write memory 1"] = Estimate(write * update, 0.0, 9)
    assert load(written(found, tmp_path)).traits.get("memory.write_allocate") == expected


def test_one_cpu(tmp_path: Path) -> None:
    machine = load(written(results(threads=1), tmp_path))
    assert "only one CPU" in machine.missing["sync.global"]
    assert machine.value("memory.bandwidth") == machine.value("memory.core_bandwidth")


def test_no_caches_and_no_memory(tmp_path: Path) -> None:
    machine = load(written(results(levels=(), memory=1 << 20), tmp_path))
    assert machine.levels == ()
    assert "less memory is free" in machine.missing["memory.bandwidth"]
    assert "pipeline.add_f64.latency" in machine


def test_threads_that_never_met_leave_numbers_out(tmp_path: Path) -> None:
    found = results()
    for name in [name for name in found.numbers if name.endswith(" 4") or name == "barrier"]:
        del found.numbers[name]
    machine = load(written(found, tmp_path))
    for path in ("level.L1.bandwidth", "memory.bandwidth", "sync.global", "peak.double"):
        assert path not in machine
        assert path in machine.missing, path


def test_cores_that_share_a_unit_are_a_named_conflict(tmp_path: Path) -> None:
    found = results()
    found.numbers["peak 4"] = Estimate(1e-11 / 2, 0, 9)
    machine, problems = resolve(written(found, tmp_path))
    assert problems == ()
    assert "2.00 times one" in machine.warnings[0]


@pytest.mark.parametrize(
    ("siblings", "use", "ratio", "expected"), [(1, 1, 2, 2), (2, 1, 2, 1), (1, 0.5, 1.25, 2)]
)
def test_cores_that_are_shared_in_secret_show_in_the_slowest_thread(
    tmp_path: Path, siblings: int, use: float, ratio: float, expected: float
) -> None:
    """Threads that use a unit half of their time meet there a quarter of it."""
    found = replace(results(), system=replace(SYSTEM, threads_per_core=siblings))
    alone = plan.SHARING_TERMS / plan.usual(found.variants).bytes / use
    found.numbers[f"work_{plan.SHARING_TERMS} core"] = Estimate(alone, 0, 9)
    found.numbers["slowest thread"] = Estimate(ratio * alone, 0, 9)
    machine = load(written(found, tmp_path))
    assert machine.value("cores.sharing") == expected
    assert machine.value("clock.together") == 2.5e9


def test_the_slowest_thread_is_found_through_the_noise() -> None:
    chance = np.random.default_rng(5)
    costs = [level * (1 + 0.3 * chance.random(2400)) for level in (1.0, 1.0, 2.0, 1.0)]
    assert plan._slowest(costs) == pytest.approx(np.full(100, 2.3), rel=0.1)
    assert len(plan._slowest([])) == 0


def test_all_cores_may_get_more_of_a_level_than_one() -> None:
    """One core ends at 16 of 300 MiB; sixteen of them are as fast with 150 MiB as with 75, and not with 300."""
    level = Level("L3", 16 << 20, 300 << 20, 16 << 20, 64, 20, 16)
    sizes = caches.together_sizes(level, 16, 2 << 20)
    assert sizes == [75 << 20, 150 << 20, 300 << 20]
    assert caches.together_size(dict(zip(sizes, (1.0, 1.1, 1.9), strict=True)), 2.0) == 150 << 20
    assert caches.together_size(dict(zip(sizes, (1.0, 1.1, 1.2), strict=True)), 1.25) is None
    assert caches.together_sizes(LEVELS[1], 16, 1 << 15) == []
    wide = replace(level, together=150 << 20)
    assert plan.places((*LEVELS[:2], wide), 16, None)[2].each == 3 << 20  # what one core's part allows


class FakeStreams:
    """Reads that fall to the rate of memory beyond so many bytes of all threads."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity

    def stream(self, kind: str, size: int, threads: int, paired: bool) -> Any:
        assert (kind, paired) == ("read", False)
        return np.full(20, 1.0 if size * threads <= self.capacity else 3.0)


def test_what_all_threads_can_use_of_a_level_is_looked_for_where_one_gets_less() -> None:
    levels = (*LEVELS[:2], Level("L3", 16 << 20, 256 << 20, 16 << 20, 64, 16, 8))
    bench: Any = FakeStreams(130 << 20)
    assert find._together(bench, levels, 8, 64 << 30)[-1].together == 128 << 20
    assert find._together(bench, levels, 1, 64 << 30) == levels
    assert find._together(bench, levels, 8, 1 << 30) == levels  # no room for a set beyond it
    assert find._together(bench, LEVELS[:2], 8, 64 << 30) == LEVELS[:2]


def test_a_level_that_is_no_faster_than_memory_has_no_latency(tmp_path: Path) -> None:
    found = results()
    found.numbers["walk L3"] = found.numbers["walk memory"]
    machine = load(written(found, tmp_path))
    assert "level.L3.latency" in machine.missing
    assert "memory.latency" in machine


def test_the_cores_of_simultaneous_threads_are_counted_once(tmp_path: Path) -> None:
    found = replace(results(), system=replace(SYSTEM, threads_per_core=2))
    found.numbers["peak 4"] = Estimate(1e-11 / 2, 0, 9)
    machine = load(written(found, tmp_path))
    assert machine.value("cores.count") == 2


def test_places_lie_between_the_levels() -> None:
    where = plan.places(LEVELS, 4, 4 << 30)
    sizes = [place.alone for place in where]
    assert [place.name for place in where] == ["L1", "L2", "L3", "memory"]
    assert sizes[0] < LEVELS[0].size < sizes[1] < LEVELS[1].size < sizes[2] < LEVELS[2].size < sizes[3]
    assert sizes[3] == 128 << 20  # twice what is reported, also where less was detected
    assert plan.places(LEVELS, 4, None)[-1].name == "L3"


def test_a_shared_level_must_have_room_for_all_threads(tmp_path: Path) -> None:
    """16 MiB for 4 cores with 1 MiB inside; then 2 MiB for 4."""
    assert plan.places(LEVELS, 4, None)[2].each == 3 << 20
    small = (*LEVELS[:2], replace(LEVELS[2], size=2 << 20))
    assert plan.places(small, 4, None)[2].each == 0
    machine = load(written(results(levels=small), tmp_path))
    assert "share of this level" in machine.missing["level.L3.bandwidth"]
    assert "level.L3.core_bandwidth" in machine


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
    assert plan.hidden(core, transfer, both) == pytest.approx(expected)


def test_texts_are_quoted() -> None:
    draft = Draft('a"b\\c\n', "t")
    assert draft.toml().splitlines()[0] == 'name = "a\\"b\\\\c\\n"'


# The real thing, in a second or two


def test_operations_have_times_and_order() -> None:
    bench = plan.Bench(kernels.variants()[0])
    add, divide = (np.median(bench.operation("base", f"{name}_f64.latency")) for name in ("add", "divide"))
    assert 0.5 < add < divide


def test_streams_walks_and_barriers_give_chunks() -> None:
    name = kernels.variants()[-1].name
    for kind in kernels.variants()[-1].streams:
        (run_,) = kernels.stream(name, kind, 32 << 10, 1, 0.002, paired=True)
        assert len(run_.seconds) == len(run_.addition) > 0
        assert run_.amount > 0
    small, large = (kernels.chase(size, 64, 0.005, paired=False) for size in (8 << 10, 32 << 20))
    assert np.median(small.seconds / small.amount) < np.median(large.seconds / large.amount)
    runs = kernels.barrier(2, 0.01)
    assert [len(each.seconds) for each in runs] == [len(runs[0].seconds)] * 2
    assert np.all(np.diff(runs[0].start) > 0)


@pytest.mark.parametrize("llvm", [False, True])
def test_regions_of_either_runtime_give_chunks(llvm: bool) -> None:
    """A runtime that is not installed gives none; one that is takes longer than the work of a region."""
    for run_ in kernels.regions(2, 0.01, llvm):
        assert run_.amount >= 1
        assert np.median(run_.seconds / run_.amount) > 2e-8


def test_a_short_probe_gives_a_file_that_loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "_QUICK_SECONDS", 1.0)
    monkeypatch.setattr(plan, "LARGEST", 8 << 20)
    monkeypatch.setattr(plan, "_OPERATION_CHUNKS", 16)
    path = tmp_path / "here.toml"
    seen: list[float] = []
    path.write_text(probe(quick=True, name="here", progress=lambda what, share: seen.append(share)))
    machine, problems = resolve(path)
    assert problems == ()
    assert machine.name == "here"
    assert machine.value("clock.frequency") > 1e8
    assert seen
    assert all(0 <= share <= 1 for share in seen)
    assert run("machines", "check", str(path)).code == 0


def test_wrong_arguments_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="CPUs"):
        probe(threads=100_000)
    assert run("machines", "probe", "--threads", "100000").code == 3
    assert run("machines", "probe", "--output", str(tmp_path / "none" / "a.toml")).code == 3
    assert run("machines", "probe", "--threads", "0").code == 2


def test_the_command_writes_where_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foretell.machines.probe.probe", lambda **options: 'name = "x"\n')
    target = tmp_path / "x.toml"
    assert run("machines", "probe", "--quick", "--output", str(target)).code == 0
    assert target.read_text() == 'name = "x"\n'
    assert run("machines", "probe", "--quick").out == 'name = "x"\n'
    assert run("machines", "probe", "--output", str(tmp_path)).code == 3


def test_method_constants_are_those_of_the_documentation() -> None:
    text = (Path(__file__).parents[2] / "docs/explanation/how-the-probe-measures.md").read_text()
    assert f"more than {method.PREEMPTED:g} times the median" in text
