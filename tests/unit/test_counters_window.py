"""Threads of a core that runs out of order: they share its window of instructions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import foretell
from foretell.core.machine import Machine, Quantity, Source
from tests.support.counters import block, profile, three_levels

if TYPE_CHECKING:
    from foretell.core.workload import Workload

SOURCE = Source("assumed", "test")
#: ten instructions in a cycle: pipelines are never what threads meet at
WIDE = {
    "pipeline.integer.gap": Quantity(0.1, "cycle", SOURCE),
    "pipeline.floating.gap": Quantity(0.1, "cycle", SOURCE),
}
#: instructions of one cycle and loads of four, all in L1
LONE = {"instFP": 0.0, "hitsL2": 0.0, "hitsLLC": 0.0, "LD": 0.0, "ST": 0.0}


def wide(**more: float) -> Machine:
    """A core with pipelines for everything, in order or (with a buffer) not."""
    machine = three_levels()
    buffer = {path.replace("_", ".", 1): Quantity(value, "", SOURCE) for path, value in more.items()}
    return replace(machine, quantities={**machine.quantities, **WIDE, **buffer})


def disordered() -> Machine:
    return wide(cores_reorder_buffer=512.0)


def busy(time: float, machine: Machine, tpc: int = 1) -> Workload:
    """A million instructions, four hundred thousand of them loads: 2.6 million cycles one after the other."""
    events = {"time": time, "instInt": 1e6, "numAccess": 4e5, "hitsL1": 4e5, **LONE}
    return profile(block(**events), machine=machine, cores=1, tpc=tpc)


def stretch(time: float, machine: Machine) -> float:
    """What a second thread on the core makes of a thread's time."""
    code = busy(time, machine)
    launch = {"threads": 2, "threads_per_core": 2}
    return (
        2 * foretell.predict(code, machine, parameters=launch).time_s / foretell.predict(code, machine).time_s
    )


def test_a_chain_has_the_core_to_itself_and_a_parallel_thread_has_half_of_it() -> None:
    """A thread that takes as long as its instructions one after the other leaves the window to others; of one that is
    ten times as fast as that, two take almost twice as long. In order, none of them notices the other."""
    chain, middle, parallel = (stretch(time, disordered()) for time in (2.6e6, 1.3e6, 0.26e6))
    in_order = [stretch(time, wide()) for time in (2.6e6, 1.3e6)]
    assert [chain, *in_order] == pytest.approx([1, 1, 1], rel=0.01)
    # half of the time in the window: T² − T (z + 2d) + d (z + d/2) = 0 with z = d = 1/2
    assert middle == pytest.approx((1.5 + (1.5**2 - 4 * 0.5 * 0.75) ** 0.5) / 2, rel=1e-6)
    assert parallel == pytest.approx(2 * 0.9, rel=0.01)


@settings(max_examples=40, deadline=None)
@given(st.floats(1e5, 1e8), st.sampled_from((1, 2)))
def test_the_measured_launch_gives_the_measured_time(time: float, tpc: int) -> None:
    machine = disordered()
    code = busy(time, machine, tpc)
    launch = {"threads": tpc, "threads_per_core": tpc}
    assert foretell.predict(code, machine, parameters=launch).time_s == pytest.approx(time / 2e9, rel=1e-9)


def test_a_sweep_gives_what_single_points_give() -> None:
    machine = disordered()
    code = busy(4e5, machine)
    threads = np.arange(1.0, 3.0)
    found = foretell.sweep(foretell.prepare(code, machine), {"threads": threads, "threads_per_core": threads})
    alone = [
        foretell.predict(code, machine, parameters={"threads": n, "threads_per_core": n}).time_s
        for n in threads
    ]
    assert list(found) == pytest.approx(alone, rel=1e-12)
