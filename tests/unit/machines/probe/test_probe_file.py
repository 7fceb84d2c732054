"""From the results of a probe to a machine file, with invented numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from foretell.core.machine.machine import diff
from foretell.machines import load, resolve
from foretell.machines.probe import kernels, plan, whole_probe
from foretell.machines.probe.caches import Level
from foretell.machines.probe.fill import Results, fill, first_miss, kept_pages, say_doubts
from foretell.machines.probe.method import Estimate
from foretell.machines.probe.system import System
from foretell.machines.probe.write import Draft

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.machine.machine import Machine

SYSTEM = System('A "quoted" CPU\\', "x86-64", "generic", (), 8 << 30, 4 << 30, 1, 1)
LEVELS = (
    Level("L1", 32 << 10, True, 30 << 10, 64, 8, 1),
    Level("L2", 1 << 20, True, None, 64, 16, 1),
    Level("L3", 64 << 20, True, 16 << 20, 64, 16, 4, by_reads=True),
)


EXPECTED = (
    *("clock.frequency", "cores.count", "cores.processors", "cores.issue_width", "cores.simd_width"),
    *("peak.processor", "peak.double", "level.L1.latency", "level.L2.bandwidth", "level.L3.core_read_bandwidth"),
    *("level.L2.overlap", "memory.overlap", "memory.latency", "memory.bandwidth", "memory.copy_bandwidth"),
    *("memory.nontemporal_bandwidth", "memory.saturating_cores", "sync.global", "pipeline.add_f64.latency"),
    *("pipeline.divide_f64.gap", "pipeline.branch_miss.latency"),
)


def results(threads: int = 4, levels: tuple[Level, ...] = LEVELS, memory: int | None = 4 << 30) -> Results:
    """Invented numbers, plausible ones."""
    tiers = plan.tiers(levels, threads, memory)
    variants = kernels.variants()
    bench = plan.Bench(variants[-1])
    tasks = plan.all_tasks(bench, variants, tiers, threads, 4096)
    numbers = {task.name: Estimate(1.0, 0.0, 100) for task in tasks}
    numbers |= {name: Estimate(1.0, 0.05, 7) for name in numbers if name.startswith("operation add")}
    numbers |= {name: Estimate(30.0, 0.0, 100) for name in numbers if "sqrt" in name}
    numbers["operation branch.miss"] = Estimate(9.0, 0.0, 100)
    numbers["operation mixture.width"] = Estimate(0.172, 0.0, 100)
    for position, tier in enumerate(tiers):
        numbers[f"walk {tier.name}"] = Estimate(4.0 + position if tier.private else 1e-7 * position, 0, 9)
        for name in [name for name in numbers if f" {tier.name} " in name]:
            one = 1e-3 * (position + 1) * (1 if tier.private else 1e-8)
            numbers[name] = Estimate(one / int(name.rsplit(" ", 1)[1]), 0, 9)
    for count in (1, threads):
        numbers[f"peak {count}"] = Estimate(1 / 3e9 / count, 0, 9)
    if threads > 1:
        numbers["barrier"] = Estimate(2e-7, 0.0, 9)
        numbers |= {"region 2": Estimate(1e-6, 0.0, 9), "llvm region 2": Estimate(1.5e-6, 0.0, 9)}
    numbers |= {f"overlap {tier.name}": Estimate(0.5, 0.0, 3) for tier in tiers[1:]}
    for count in plan.PAGES:
        numbers |= {f"pages {count}": Estimate(2.0 if count <= 1536 else 22.0, 0.0, 9)}
        numbers |= {f"lines {count}": Estimate(1.0, 0.0, 9)}
    lowered = {32: 2.7e9, 64: 2.4e9}
    return Results(SYSTEM, levels, tiers, variants, threads, threads, 3e9, numbers, 3.2e9, 2.5e9, lowered, 0.2)


@pytest.mark.parametrize(
    ("costs", "expected"),
    [
        ({256: 0.4, 512: 0.4, 1024: 7.0, 2048: 19.0, 4096: 20.0, 8192: 21.0}, (1024, 19.0)),
        ({256: 0.4, 512: 0.4, 1024: 0.5, 2048: 0.4}, None),  # large pages: nothing to see
        ({256: 0.4, 512: 0.4, 1024: 0.5, 2048: 9.0}, (1024, 9.0)),
        ({256: 0.4, 512: 0.4, 1024: 0.5, 1536: 9.0}, None),  # still rising
        ({4096: 20.0, 8192: 21.0}, None),
    ],
)
def test_the_end_of_the_tlb(costs: dict[int, float], expected: tuple[int, float] | None) -> None:
    assert kept_pages(costs) == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize(
    ("costs", "expected"),
    [
        (
            {256: 0.4, 512: 0.5, 768: 0.6, 1024: 7.0, 2048: 19.0},
            0.5,
        ),  # 1536 entries: what is nearly full does not count
        ({1024: 7.0, 2048: 19.0}, None),
        ({256: 0.0, 512: 0.0, 2048: 19.0}, None),  # hidden altogether, or large pages
    ],
)
def test_the_first_level_of_the_tlb(costs: dict[int, float], expected: float | None) -> None:
    assert first_miss(costs, 1536) == expected


def written(found: Results, tmp_path: Path) -> Path:
    draft = whole_probe._draft(found, None, quick=False)
    fill(draft, found)
    say_doubts(draft)
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
    assert "level.L2.core_two_stream_write_bandwidth" in machine
    assert "level.L1.core_two_stream_write_bandwidth" not in machine  # no line to wait for
    assert machine.value("clock.vector_32") == 2.7e9
    assert machine.value("clock.vector_64") == 2.4e9
    assert machine.value("tlb.entries") == 1536
    assert machine.value("tlb.walk") == pytest.approx(21.0)
    assert machine.value("tlb.first_miss") == pytest.approx(1.0)
    assert machine.value("level.L3.size") == 64 << 20
    assert machine["sync.global"].unit == "s"
    assert machine.value("sync.pair_launch") == pytest.approx(1e-6)
    assert machine.value("sync.pair_launch_llvm") == pytest.approx(1.5e-6)


def test_numbers_whose_visits_differ_say_so(tmp_path: Path) -> None:
    path = written(results(), tmp_path)
    text, machine = path.read_text(), load(path)
    assert "# did not converge: 5 % apart in two halves of 7 samples" in text
    assert "measured numbers are in doubt" in text.splitlines()[3]
    assert "disturbed all the while" not in text
    assert "did not agree" in machine["pipeline.add_f64.gap"].source.reference
    assert "did not agree" not in machine["pipeline.multiply_f64.gap"].source.reference


def test_a_machine_that_was_never_left_alone_is_called_so(tmp_path: Path) -> None:
    found = results()
    for name, number in found.numbers.items():
        found.numbers[name] = replace(number, spread=0.4, samples=9)
    text = written(found, tmp_path).read_text()
    assert "The machine was disturbed all the while" in text
    assert "one core; did not converge: 40 % apart in two halves of 9 samples" in text  # beside what the number is
    assert load(tmp_path / "machine.toml").value("memory.latency") > 0
    converged = replace(found, numbers={name: replace(number, spread=0.0) for name, number in found.numbers.items()})
    assert "did not converge" not in written(converged, tmp_path).read_text()


def test_bandwidths_count_as_stream_does(tmp_path: Path) -> None:
    machine = load(written(results(), tmp_path))
    cost = 1e-3  # cycles for a byte of one array in L1, which follows the clock
    assert machine["level.L1.core_read_bandwidth"].unit == machine["level.L2.bandwidth"].unit == "B/cycle"
    assert machine["level.L3.core_read_bandwidth"].unit == machine["memory.bandwidth"].unit == "B/s"
    assert machine.value("level.L1.core_read_bandwidth") == pytest.approx(1 / cost, rel=1e-3)
    assert machine.value("level.L1.core_copy_bandwidth") == pytest.approx(2 / cost, rel=1e-3)
    assert machine.value("level.L1.core_bandwidth") == pytest.approx(3 / cost, rel=1e-3)
    assert machine.value("level.L1.bandwidth") == pytest.approx(4 * 3 / cost, rel=1e-3)


@pytest.mark.parametrize(("write", "expected"), [(1.0, "yes"), (0.85, "yes"), (0.5, "no"), (0.7, None)])
def test_write_allocate_comes_from_stores_beside_updates(write: float, expected: str | None, tmp_path: Path) -> None:
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


def peaks(found: Results, one: float, all_: float) -> Results:
    """With these rates of the widest operation, in those of one core at its clock."""
    lanes = found.variants[-1].bytes // 8
    name = next(name for op in ("fma", "add") if (name := f"operation {op}_f64x{lanes}.gap") in found.numbers)
    found.numbers[name] = Estimate(0.5, 0, 9)
    cycle = 0.5 / found.frequency
    found.numbers.update({"peak 1": Estimate(cycle / one, 0, 9), "peak 4": Estimate(cycle / all_, 0, 9)})
    return found


def test_cores_that_share_a_unit_are_a_named_conflict(tmp_path: Path) -> None:
    machine, problems = resolve(written(peaks(results(), 1.0, 2.0), tmp_path))
    assert problems == ()
    assert "2.00 times one" in machine.warnings[0]
    assert machine.value("peak.double") == pytest.approx(2 * machine.value("peak.core"), rel=1e-3)


@pytest.mark.parametrize(("one", "all_", "warnings"), [(1.0, 3.98, 0), (0.99, 3.96, 0), (0.8, 3.2, 2)])
def test_peaks_are_what_was_reached_in_a_second(one: float, all_: float, warnings: int, tmp_path: Path) -> None:
    """Wide vectors may have a lower clock; then the file says why peaks are not the products of their factors."""
    machine, problems = resolve(written(peaks(results(), one, all_), tmp_path))
    assert problems == ()
    assert len(machine.warnings) == warnings
    rate = machine.value("cores.flops_per_cycle") * machine.value("clock.frequency")
    assert machine.value("peak.core") == pytest.approx(one * rate, rel=1e-3)
    assert machine.value("peak.double") == pytest.approx(all_ * rate, rel=1e-3)


def test_no_machine_is_faster_than_its_cores(tmp_path: Path) -> None:
    """The one thread was disturbed all the while: alone, each of four reaches at least what it does beside others."""
    machine = load(written(peaks(results(), 0.9, 4.0), tmp_path))
    rate = machine.value("cores.flops_per_cycle") * machine.value("clock.frequency")
    assert machine.value("peak.core") == pytest.approx(rate, rel=1e-3)
    assert machine.value("peak.double") == pytest.approx(4 * rate, rel=1e-3)


@pytest.mark.parametrize(("siblings", "use", "ratio", "expected"), [(1, 1, 2, 2), (2, 1, 2, 1), (1, 0.5, 1.25, 2)])
def test_cores_that_are_shared_in_secret_show_in_the_slowest_thread(
    tmp_path: Path, siblings: int, use: float, ratio: float, expected: float
) -> None:
    """Threads that use a unit half of their time meet there a quarter of it."""
    found = replace(results(), system=replace(SYSTEM, threads_per_core=siblings))
    alone = plan.SHARING_TERMS / plan.usual(found.variants).bytes / use
    found.numbers[f"work_{plan.SHARING_TERMS} core"] = Estimate(alone, 0, 9)
    found.numbers["slowest thread"] = Estimate(ratio * alone, 0, 9)
    machine = load(written(found, tmp_path))
    assert machine.value("cores.hidden_smt") == expected
    assert machine.value("cores.corunners") == pytest.approx(0.2)
    assert machine.value("clock.all_cores") == 2.5e9


@pytest.mark.parametrize(
    ("cpu", "expected"),
    [("sapphirerapids", 2), ("emeraldrapids", 2), ("cascadelake", 2), ("skylake-avx512", 2), ("unheard-of", 5)],
)
def test_no_core_has_more_threads_than_it_is_made_for(tmp_path: Path, cpu: str, expected: float) -> None:
    found = replace(results(), system=replace(SYSTEM, threads_per_core=1, target=cpu), corunners=4.0)
    alone = plan.SHARING_TERMS / plan.usual(found.variants).bytes
    found.numbers[f"work_{plan.SHARING_TERMS} core"] = Estimate(alone, 0, 9)
    found.numbers["slowest thread"] = Estimate(5 * alone, 0, 9)
    machine = load(written(found, tmp_path))
    assert machine.value("cores.hidden_smt") == expected
    assert machine.value("cores.corunners") == expected - 1


@pytest.mark.parametrize("cpu", ["cascadelake", "skylake-avx512", "cooperlake"])
def test_a_probe_takes_what_it_does_not_measure_from_the_same_core(tmp_path: Path, cpu: str) -> None:
    """Ports, unmeasured classes and sizes of buffers; what was measured stays."""
    found = replace(results(), system=replace(SYSTEM, target=cpu))
    machine, shipped = load(written(found, tmp_path)), load("cascade-lake")
    assert machine.traits["pipeline.store_indexed_f64.ports"] == "p4 + p2 p3"
    assert machine.value("cores.load_buffer") == 72
    assert machine.value("cores.scheduler") == shipped.value("cores.scheduler")
    assert machine.value("pipeline.permute_f64x4.latency") == 3
    assert "cascade-lake" in machine["pipeline.permute_f64x4.latency"].source.reference
    assert machine.value("pipeline.multiply_f64.gap") == 1.0 != shipped.value("pipeline.multiply_f64.gap")


@pytest.mark.parametrize("cpu", ["graniterapids", "graniterapids-d"])
def test_a_core_of_which_little_is_known_takes_the_rest_from_the_one_before(tmp_path: Path, cpu: str) -> None:
    machine = load(written(replace(results(), system=replace(SYSTEM, target=cpu)), tmp_path))
    shipped = load("sapphire-rapids")
    for path in ("pipeline.lea_i64.latency", "cores.scheduler", "cores.branch_memory", "cores.fetch_line"):
        assert machine.value(path) == shipped.value(path)
    assert machine.traits["cores.memory_words"] == "renamed"


def test_a_probe_takes_the_core_itself_before_one_that_runs_its_code(tmp_path: Path) -> None:
    """A graviton3 runs code for a Neoverse N1, but is wider."""
    machine = load(written(replace(results(), system=replace(SYSTEM, target="neoverse-n1")), tmp_path))
    shipped, wider = load("neoverse-n1"), load("graviton3")
    assert machine.value("cores.issue_width") == shipped.value("cores.issue_width") < wider.value("cores.issue_width")
    assert "neoverse-n1" in machine["cores.issue_width"].source.reference
    assert machine.value("pipeline.interleaved.uops") == 4


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


def with_last(**changes: int | None) -> Results:
    """The same with other ends of the last level."""
    return results(levels=(*LEVELS[:2], replace(LEVELS[2], **changes)))


def ends(machine: Machine) -> dict[str, float]:
    """What a file says of how much levels hold."""
    names = ("size", "available", "available_all", "detected_size", "reported_size", "together_size")
    paths = (f"{level}.{name}" for level in machine.levels for name in names)
    return {path: machine.value(f"level.{path}") for path in paths if f"level.{path}" in machine}


def test_what_others_leave_of_the_last_level_is_a_part_of_it(tmp_path: Path) -> None:
    """Its size is the reported one whatever they leave, and so are those of private levels, whose ends are kept."""
    private = {"L1.size": 32 << 10, "L1.detected_size": 30 << 10, "L2.size": 1 << 20, "L3.size": 64 << 20}
    machine = load(written(with_last(detected=9049 << 10, together=20 << 20), tmp_path))
    assert ends(machine) == {**private, "L3.available": 0.1381, "L3.available_all": 0.3125}
    assert "reported by the operating system" in machine["level.L3.size"].source.reference
    assert "streams" not in machine["level.L3.available"].source.reference
    assert "level.L2.detected_size" in machine.missing
    for together in (None, 9000 << 10):  # no more than one alone
        machine = load(written(with_last(detected=9049 << 10, together=together), tmp_path))
        assert ends(machine) == {**private, "L3.available": 0.1381}
    machine = load(written(with_last(detected=70 << 20, together=80 << 20), tmp_path))
    assert ends(machine) == {**private, "L3.available": 1.0}
    machine = load(written(with_last(detected=None, together=20 << 20), tmp_path))
    assert ends(machine) == private
    assert "not found to be faster" in machine.missing["level.L3.available"]


def test_levels_that_nobody_reports_are_as_large_as_detected(tmp_path: Path) -> None:
    levels = (Level("L1", 32 << 10, detected=32 << 10), Level("L2", 1 << 20, detected=1 << 20))
    machine = load(written(results(levels=levels), tmp_path))
    assert ends(machine) == {
        f"L{k}.{name}": size << 10 for k, size in ((1, 32), (2, 1024)) for name in ("size", "detected_size")
    }
    assert "random walks" in machine["level.L2.size"].source.reference


def test_two_probes_agree_though_others_leave_another_part(tmp_path: Path) -> None:
    """30 % more within minutes; a last level of another size is a difference as ever."""
    (tmp_path / "again").mkdir()
    first = load(written(with_last(detected=9 << 20, together=20 << 20), tmp_path))
    for level, differences in (({"detected": 12 << 20}, []), ({"size": 32 << 20}, ["level.L3.size"])):
        second = load(written(with_last(**{"detected": 9 << 20, "together": 26 << 20} | level), tmp_path / "again"))
        found = diff(first, second, 0.05)
        assert [one.path for one in found.differences if "bandwidth" not in one.path] == differences
        assert {one.path for one in found.conditions} == {"level.L3.available", "level.L3.available_all"}


def test_sweeps_that_did_not_settle_show_in_the_part_of_the_last_level(tmp_path: Path) -> None:
    """In that of one thread, or of all, and in no size."""
    moving, converged = Estimate(16e6, 0.3, 26), Estimate(16e6, 0.01, 26)
    for one, all_, doubted in (
        (moving, converged, "level.L3.available"),
        (converged, moving, "level.L3.available_all"),
    ):
        found = with_last(together=40 << 20)
        found.numbers.update({"reads 1": one, "reads 4": all_})
        machine = load(written(found, tmp_path))
        paths = [f"level.{path}" for path in ends(machine)]
        assert [path for path in paths if "did not agree" in machine[path].source.reference] == [doubted]
    whole = with_last(detected=None)
    whole.numbers["reads 1"] = moving
    assert "did not agree" not in load(written(whole, tmp_path))["level.L3.size"].source.reference


def test_company_counts_for_what_a_core_does_and_not_for_what_cores_share() -> None:
    """One thread's loads of memory share what its core has under way; threads that meet wait for the slowest."""
    bench, variants = plan.Bench(kernels.variants()[-1]), kernels.variants()
    tasks = plan.all_tasks(bench, variants, plan.tiers(LEVELS, 4, 16 << 30), 4, 4096)
    shared = {task.name: task.shared for task in tasks}
    alone = ("barrier", "region 2", "llvm region 4", "read memory 1", "scattered memory", "triad L2 4")
    assert not any(shared[name] for name in alone)
    assert all(shared[name] for name in ("read memory 4", "read L3 1", "scattered L3", "slowest thread"))


def test_places_lie_between_the_levels() -> None:
    where = plan.tiers(LEVELS, 4, 4 << 30)
    sizes = [tier.alone for tier in where]
    assert [tier.name for tier in where] == ["L1", "L2", "L3", "memory"]
    assert sizes[0] < LEVELS[0].size < sizes[1] < LEVELS[1].size < sizes[2] < (LEVELS[2].detected or 0) < sizes[3]
    assert sizes[3] == 128 << 20  # twice what is reported, also where less was detected
    assert plan.tiers(LEVELS, 4, None)[-1].name == "L3"


@pytest.mark.parametrize(
    ("memory", "sets"), [(16 << 30, (4, 8)), (4 << 30, (4, 4)), (1 << 30, (1, 1)), (64 << 30, (4, 8))]
)
def test_random_lines_lie_in_more_sets_than_arrays_where_there_is_room(memory: int, sets: tuple[int, int]) -> None:
    """128 MiB each: an eighth of memory at most, and no more than the largest set, but as many as of arrays."""
    tier = plan.tiers(LEVELS, 4, memory)[-1]
    assert (tier.sets, tier.line_sets) == sets
    large = (*LEVELS[:2], replace(LEVELS[2], size=256 << 20))
    assert plan.tiers(large, 4, 64 << 30)[-1].line_sets == 4


def test_a_shared_level_must_have_room_for_all_threads(tmp_path: Path) -> None:
    """16 MiB for 4 cores with 1 MiB inside; then 2 MiB for 4."""
    assert plan.tiers(LEVELS, 4, None)[2].each == 5 << 19
    small = (*LEVELS[:2], replace(LEVELS[2], size=2 << 20, detected=2 << 20))
    assert plan.tiers(small, 4, None)[2].each == 0
    machine = load(written(results(levels=small), tmp_path))
    assert "share of this level" in machine.missing["level.L3.bandwidth"]
    assert "level.L3.core_bandwidth" in machine


def test_texts_are_quoted() -> None:
    draft = Draft('a"b\\c\n', "t")
    assert draft.toml().splitlines()[0] == 'name = "a\\"b\\\\c\\n"'
