"""The cost model beyond its golden numbers: machines of all kinds, threads, sweeps, options."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import foretell
from foretell.core.facets.trace import Operations, Reuse, Schedule, StackDistances, Trace, TracedLoop, Width
from foretell.core.workload import Workload
from foretell.errors import InputError, MachineError
from foretell.machines import load
from foretell.models.base import Inputs
from foretell.models.cost.equations import level_time
from foretell.models.cost.fields import fields
from tests.support.cli import run


def code(**changes: object) -> Workload:
    trace = Trace(
        kernel="code",
        operations=Operations(add=4_000, multiply=4_000),
        vectorised=0,
        schedule=Schedule(10, (Width(2, 5), Width(1_598, 5))),
        sync_points=3,
        distances=(
            StackDistances(64, 1_000, 80_000, (Reuse(10, 8_000, 20), Reuse(200_000, 1_000, 200_000))),
            StackDistances(128, 500, 80_000, (Reuse(5, 8_500, 10), Reuse(100_000, 1_000, 100_000))),
        ),
    )
    return Workload("code", (replace(trace, **changes),))  # type: ignore[arg-type]


def test_levels_cost_what_the_sum_says() -> None:
    """The running totals of `level_time` against equation (3) term by term."""
    machine = load("i5-2400")
    schedule = Schedule(9, (Width(1, 3), Width(4, 2), Width(7, 4)))
    for processors in (1.0, 3.0, 4.0, 5.0, 100.0):
        numbers = replace(fields(Inputs(machine, {}), None, synchronises=False), processors=processors)
        expected = sum(w.levels * w.operations / min(w.operations, processors) for w in schedule.widths) / 20e9
        assert level_time(schedule, numbers) == pytest.approx(expected, rel=1e-12)


def test_a_gpu_of_today_has_the_fields_of_the_table() -> None:
    machine = load("h200")
    numbers = fields(Inputs(machine, {}), None, synchronises=True)
    assert numbers.processors == 132 * 128
    assert numbers.throughput == pytest.approx(machine.value("peak.double"))
    assert numbers.capacity == machine.value("level.L2.size") + 132 * machine.value("scratchpad.size")
    assert numbers.fast_latency == pytest.approx(29 / machine.value("clock.frequency"))
    assert numbers.vector == 1.0  # lanes are processors (AM-4)
    with pytest.raises(InputError, match="used as a whole"):
        fields(Inputs(machine, {}), 4.0, synchronises=True)


def test_threads_use_part_of_a_machine() -> None:
    machine = load("neoverse-n1").with_values({"sync.global": 2497.0})  # cycles: 1 us
    one, two = (foretell.predict(code(), machine, parameters={"threads": n}) for n in (1.0, 2.0))
    parts = [{part.name: part.time_s for part in found.parts} for found in (one, two)]
    assert parts[0]["synchronisation"] == 0  # one core waits for nobody
    assert parts[1]["synchronisation"] == pytest.approx(3e-6)
    assert parts[0]["slow memory"] > parts[1]["slow memory"]
    assert foretell.predict(code(), machine).time_s == two.time_s  # both cores unless told otherwise
    with pytest.raises(InputError, match="from 1 to the 2 cores"):
        foretell.predict(code(), machine, parameters={"threads": 3.0})


def test_the_hard_bound_is_the_lower_end() -> None:
    found = foretell.predict(code(), "i5-2400")
    assert found.interval_s is not None
    assert found.interval_s[0] == pytest.approx(max(10 / 20e9, 8_000 / 80e9, 1_000 * 64 / 18.88e9))
    assert found.interval_s[1] == found.time_s
    trees = Schedule(4, (Width(2_000, 4),))
    shallow = foretell.predict(code(reassociated=trees), "i5-2400", options={"reductions": "trees"})
    assert shallow.details["depth"] == 4
    assert shallow.time_s < found.time_s


def test_options() -> None:
    def time(**options: str) -> float:
        return foretell.predict(code(), "i5-2400", options=options).time_s

    assert time(composition="overlapped") < time()
    assert time(fast_traffic="per_reference") > time()
    assert time(hits="at_most") == time()  # no distance lies at the capacity
    edge = code(distances=(StackDistances(64, 0, 8, (Reuse(98304, 1, 98304),)),))  # Z of the i5-2400 in lines, AM-2
    literal = {"hits": "at_most"}
    assert foretell.predict(edge, "i5-2400").details["slow_lines"] == 1
    assert foretell.predict(edge, "i5-2400", options=literal).details["slow_lines"] == 0
    with pytest.raises(InputError):
        foretell.predict(code(), "i5-2400", options={"vectors": "no"})


def test_regions_are_starts_of_parallel_loops() -> None:
    """Two steps of a sequential loop around a parallel one, and a parallel loop beside it that holds another."""
    loops = (
        TracedLoop("f", "f.c", 1, -1, 1, 2, 2, 2, "sequential"),
        TracedLoop("f", "f.c", 2, 0, 2, 20, 10, 10, "parallel"),
        TracedLoop("f", "f.c", 5, -1, 1, 10, 10, 10, "reduction"),
        TracedLoop("f", "f.c", 6, 2, 10, 90, 9, 9, "parallel"),
    )
    found = foretell.predict(code(loops=loops), "i5-2400", options={"sync": "regions"})
    assert found.details["sync_points"] == 3
    waves = foretell.predict(code(loops=loops[:1]), "i5-2400", options={"sync": "regions"})
    assert waves.details["sync_points"] == 10  # no parallel loop: level by level
    chain = code(loops=loops[:1], schedule=Schedule(10, (Width(1, 10),)))
    assert foretell.predict(chain, "i5-2400", options={"sync": "regions"}).details["sync_points"] == 0


def test_the_bound_takes_the_fast_memory_for_as_large_as_it_can_be() -> None:
    plain = load("i5-2400")
    machine = plain.with_values({"level.fast.reported_size": 64.0 * 2**20})
    left = plain.value("level.fast.size") / (64 * 2**20)
    part = plain.with_values({"level.fast.size": 64.0 * 2**20, "level.fast.available": left})
    wide = {
        "schedule": Schedule(1, (Width(8000, 1),)),
        "distances": (StackDistances(64, 0, 8e5, (Reuse(200_000, 1e5, 200_000),)),),
    }
    found = [foretell.predict(code(**wide), on) for on in (plain, machine, part)]
    least = [ends[0] for one in found if (ends := one.interval_s)]
    assert least == pytest.approx([1e5 * 64 / 18.88e9, 8000 / 80e9, 8000 / 80e9])
    assert found[0].time_s == found[1].time_s == found[2].time_s > 1e5 * 64 / 18.88e9


def test_no_vector_at_all() -> None:
    """f_v = 0 makes (3) infinite as printed; a scalar runs in one lane of four (AM-4)."""
    assert foretell.predict(code(), "i5-2400").details["f_v"] == 0.25
    assert foretell.predict(code(), "k20c-automatch").details["f_v"] == 1.0
    with pytest.raises(InputError, match="no operation runs in a vector"):
        foretell.predict(code(), "i5-2400", mode="paper")


def test_a_trace_without_memory_or_operations() -> None:
    found = foretell.predict(code(distances=()), "i5-2400")
    assert {part.name: part.time_s for part in found.parts}["latency"] == 0  # AM-10
    idle = foretell.predict(code(operations=Operations(), schedule=Schedule()), "i5-2400")
    assert any("no floating-point operation" in note for note in idle.assumptions)
    assert idle.details["parallelism"] is None


def test_what_a_machine_lacks_is_named() -> None:
    assert any("sync.global" in note for note in foretell.predict(code(), "neoverse-n1").assumptions)
    alone = foretell.predict(code(sync_points=0), "neoverse-n1")  # nobody waits, so nobody asks
    assert not any("sync." in note for note in alone.assumptions)
    with pytest.raises(MachineError, match=r"sync\.global"):
        foretell.predict(code(), "neoverse-n1", mode="paper")
    with pytest.raises(MachineError, match="a memory level"):
        foretell.predict(code(), "sw26010")
    with pytest.raises(InputError, match="lines of 256 bytes were not traced"):
        foretell.predict(code(), load("i5-2400").with_values({"level.fast.line": 256.0}))


@given(
    st.lists(st.floats(1, 1e4), min_size=1, max_size=5),
    st.sampled_from(["memory.bandwidth", "level.fast.size", "peak.processor", "cores.processors", "sync.global"]),
)
def test_a_sweep_is_many_predictions(factors: list[float], path: str) -> None:
    machine = load("i5-2400")
    column = machine.value(path) * np.array(factors)
    swept = foretell.sweep(foretell.prepare(code(), machine), {path: column})
    alone = [foretell.predict(code(), machine.with_values({path: value})).time_s for value in column]
    assert list(swept) == pytest.approx(alone, rel=1e-12)


@given(st.floats(1, 10), st.sampled_from(["memory.bandwidth", "level.fast.size", "peak.processor", "cores.processors"]))
def test_more_is_never_slower(factor: float, path: str) -> None:
    machine = load("i5-2400")
    better = machine.with_values({path: factor * machine.value(path)})
    assert foretell.predict(code(), better).time_s <= foretell.predict(code(), machine).time_s * (1 + 1e-12)


def test_threads_can_be_swept() -> None:
    machine = load("neoverse-n1").with_values({"sync.global": 2497.0})  # cycles: 1 us
    swept = foretell.sweep(foretell.prepare(code(), machine), {"threads": [1.0, 2.0, 3.0]})
    alone = [foretell.predict(code(), machine, parameters={"threads": n}).time_s for n in (1.0, 2.0)]
    assert list(swept) == pytest.approx([*alone, np.inf])  # two cores do not run three threads


def test_rank_of_codes_with_measured_times() -> None:
    result = run("rank", "example:blocked-matrix", "--on", "i5-2400", "--on", "h200", "--measured", "h200=9ms",
                 "--format", "json").json()  # fmt: skip
    assert [entry["machine"] for entry in result["predictions"]] == ["h200", "i5-2400"]
    first = result["predictions"][0]
    assert first["reached"] == pytest.approx(first["time_s"] / 9e-3)
    assert "measured_s" not in result["predictions"][1]
    both = run("rank", "--code", "example:blocked-matrix", "example:n-body", "--on", "i5-2400", "--on", "sw26010")
    assert both.code == 0
    assert "n-body on i5-2400" in both.out
    assert run("rank").code == 2
    assert "not predicted" in run("rank", "example:blocked-matrix", "--on", "h200", "--measured", "h2=1ms").err
