"""Rules that hold for every SW26010 prediction, whatever the kernel and the machine."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import foretell
from tests.support.models.sunway import Twin, kernel, machine

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine
    from foretell.core.workload import Workload

# Numbers are whole so that the literal twin and the core round in the same places.
sizes = st.integers(0, 65536)
counts = st.integers(0, 200)
request_lists = st.lists(st.tuples(sizes, counts), max_size=4)
core_counts = st.integers(1, 64)
loads = st.integers(0, 1000)
compute_cycles = st.integers(0, 10_000_000)
machines = st.builds(
    machine,
    memory__bandwidth=st.floats(1e9, 1e12),
    memory__latency=st.floats(1, 2000),
    memory__delta_delay=st.floats(1, 200),
    clock__frequency=st.floats(5e8, 4e9),
)
kernels = st.builds(
    lambda cores, dma, gloads, cycles, double: kernel(
        cores=cores, dma=dma, gloads=gloads, cycles=cycles, double_buffer=double
    ),
    core_counts,
    request_lists,
    loads,
    compute_cycles,
    st.booleans(),
)
modes = st.sampled_from(["default", "paper"])
GROUPS = {"overlap": "virtual_groups"}
QUEUE = {"overlap": "queue"}
UNROUNDED = {"mrp_rounding": "none", "group_rounding": "none", **GROUPS}


@given(kernels, machines, modes)
def test_time_lies_between_perfect_overlap_and_none(workload: Workload, on: Machine, mode: str) -> None:
    found = foretell.predict(workload, on, mode=mode, options=GROUPS)
    memory, compute = found.details["T_mem_cycles"], found.details["T_comp_cycles"]
    assert max(memory, compute) <= found.details["T_total_cycles"] * (1 + 1e-12)
    assert found.details["T_total_cycles"] <= (memory + compute) * (1 + 1e-12)
    low, high = found.interval_s
    assert low * (1 - 1e-12) <= found.time_s <= high * (1 + 1e-12)


@given(kernels, machines)
def test_time_is_never_below_a_bound_and_parts_sum_to_it(workload: Workload, on: Machine) -> None:
    found = foretell.predict(workload, on)
    assert all(bound.time_s <= found.time_s * (1 + 1e-9) for bound in found.bounds)
    assert sum(part.time_s for part in found.parts) == pytest.approx(found.time_s, rel=1e-9, abs=1e-18)


@given(core_counts, request_lists, loads, compute_cycles, st.sampled_from(["floor", "none"]), modes)
def test_core_equals_the_literal_equations(
    cores: int, dma: list[tuple[int, int]], gloads: int, cycles: int, rounding: str, mode: str
) -> None:
    found = foretell.predict(
        kernel(cores=cores, dma=dma, gloads=gloads, cycles=cycles),
        machine(),
        mode=mode,
        options={"mrp_rounding": rounding, **GROUPS},
    )
    twin = Twin(mrp_rounding=rounding, latency_floor="average" if mode == "default" else "base")
    assert found.details["T_total_cycles"] == pytest.approx(twin.total(cores, dma, gloads, cycles), rel=1e-12)
    assert found.details["T_overlap_cycles"] == pytest.approx(twin.results["T_overlap"], rel=1e-12)


@given(core_counts, sizes, st.integers(1, 200), compute_cycles)
def test_no_overlap_in_one_group_or_with_one_request(cores: int, size: int, count: int, cycles: int) -> None:
    workload = kernel(cores=cores, dma=[(size, count)], cycles=cycles)
    details = foretell.predict(workload, machine(), options=GROUPS).details
    if details["DMA"]["NG"] == 1 or count == 1:
        assert details["T_overlap_cycles"] == 0
    elif size and cycles:
        assert details["T_overlap_cycles"] > 0


@given(st.integers(1, 200), st.integers(1, 256))
def test_aligned_data_at_full_contention_takes_bytes_over_bandwidth(count: int, transactions: int) -> None:
    workload = kernel(dma=[(256 * transactions, count)])
    bare = 64 * 256 * transactions * count / 32e9
    assert foretell.predict(workload, machine(), options=GROUPS).time_s == pytest.approx(bare, rel=1e-12)
    found = foretell.predict(workload, machine()).time_s
    assert found >= bare + (220 - 11.6) / 1.45e9 * (1 - 1e-9)  # the last data is on its way for the latency


@given(kernels, machines, modes)
def test_predicting_twice_gives_the_same_and_leaves_the_machine_alone(
    workload: Workload, on: Machine, mode: str
) -> None:
    before = replace(on, quantities=dict(on.quantities))
    assert foretell.predict(workload, on, mode=mode) == foretell.predict(workload, on, mode=mode)
    assert on == before


@given(kernels, machines, machines)
def test_another_machine_first_changes_nothing(workload: Workload, first: Machine, second: Machine) -> None:
    alone = foretell.predict(workload, second)
    foretell.predict(workload, first)
    assert foretell.predict(workload, second) == alone


@given(
    st.integers(1, 64),
    st.tuples(st.integers(1, 65536), counts),
    loads,
    compute_cycles,
    machines,
    st.sampled_from(
        ["memory.bandwidth", "memory.latency", "memory.delta_delay", "pipeline.floating.latency", "clock.frequency"]
    ),
    st.floats(1.001, 4),
)
def test_a_better_machine_is_never_slower_without_rounding(
    cores: int, request: tuple[int, int], gloads: int, cycles: int, on: Machine, path: str, factor: float
) -> None:
    """Whole requests per group make steps (see the next test); without rounding better is never slower. All DMA
    requests have one size here: the average of unlike sizes, equation (12), is not monotone either."""
    workload = kernel(cores=cores, dma=[request], gloads=gloads, cycles=cycles, floating=1000, ilp=2)
    faster = factor if path in ("memory.bandwidth", "clock.frequency") else 1 / factor
    better = on.with_values({path: on.value(path) * faster})
    before = foretell.predict(workload, on, options=UNROUNDED).time_s
    assert foretell.predict(workload, better, options=UNROUNDED).time_s <= before * (1 + 1e-9)


@given(kernels, machines, st.floats(1.001, 4))
def test_more_bandwidth_is_never_slower_for_the_queue(workload: Workload, on: Machine, factor: float) -> None:
    """Whatever the requests are, more bandwidth never costs time in the closed form; but for whole turns of a crowd (a
    test below), which the delay between transactions makes."""
    on = on.with_values({"memory.delta_delay": 0.0})
    better = on.with_values({"memory.bandwidth": on.value("memory.bandwidth") * factor})
    before = foretell.predict(workload, on, options=QUEUE).time_s
    assert foretell.predict(workload, better, options=QUEUE).time_s <= before * (1 + 1e-9)


@given(kernels, machines, st.floats(1.001, 4))
def test_less_latency_costs_the_queue_at_most_its_own_work(workload: Workload, on: Machine, factor: float) -> None:
    """Less latency may make memory the limit, which leaves the CPE served last with its own work: a step of the closed
    form (the next test), and the only one."""
    latency = on.value("memory.latency")
    better = on.with_values({"memory.latency": latency / factor})
    before = foretell.predict(workload, on, options=QUEUE)
    cycles = before.details["T_comp_cycles"] + before.details["Gload"]["requests"] * latency
    work = cycles / on.value("clock.frequency")
    assert foretell.predict(workload, better, options=QUEUE).time_s <= before.time_s * (1 + 1e-9) + work


def test_memory_that_becomes_the_limit_makes_a_step_against_the_latency() -> None:
    """The closed form counts the last CPE's round once memory never rests."""
    workload = kernel(cores=6, dma=[(1, 6)], gloads=41, cycles=234)
    slow, fast = (
        machine(memory__bandwidth=469e9, memory__delta_delay=1, memory__latency=latency, clock__frequency=1.68e9)
        for latency in (0.7, 0.5)
    )
    before, after = (foretell.predict(workload, on, options=QUEUE).time_s for on in (slow, fast))
    assert before < after < before + (234 + 41 * 0.7) / 6 / 1.68e9


def test_who_comes_first_may_make_less_latency_cost_time() -> None:
    """Requests that come sooner come before others: simulated, a better memory may be a little slower."""
    workload = kernel(cores=47, dma=[(40387, 55), (5312, 4)], cycles=10388)
    slow, fast = (
        machine(memory__bandwidth=399e9, memory__delta_delay=20.6, memory__latency=latency) for latency in (1550, 542)
    )
    predicted = [foretell.predict(workload, on).time_s for on in (slow, fast)]
    assert predicted[1] > predicted[0]


def test_whole_turns_make_a_step_against_the_bandwidth() -> None:
    """Four requests take 50 cycles at 29.69 GB/s, each again after its delay of 50. A little more bandwidth lets a
    fifth in between, and then all come round later; in closed form, too."""
    workload = kernel(dma=[(16384, 16)], cycles=10_000_000)
    slow, fast = (machine(memory__bandwidth=256 * 1.45e9 / cycles) for cycles in (12.5, 12.4))
    simulated = [foretell.predict(workload, on).time_s for on in (slow, fast)]
    closed = [foretell.predict(workload, on, options=QUEUE).time_s for on in (slow, fast)]
    assert closed == pytest.approx(simulated, rel=1e-3)
    assert closed[1] > closed[0]
    assert simulated[1] > simulated[0]


def test_whole_groups_make_a_step_against_the_bandwidth() -> None:
    """The exclusion of the monotonicity rule: more bandwidth lets one more request into a group, fewer groups
    overlap less, and the kernel is predicted a little slower."""
    workload = kernel(dma=[(16384, 16)], cycles=10_000_000)
    times = [
        foretell.predict(workload, machine(memory__bandwidth=bandwidth), options=GROUPS).time_s
        for bandwidth in np.linspace(32e9, 40e9, 200)
    ]
    steps = np.diff(times)
    assert steps.max() > 0
    assert times[-1] < times[0]


def test_unlike_requests_make_bandwidth_worse_through_their_average() -> None:
    """The other exclusion: small latency-bound requests keep their time, while the average MRP grows with bandwidth,
    so that fewer groups overlap."""
    workload = kernel(cores=12, dma=[(256, 200), (65536, 1)], cycles=10_000_000)
    slow = foretell.predict(workload, machine(memory__bandwidth=32e9), options=UNROUNDED)
    fast = foretell.predict(workload, machine(memory__bandwidth=35e9), options=UNROUNDED)
    assert fast.details["T_DMA_cycles"] < slow.details["T_DMA_cycles"]
    assert fast.time_s > slow.time_s


@given(st.lists(st.floats(1e9, 1e12), min_size=1, max_size=20), st.integers(1, 4))
def test_a_sweep_is_the_predictions_at_its_points(bandwidths: list[float], rows: int) -> None:
    case = foretell.prepare("example:vector-add", "sw26010")
    columns = {"memory.bandwidth": np.array(bandwidths), "rows": np.full(len(bandwidths), float(rows))}
    times = foretell.sweep(case, columns)
    for bandwidth, time in zip(bandwidths, times, strict=True):
        on = case.machine.with_values({"memory.bandwidth": bandwidth})
        if rows > 2:  # more than two rows of 1024 doubles in three arrays do not fit
            assert time == np.inf
        else:
            assert time == foretell.predict(case.workload, on, parameters={"rows": rows}).time_s
