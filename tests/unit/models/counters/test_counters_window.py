"""Threads of a core that runs out of order: they share its window of instructions, and chains have half of it each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import foretell
from foretell.core.machine.machine import Machine, Quantity, Source
from foretell.errors import InputError
from tests.support.models.counters import block, profile, three_levels

if TYPE_CHECKING:
    from foretell.core.workload import Workload

SOURCE = Source("assumed", "test")
#: ten instructions in a cycle: pipelines are never what threads meet at
WIDE = {"pipeline.integer.gap": Quantity(0.1, "cycle", SOURCE), "pipeline.floating.gap": Quantity(0.1, "cycle", SOURCE)}
#: instructions of one cycle and loads of four, all in L1
LONE = {"instFP": 0.0, "hitsL2": 0.0, "hitsLLC": 0.0, "LD": 0.0, "ST": 0.0}


def wide(**more: float) -> Machine:
    """A core with pipelines for everything, in order or (with a buffer) not."""
    machine = three_levels()
    buffer = {path.replace("_", ".", 1): Quantity(value, "", SOURCE) for path, value in more.items()}
    return replace(machine, quantities={**machine.quantities, **WIDE, **buffer})


def disordered() -> Machine:
    return wide(cores_reorder_buffer=512.0)


def busy(time: float, machine: Machine, tpc: int = 1, half: float | None = None) -> Workload:
    """A million instructions, four hundred thousand of them loads: 2.6 million cycles one after the other. With half of
    the window they take `half` times as long, if that is known."""
    events = {"time": time, "instInt": 1e6, "numAccess": 4e5, "hitsL1": 4e5, **LONE}
    if half is not None:
        events |= {"cyclesWindow": 1e5, "cyclesHalfWindow": half * 1e5}
    return profile(block(**events), machine=machine, cores=1, tpc=tpc)


def stretch(time: float, machine: Machine, half: float | None = None) -> float:
    """What a second thread on the core makes of a thread's time."""
    code = busy(time, machine, half=half)
    launch = {"threads": 2, "threads_per_core": 2}
    return 2 * foretell.predict(code, machine, parameters=launch).time_s / foretell.predict(code, machine).time_s


def test_a_chain_has_the_core_to_itself_and_a_parallel_thread_has_half_of_it() -> None:
    """A thread that takes as long as its instructions one after the other leaves the window to others; of one that is
    ten times as fast as that, two take almost twice as long. In order, none of them notices the other."""
    chain, middle, parallel = (stretch(time, disordered()) for time in (2.6e6, 1.3e6, 0.26e6))
    in_order = [stretch(time, wide()) for time in (2.6e6, 1.3e6)]
    assert [chain, *in_order] == pytest.approx([1, 1, 1], rel=0.01)
    # half of the time in the window: T² − T (z + 2d) + d (z + d/2) = 0 with z = d = 1/2
    assert middle == pytest.approx((1.5 + (1.5**2 - 4 * 0.5 * 0.75) ** 0.5) / 2, rel=1e-6)
    assert parallel == pytest.approx(2 * 0.9, rel=0.01)


@pytest.mark.parametrize("half", [1.0, 1.3, 2.0])
def test_chains_that_half_of_the_window_holds_up_take_as_much_longer(half: float) -> None:
    """A thread that takes as long as one instruction after the other meets nobody: two take what each takes with
    its half. Others also meet: z is longer, d is not. In order there is no window, and one thread has all of it."""
    assert stretch(2.6e6, disordered(), half) == pytest.approx(half, rel=0.01)
    z, d = half - 0.5, 0.5
    expected = (z + 2 * d + ((z + 2 * d) ** 2 - 4 * d * (z + d / 2)) ** 0.5) / 2
    assert stretch(1.3e6, disordered(), half) == pytest.approx(expected, rel=1e-6)
    assert stretch(1.3e6, wide(), half) == pytest.approx(1, rel=0.01)
    assert stretch(1.3e6, disordered(), 1.0) == pytest.approx(stretch(1.3e6, disordered()), rel=1e-12)


def beside_corunners(**more: float) -> Machine:
    """Two threads of a machine with a million cores have co-runners only."""
    shares = {"cores_hidden_smt": 2.0, "cores_corunners": 1.0, "cores_count": 1e6, "cores_reorder_buffer": 512.0}
    return wide(**shares, **more)


def test_a_stranger_takes_slots_and_no_part_of_the_window() -> None:
    """What a stranger leaves of the window is not known; where it was measured it is most of it."""
    machine = beside_corunners(cores_issue_width=1.0)
    times = [
        foretell.predict(busy(2.6e6, machine, half=half), machine, parameters={"threads": 2}).time_s
        for half in (1.0, 1.8)
    ]
    assert times[1] == pytest.approx(times[0], rel=1e-5)


def test_a_window_of_which_only_one_half_is_known_is_not_known() -> None:
    machine = disordered()
    code = busy(1.3e6, machine, half=1.5)
    [counts] = code.facets
    events = {k: v for k, v in counts.blocks[0].events.items() if k != "cyclesWindow"}  # type: ignore[attr-defined]
    part = replace(code, facets=(replace(counts, blocks=(replace(counts.blocks[0], events=events),)),))  # type: ignore[attr-defined]
    launch = {"threads": 2, "threads_per_core": 2}
    times = [foretell.predict(c, machine, parameters=launch).time_s for c in (part, busy(1.3e6, machine))]
    assert times[0] == times[1]


@pytest.mark.parametrize("half", [0.9, 0.0, -1.0])
def test_half_of_a_window_is_no_faster(half: float) -> None:
    machine = disordered()
    with pytest.raises(InputError, match="half a window is no faster"):
        foretell.predict(busy(1.3e6, machine, half=half), machine)


def test_a_profile_that_does_not_know_its_chains_says_so() -> None:
    machine = beside_corunners()
    told = [
        any("SMT slowdown of dependency chains" in note for note in found.assumptions)
        for half in (None, 1.2)
        for found in [foretell.predict(busy(1e6, machine, half=half), machine, parameters={"threads": 2})]
    ]
    assert told == [True, False]


@settings(max_examples=60, deadline=None)
@given(st.floats(1e5, 1e8), st.sampled_from((1, 2)), st.floats(1, 3), st.sampled_from((1, 2, 8)), st.floats(0, 1))
def test_the_measured_launch_gives_the_measured_time(
    time: float, tpc: int, half: float, cores: int, chance: float
) -> None:
    machine = disordered().with_values(
        {"cores.count": 16.0, "cores.hidden_smt": 1.7, "cores.corunners": chance, "cores.issue_width": 4.0}
    )
    code = busy(time, machine, tpc, half)
    [counts] = code.facets
    code = replace(code, facets=(replace(counts, cores=cores),))  # type: ignore[type-var]
    launch = {"threads": tpc * cores, "threads_per_core": tpc}
    assert foretell.predict(code, machine, parameters=launch).time_s == pytest.approx(time / 2e9, rel=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.floats(1e5, 1e8), st.sampled_from((1, 2)))
def test_the_measured_launch_gives_the_measured_time_without_windows(time: float, tpc: int) -> None:
    machine = disordered()
    code = busy(time, machine, tpc)
    launch = {"threads": tpc, "threads_per_core": tpc}
    assert foretell.predict(code, machine, parameters=launch).time_s == pytest.approx(time / 2e9, rel=1e-9)


@pytest.mark.parametrize("half", [None, 1.6])
def test_a_sweep_gives_what_single_points_give(half: float | None) -> None:
    machine = disordered()
    code = busy(4e5, machine, half=half)
    threads = np.arange(1.0, 3.0)
    found = foretell.sweep(foretell.prepare(code, machine), {"threads": threads, "threads_per_core": threads})
    alone = [foretell.predict(code, machine, parameters={"threads": n, "threads_per_core": n}).time_s for n in threads]
    assert list(found) == pytest.approx(alone, rel=1e-12)
