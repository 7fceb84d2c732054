"""Codes in stages: what is dealt to cores, what a thread of a GPU does, and what stays alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import foretell
from foretell.core.facets.trace import (
    Chain,
    Instructions,
    Operations,
    Reuse,
    Schedule,
    StackDistances,
    Trace,
    TracedLoop,
    Trips,
    Width,
)
from foretell.core.workload import Workload
from foretell.errors import InputError
from foretell.machines import load
from foretell.models.base import Inputs
from foretell.models.cost.cpu import served
from foretell.models.cost.stages import Nests

RECORDED = Path(foretell.__file__).parent / "uses" / "recorded" / "trace"
XEON = str(RECORDED / "xeon-16.toml")


def loop(parent: int, entries: int, iterations: int, verdict: Any, **changes: Any) -> TracedLoop:
    work = changes.pop("work", 1000)
    base = TracedLoop("f", "f.c", 1, parent, entries, iterations, 1, iterations, verdict)
    counts = {
        "operations": Operations(add=work // 2, multiply=work // 2),
        "instructions": Instructions(integer=work, load=work, store=work // 4, branch=work // 8),
    }
    return replace(base, **{**counts, **changes})


def code(*loops: TracedLoop, **changes: Any) -> Workload:
    outer = [one for one in loops if one.parent == -1]
    trace = Trace(
        kernel="code",
        operations=Operations(
            add=sum(one.operations.add for one in outer), multiply=sum(one.operations.multiply for one in outer)
        ),
        vectorised=0,
        schedule=Schedule(10, (Width(100, 10),)),
        sync_points=3,
        instructions=Instructions(
            integer=sum(one.instructions.integer for one in outer),
            load=sum(one.instructions.load for one in outer),
            store=sum(one.instructions.store for one in outer),
            branch=sum(one.instructions.branch for one in outer),
        ),
        distances=tuple(StackDistances(line, 10, 8e3, (Reuse(2, 1000, 3),)) for line in (64, 128)),
        loops=loops,
    )
    return Workload("code", (replace(trace, **changes),))


def stages(*loops: TracedLoop) -> list[tuple[str, float]]:
    found = Nests(code(*loops).facet(Trace)).stages()
    return [(one.kind, one.fork_joins) for one in found]


def parts(workload: Workload, machine: str, **options: Any) -> dict[str, float]:
    found = foretell.predict(workload, machine, **options)
    return {part.name: part.time_s for part in found.parts}


def test_a_parallel_loop_inside_steps_is_a_region_for_each_step() -> None:
    steps = (loop(-1, 1, 20, "sequential"), loop(0, 20, 2000, "parallel"))
    assert stages(*steps) == [("region", 20), ("alone", 0)]


def test_a_reduction_that_holds_a_parallel_loop_goes_step_by_step() -> None:
    jagged = (loop(-1, 1, 12, "reduction"), loop(0, 12, 1200, "parallel"))
    assert stages(*jagged) == [("region", 12), ("alone", 0)]
    assert stages(loop(-1, 1, 12, "reduction")) == [("region", 1), ("alone", 0)]


def test_two_sequential_loops_with_room_run_along_diagonals() -> None:
    inner = loop(0, 30, 1200, "sequential", work=4800, schedule=Schedule(276, (Width(4800 / 276, 276),)))
    outer = loop(-1, 1, 30, "sequential", work=4800)
    assert stages(outer, inner) == [("front", 30 + 40 - 1), ("alone", 0)]
    serial = replace(inner, schedule=Schedule(4800, (Width(1, 4800),)))
    assert stages(outer, serial) == [("alone", 0)]


def test_a_running_sum_is_two_passes_over_blocks() -> None:
    chain = Chain(Operations(add=1))
    scan = loop(-1, 1, 4000, "sequential", scan=True, chain=chain)
    assert stages(scan) == [("scan", 2), ("alone", 0)]
    alone, four = (parts(code(scan), XEON, parameters={"threads": n}) for n in (1.0, 4.0))
    assert alone["synchronisation"] == 0
    assert alone["computation"] / 4 < four["computation"] < alone["computation"]


def test_iterations_are_dealt_whole() -> None:
    """17 iterations on 16 cores: one of them has two."""
    even, odd = (code(loop(-1, 1, trips, "parallel", work=17 * 16 * 1000)) for trips in (16, 17))
    times = [parts(one, XEON, parameters={"threads": 16.0})["computation"] for one in (even, odd)]
    assert times[1] / times[0] == pytest.approx((2 / 17) / (1 / 16), rel=1e-9)


def test_executions_with_few_iterations_keep_few_cores_busy() -> None:
    work = 16_000_000
    wide = loop(-1, 20, 20 * 1024, "parallel", work=work)
    halves = tuple(Trips(1, 2.0**power, 0.05) for power in range(20))
    narrow = replace(wide, executions=halves)
    times = [parts(code(one), XEON, parameters={"threads": 16.0})["computation"] for one in (wide, narrow)]
    assert 1.5 < times[1] / times[0] < 3


def test_a_chain_holds_one_core_but_not_diagonals() -> None:
    chain = Chain(Operations(add=2, multiply=1), integer=1)
    inner = loop(0, 30, 1200, "sequential", chain=chain, schedule=Schedule(50, (Width(20, 50),)))
    nest = code(loop(-1, 1, 30, "sequential"), inner)
    machine = load(XEON)
    cycles = 2 * machine.value("pipeline.add_f64.latency") + machine.value("pipeline.multiply_f64.latency") + 1
    one = parts(nest, XEON, parameters={"threads": 1.0})
    expected = 1200 * cycles / machine.value("clock.frequency")
    assert one["computation"] + one["latency"] == pytest.approx(expected, rel=1e-9)
    assert foretell.predict(nest, XEON, parameters={"threads": 1.0}).bottleneck.resource == "recurrence"
    assert parts(nest, XEON, parameters={"threads": 4.0})["latency"] == 0


def test_sums_are_chains_only_as_written() -> None:
    sums = code(loop(-1, 1, 100_000, "reduction", chain=Chain(Operations(add=1))))
    one = {"parameters": {"threads": 1.0}}
    assert parts(sums, XEON, **one)["latency"] == 0
    assert parts(sums, XEON, **one, options={"reductions": "as_written"})["latency"] > 0


def test_vectors_take_whole_lanes_and_the_rest_one_by_one() -> None:
    def time(trips: int) -> float:
        work = 1000 * trips
        one = loop(-1, 1000, 1000 * trips, "parallel", work=work, vectorised=work)
        return parts(code(one), XEON, parameters={"threads": 1.0})["computation"] / trips

    assert time(16) < time(15) < time(7)
    assert time(7) / time(16) == pytest.approx(8, rel=1e-6)


def test_a_gpu_takes_a_nest_as_a_whole_and_writes_between_as_another_kernel() -> None:
    outer, inner = loop(-1, 10, 640, "parallel"), loop(0, 640, 40_960, "parallel")
    perfect = code(outer, replace(inner, instructions=outer.instructions))
    imperfect = code(outer, replace(inner, instructions=replace(outer.instructions, store=10)))
    assert foretell.predict(perfect, "h200").details["sync_points"] == 10
    assert foretell.predict(imperfect, "h200").details["sync_points"] == 20
    assert Nests(perfect.facet(Trace)).stages()[0].runs[0].width == 4096


def test_one_thread_of_a_gpu_waits_for_every_instruction() -> None:
    alone = code(loop(-1, 1, 100_000, "sequential", work=800_000, chain=Chain(Operations(add=1))))
    cpu, gpu = (foretell.predict(alone, machine).time_s for machine in (XEON, "h200"))
    assert gpu > 10 * cpu
    with pytest.raises(InputError, match="used as a whole"):
        foretell.predict(alone, "h200", parameters={"threads": 2.0})


def test_given_synchronisation_points_count() -> None:
    given = code(loop(-1, 1, 100, "parallel"), sync_given=True, sync_points=7)
    for machine in (XEON, "h200"):
        assert foretell.predict(given, machine).details["sync_points"] == 7


def test_what_cannot_go_by_stages_goes_by_levels_and_says_so() -> None:
    work = code(loop(-1, 1, 100, "parallel"))
    found = foretell.predict(work, "i5-2400")
    assert any("lacks clock.frequency" in one or "lacks cores.issue_width" in one for one in found.assumptions)
    asked = foretell.predict(work, XEON, options={"hits": "at_most"})
    assert any("decision of these equations" in one for one in asked.assumptions)
    assert any(
        "asked for" in one
        for one in foretell.predict(work, XEON, mode="paper", options={"vectors": "at_least_one_lane"}).assumptions
    )
    bare = replace(work.facet(Trace), loops=())
    assert any("no loops" in one for one in foretell.predict(Workload("bare", (bare,)), XEON).assumptions)


def test_the_cost_of_a_barrier_is_estimated_where_it_is_not_known() -> None:
    many = code(loop(-1, 1, 20, "sequential"), loop(0, 20, 2000, "parallel"))
    assert any("sync.launch" in note for note in foretell.predict(many, "neoverse-n1").assumptions)
    alone = foretell.predict(many, "neoverse-n1", parameters={"threads": 1.0})
    assert not any("sync.launch" in note for note in alone.assumptions)
    assert foretell.predict(code(loop(-1, 1, 20, "parallel")), "neoverse-n1").time_s > 0


@pytest.mark.parametrize("machine", [XEON, "h200"])
@pytest.mark.parametrize("name", ["lu-24", "merge_sort-300", "prefix-400", "smith_waterman-40", "srad-24-60"])
def test_times_are_above_the_hard_bound_and_parts_sum_up(name: str, machine: str) -> None:
    found = foretell.predict(RECORDED / f"{name}.trace.xz", machine)
    assert found.interval_s is not None
    assert found.time_s >= found.interval_s[0]
    assert sum(part.time_s for part in found.parts) == pytest.approx(found.time_s, rel=1e-9)
    assert all(found.time_s >= bound.time_s for bound in found.bounds)
    assert found.bounds[0].time_s > 0


def test_a_sweep_of_threads_is_many_predictions() -> None:
    from foretell.api import prepare

    case = prepare(RECORDED / "heat2d-24-400.trace.xz", XEON)
    columns = {"threads": np.array([1.0, 2.0, 7.0, 16.0, 17.0])}
    swept = case.model.sweep(case.workload, case.machine, case.settings, columns)
    single = [
        foretell.predict(RECORDED / "heat2d-24-400.trace.xz", XEON, parameters={"threads": n}).time_s
        for n in (1.0, 2.0, 7.0, 16.0)
    ]
    assert swept[:4] == pytest.approx(single, rel=1e-12)
    assert np.isinf(swept[4])


@pytest.mark.parametrize("path", ["memory.bandwidth", "level.L2.bandwidth", "peak.double", "clock.frequency"])
def test_a_better_gpu_is_never_slower(path: str) -> None:
    machine = load("h200")
    times = [
        foretell.predict(
            RECORDED / "srad-1024-3.trace.xz", machine.with_values({path: factor * machine.value(path)})
        ).time_s
        for factor in (0.5, 1.0, 2.0)
    ]
    assert times == sorted(times, reverse=True)


def test_models_say_what_they_read() -> None:
    from foretell.models.cost import CostModel

    read = CostModel().reads(load("h200"))
    assert {"pipeline.fp64.latency", "sync.launch", "level.L2.bandwidth", "occupancy.warps"} <= set(read)
    read = CostModel().reads(load(XEON))
    assert {"cores.hidden_smt", "clock.all_cores", "level.L2.overlap", "pipeline.divide_f64x8.gap"} <= set(read)
    assert "sync.global" in CostModel().reads(load("tesla-k20x"))


def test_a_gpu_with_one_memory_level_goes_by_levels() -> None:
    found = foretell.predict(code(loop(-1, 1, 100, "parallel")), "tesla-k20x")
    assert any("two memory levels" in one for one in found.assumptions)


def test_a_block_reuses_its_own_lines_only() -> None:
    """Rows of 4,096 B one above the other: a block of 256 threads does not hold the row above it."""
    near = (StackDistances(128, 10, 8e5, (Reuse(2, 90_000, 3), Reuse(40, 10_000, 60))),)
    stencil = code(loop(-1, 1, 100_000, "parallel", work=100_000), distances=near)
    long = code(loop(-1, 1, 1_000, "parallel", work=100_000), distances=near)
    assert foretell.predict(stencil, "h200").details["fast_lines"] == pytest.approx(10_010)
    assert foretell.predict(long, "h200").details["fast_lines"] == pytest.approx(10)


def test_the_first_kernel_starts_in_the_open() -> None:
    machine = load("h200")
    launch, wait = (machine.value(f"sync.{name}") for name in ("launch", "global"))
    steps = code(loop(-1, 1, 20, "sequential"), loop(0, 20, 2000, "parallel"))
    frequency = machine.value("clock.frequency")
    scale = 1 / frequency if machine["sync.global"].unit == "cycle" else 1.0
    assert parts(steps, "h200")["synchronisation"] == pytest.approx((launch + 20 * wait) * scale)


BLOCKED = (
    # blocks of rows and columns, depth step by step, and rows, depth and columns of a block: 256 cubed in blocks of 64
    loop(-1, 1, 4, "parallel", work=2 * 256**3, schedule=Schedule(257, (Width(2 * 256**3 / 257, 257),))),
    loop(0, 4, 16, "parallel", work=2 * 256**3, schedule=Schedule(257, (Width(2 * 256**3 / 257, 257),))),
    loop(1, 16, 64, "reduction"),
    loop(2, 64, 64 * 64, "parallel", schedule=Schedule(257, (Width(2 * 256**3 / 257, 257),))),
    loop(3, 64 * 64, 64**3, "reduction"),
    loop(4, 64**3, 64**4, "parallel"),
)


def test_threads_of_a_gpu_take_steps_between_parallel_loops_along() -> None:
    """A blocked matrix product has one thread for each element of the result."""
    (region, _) = Nests(code(*BLOCKED).facet(Trace)).stages()
    assert [run.width for run in region.runs] == [pytest.approx(256 * 256)]


def test_without_room_in_the_schedule_steps_stay_around_threads() -> None:
    """The same loops, but so deep that not all of it can run side by side."""
    narrow = Schedule(10**6, (Width(2 * 256**3 / 10**6, 10**6),))
    loops = tuple(replace(one, schedule=narrow) for one in BLOCKED)
    (region, _) = Nests(code(*loops).facet(Trace)).stages()
    assert [run.width for run in region.runs] == [16]


@pytest.mark.parametrize("machine", [XEON, "h200"])
@pytest.mark.parametrize(
    "name", ["lu-24", "nbody-12288", "matrix_product-1024", "transpose-8224", "merge_sort-300", "prefix-400"]
)
def test_efforts_are_in_order_and_the_interval_holds_them(name: str, machine: str) -> None:
    found = {
        effort: foretell.predict(RECORDED / f"{name}.trace.xz", machine, options={"effort": effort})
        for effort in ("optimised", "compiled", "scalar")
    }
    times = {effort: one.time_s for effort, one in found.items()}
    assert times["optimised"] <= times["compiled"] * (1 + 1e-9)
    assert times["compiled"] <= times["scalar"] * (1 + 1e-9)
    for one in found.values():
        assert one.interval_s is not None
        assert one.details["hard_bound_s"] <= one.interval_s[0] * (1 + 1e-9)
        assert one.interval_s[0] <= one.time_s <= one.interval_s[1]


def test_optimised_code_fills_its_units() -> None:
    """A region of multiply-adds in all lanes of one core: half a cycle for each vector of eight."""
    work = 16_000_000
    machine = load(XEON)
    dense = code(loop(-1, 1, 8000, "parallel", work=work))
    found = parts(dense, XEON, parameters={"threads": 1.0}, options={"effort": "optimised"})
    cycles = work / 2 / 8 * machine.value("pipeline.fma_f64.gap")
    assert found["computation"] == pytest.approx(cycles / machine.value("clock.frequency"), rel=1e-9)


def test_comparisons_that_nobody_foresees_are_in_the_upper_end() -> None:
    ends = []
    for compare in (0, 10**6):
        done = Operations(add=10**6, compare=compare)
        one = code(loop(-1, 1, 1000, "parallel", operations=done), operations=done)
        interval = foretell.predict(one, XEON, parameters={"threads": 1.0}).interval_s
        assert interval is not None
        ends.append(interval[1])
    misses = 0.5 * 10**6 * load(XEON).value("pipeline.branch_miss.latency")
    assert ends[1] - ends[0] >= misses / load(XEON).value("clock.frequency")


def test_private_caches_do_not_add_up_but_shared_ones_do() -> None:
    """Lines that two L2 would hold, but not one, come from behind it with any number of cores."""
    machine = load(XEON)
    inputs = Inputs(machine, {})
    lines = int(1.5 * machine.value("level.L2.size") / 64)
    far = StackDistances(64, lines, 8.0 * 3 * lines, (Reuse(lines - 1, 2.0 * lines, lines - 1),))
    trace = code(loop(-1, 1, 4096, "parallel"), distances=(far,)).facet(Trace)
    assert served(trace, inputs, 4.0)["level.L3"] == served(trace, inputs, 1.0)["level.L3"] > 0
    behind = int(1.5 * machine.value("level.L3.size") / 64)
    wide = StackDistances(64, behind, 8.0 * 3 * behind, (Reuse(behind - 1, 2.0 * behind, behind - 1),))
    trace = code(loop(-1, 1, 4096, "parallel"), distances=(wide,)).facet(Trace)
    assert served(trace, inputs, 4.0)["memory"] < served(trace, inputs, 1.0)["memory"]
